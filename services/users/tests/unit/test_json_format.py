"""Parsing of JSON requests (RX-05, MG-05, MG-10)."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from portico_contracts.generated.portico.management.v1.event_service_pb2 import ListEventsRequest
from portico_contracts.generated.portico.user.v2.credentials_pb2 import (
    GenerateRecoveryCodesRequest,
    VerifyU2FRegistrationRequest,
)
from portico_contracts.management import METHODS
from portico_oauth.errors import ServiceError
from portico_users.management_api.transport.wire.encoded import BinaryRequest, JsonRequest

ADD = METHODS["portico.user.v2.UserService.AddHumanUser"]
WHOLE = {"profile": {"firstName": "Ada", "lastName": "Byron"}, "email": {"email": "ada@mail.example"}}


def _error_of(text: bytes) -> ServiceError:
    with pytest.raises(ServiceError) as caught:
        JsonRequest(text).fill(ADD.request())
    return caught.value


def _fields(**members: Any) -> dict[str, str]:
    error = _error_of(json.dumps({**WHOLE, **members}).encode())
    return {one.field: one.translated() for one in error.violations}


def _taken(**members: Any) -> Any:
    message: Any = ADD.request()
    JsonRequest(json.dumps({**WHOLE, **members}).encode()).fill(message)
    return message


@pytest.mark.parametrize(
    ("text", "error_code"),
    [
        (b"{", "USER-300"),
        (b"\xff\xfe", "USER-300"),
        (b" ", "USER-300"),
        (b"\n\t ", "USER-300"),
        (b'{"userId": NaN}', "USER-300"),
        (b'{"userId": ' + b"9" * 1_000_000 + b"}", "USER-300"),
        (b'{"userId": "a", "userId": "a"}', "USER-301"),
        (b"[" * 10_000 + b"]" * 10_000, "USER-302"),
        (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, "USER-302"),
        (b"[" * 33 + b"]" * 33, "USER-302"),
        (b"[]", "USER-303"),
        (b'"text"', "USER-303"),
        (b"null", "USER-303"),
    ],
    ids=lambda value: value if isinstance(value, str) else repr(value[:20]),
)
def test_malformed_json_is_refused(text: bytes, error_code: str) -> None:
    """A request is one object in UTF-8, each name once, at most 32 levels deep; everything else has code 3."""
    error = _error_of(text)

    assert error.id == error_code
    assert error.rendering.rpc == 3


@pytest.mark.parametrize(
    "name", ["roles", "state", "resourceOwner", "sequence", "_id", "__proto__", "isAdmin", "userid"]
)
def test_unknown_field_is_refused(name: str) -> None:
    """Nothing is ignored, so nothing can be smuggled in (MG-05)."""
    assert _fields(**{name: "x"}) == {name: "Unknown field."}


@pytest.mark.parametrize("value", [{"$ne": None}, ["a"], 5, True, {"$regex": ".*"}])
def test_wrong_type_is_refused(value: Any) -> None:
    """A string field accepts only strings; no object ever reaches a query (MG-10)."""
    assert _fields(userId=value) == {"userId": "This has the wrong type."}


def test_null_is_absent() -> None:
    """A null is an absent field, as in proto3 JSON."""
    assert not _taken(userId=None).HasField("user_id")


@pytest.mark.parametrize(
    ("alias", "name"), [("givenName", "firstName"), ("familyName", "lastName"), ("nickname", "nickName")]
)
def test_field_aliases_are_equivalent(alias: str, name: str) -> None:
    """If both names are present their values must be equal."""
    rest = {"firstName": "Ada", "lastName": "Byron", "nickName": "Countess"}
    value = rest[name]
    without = {other: text for other, text in rest.items() if other != name}

    assert _taken(profile={**without, alias: value}) == _taken(profile=rest)
    assert _taken(profile={**rest, alias: value}) == _taken(profile=rest)
    assert _fields(profile={**rest, alias: "other"}) == {f"profile.{name}": "This is set twice, with different values."}


def test_organization_field_has_two_names() -> None:
    """The specified name and the newer one are accepted."""
    assert _taken(organization={"orgId": "o"}) == _taken(organisation={"orgId": "o"})


def test_oneof_accepts_one_choice() -> None:
    """Two passwords, or two ways to verify an address, contradict each other; false is not a choice."""
    both = {"password": {"password": "x"}, "hashedPassword": {"hash": "y"}}
    assert _fields(**both) == {"hashedPassword": "Only one of these can be set."}

    email = {"email": "ada@mail.example", "sendCode": {}}
    assert _fields(email={**email, "isVerified": True}) == {"email.isVerified": "Only one of these can be set."}
    assert _taken(email={**email, "isVerified": False}).email.HasField("send_code")


def test_false_is_not_a_message() -> None:
    """False only declines a choice that true selects; elsewhere it is a wrong type."""
    email = {"email": "ada@mail.example", "sendCode": False}
    assert list(_fields(email=email)) == ["email.sendCode"]


@pytest.mark.parametrize(("said", "fields"), [("u", []), ("another", ["userId"]), ("", ["userId"])])
def test_body_must_agree_with_the_path(said: str, fields: list[str]) -> None:
    """Different ids in path and body contradict each other (MG-01)."""
    # The credential is missing, so that the request is refused in any case.
    request = JsonRequest(json.dumps({"userId": said, "tokenName": "key"}).encode(), {"userId": "u", "u2fId": "k"})
    with pytest.raises(ServiceError) as refused:
        request.fill(METHODS["portico.user.v2.UserService.VerifyU2FRegistration"].request())

    assert [one.field for one in refused.value.violations] == (fields or ["publicKeyCredential"])


@pytest.mark.parametrize("text", ["!!!!", "a", "YQ=", "YQ===", "Y Q=", "YQ\n"])
def test_invalid_base64_is_refused(text: str) -> None:
    """Both alphabets and missing padding are accepted, other characters never."""
    assert _fields(metadata=[{"key": "k", "value": text}]) == {"metadata[0].value": "This is not base64."}


@pytest.mark.parametrize("text", ["-_8=", "-_8", "+/8="])
def test_both_base64_alphabets_are_accepted(text: str) -> None:
    """Bytes are read in either alphabet of base64, as in proto3 JSON."""
    assert _taken(metadata=[{"key": "k", "value": text}]).metadata[0].value == b"\xfb\xff"


@pytest.mark.parametrize("gender", ["GENDER_NONE", 4, -1, "1", 10**30])
def test_unknown_gender_is_refused(gender: Any) -> None:
    """Only known names and numbers are accepted."""
    assert list(_fields(profile={**WHOLE["profile"], "gender": gender})) == ["profile.gender"]


HUGE = "9" * 400
"""More than a double can hold."""


@pytest.mark.parametrize(
    "value",
    ["1e999", "-1e999", HUGE, f"-{HUGE}", f"{HUGE}.5", f"[{HUGE}]", '{"b": [1e999]}'],
    ids=lambda text: text[:9],
)
@pytest.mark.parametrize("name", ["VerifyU2FRegistration", "VerifyPasskeyRegistration"])
def test_number_too_large_for_a_double_is_refused(name: str, value: str) -> None:
    """JSON permits any number of digits, but the numbers of a Struct are doubles (RX-12)."""
    text = f'{{"publicKeyCredential": {{"id": "{"x" * 60}", "a": {value}}}}}'
    with pytest.raises(ServiceError) as refused:
        JsonRequest(text.encode()).fill(METHODS[f"portico.user.v2.UserService.{name}"].request())

    assert ("publicKeyCredential", "This number is out of range.") in [
        (one.field, one.translated()) for one in refused.value.violations
    ]


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_number_that_json_does_not_have_is_refused(number: float) -> None:
    """A Struct in a binary message can have infinity and NaN (RX-12)."""
    request = VerifyU2FRegistrationRequest(user_id="u", u2f_id="k", token_name="key")
    request.public_key_credential.update({"id": "x" * 60, "a": [number]})
    with pytest.raises(ServiceError) as refused:
        BinaryRequest(request.SerializeToString()).fill(VerifyU2FRegistrationRequest())

    assert [(one.field, one.translated()) for one in refused.value.violations] == [
        ("publicKeyCredential", "This number is out of range.")
    ]


@pytest.mark.parametrize("number", ["1e999", "-1e999", HUGE, "1.5", "4294967296", f'"{HUGE}"', '"1e3"', '"NaN"'])
def test_number_that_an_integer_field_cannot_hold_is_refused(number: str) -> None:
    """Whatever its notation, it is an error of the field."""
    with pytest.raises(ServiceError) as refused:
        JsonRequest(f'{{"count": {number}}}'.encode()).fill(GenerateRecoveryCodesRequest())

    assert "count" in [one.field for one in refused.value.violations]


@pytest.mark.parametrize("time", ["1e999", HUGE, '"10000-01-01T00:00:00Z"', f'"{HUGE}"', '"NaN"', "{}"])
def test_time_that_a_timestamp_cannot_hold_is_refused(time: str) -> None:
    """Only RFC 3339, from the year 1 to the year 9999."""
    with pytest.raises(ServiceError) as refused:
        JsonRequest(f'{{"since": {time}}}'.encode()).fill(ListEventsRequest())

    assert [one.field for one in refused.value.violations] == ["since"]


def test_lone_surrogate_is_refused_with_its_path() -> None:
    """The check covers strings, enums, bytes, names, unknown members and lists; a proper pair is one character
    (MG-15).
    """
    person = '"profile": {"firstName": "Ada", "lastName": "Byron"}, "email": {"email": "a@mail.example"}'
    cases = {
        r'"username": "a\ud800"': "username",
        r'"profile": {"firstName": "\udc00", "lastName": "Byron"}': "profile.firstName",
        r'"profile": {"firstName": "Ada", "lastName": "B", "gender": "\uD800"}': "profile.gender",
        r'"metadata": [{"key": "k", "value": "YQ=="}, {"key": "k", "value": "\ud83e\ud83e"}]': "metadata[1].value",
        r'"\ud800": 1': "?",
        r'"profile": {"\udd8a\ud83e": 1}': "profile.??",
        r'"unknown": {"a": ["b", "\udbff"]}': "unknown.a[1]",
    }
    found = {
        text: [(one.field, one.translated()) for one in _error_of(b"{%s}" % text.encode()).violations] for text in cases
    }
    pair: Any = ADD.request()
    JsonRequest(rb'{"username": "fox \ud83e\udd8a", %s}' % person.encode()).fill(pair)

    assert found == {
        text: [(place, "This contains characters that are not valid text.")] for text, place in cases.items()
    }
    assert pair.username == "fox \N{FOX FACE}"


@pytest.mark.parametrize("data", [b"\x0a\xff", b"\x0a\x02\xff\xfe", b"\xff" * 100])
def test_malformed_binary_message_is_refused(data: bytes) -> None:
    """Broken framing and strings that are not UTF-8 have code 3 and are never an internal error (RX-12)."""
    with pytest.raises(ServiceError) as caught:
        BinaryRequest(data).fill(ADD.request())

    assert caught.value.id == "USER-304"
