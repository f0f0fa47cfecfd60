from __future__ import annotations

import base64

import pytest
from portico_harness.rows import row
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.opaque import b64url
from portico_oauth.parameters import Parameters
from portico_token.client_auth.credentials import (
    ASSERTION_TYPE,
    BasicSecret,
    ClientAssertion,
    Credentials,
    IdOnly,
    PostSecret,
    Presented,
    WorkloadToken,
    find_credentials,
)

ASSERTED = {"client_assertion_type": ASSERTION_TYPE}
OF_W = b'{"iss":"w"}'


def basic(raw: bytes) -> list[str]:
    return ["Basic " + base64.b64encode(raw).decode()]


def find(authorization: list[str], form: dict[str, str]) -> Credentials | WorkloadToken:
    return find_credentials(Presented(authorization, Parameters(form.items())))


def test_control_characters_are_refused() -> None:
    """Control characters are refused both plain and encoded (TK-17)."""
    for raw in (b"web:a\x00b", b"web:a%00b", b"web:a%0Ab", b"w\x07b:s", b"web:a\x7f"):
        with row(raw):
            with pytest.raises(ServiceError) as refused:
                find(basic(raw), {})

            assert refused.value.id == "TOKEN-014"


def test_non_canonical_base64_is_refused() -> None:
    """Each value has one spelling: nothing is skipped or padded (TK-17)."""
    for encoded in ("d2Vi*OnM=", "d2ViOnM", "d2ViOnM= x", "dd"):
        with row(encoded):
            with pytest.raises(ServiceError) as refused:
                find(["Basic " + encoded], {})

            assert refused.value.kind is Kind.INVALID_CLIENT


def test_each_mechanism_is_detected() -> None:
    assert find(basic(b"web:secret"), {}) == BasicSecret("web", ("secret",))
    assert find(basic(b"w%3Ab:s+e%2Bc:ret"), {}) == BasicSecret("w:b", ("s e+c:ret", "s+e%2Bc:ret"))
    assert find(basic(b"web:%ff"), {}) == BasicSecret("web", ("%ff",))
    assert find(basic(b"web:"), {}) == IdOnly("web")
    assert find([], {"client_id": "w", "client_secret": "s"}) == PostSecret("w", ("s",))
    assert find([], {"client_id": "w"}) == IdOnly("w")
    assert find([], {**ASSERTED, "client_assertion": "a"}) == ClientAssertion("", "a")


def test_assertion_names_its_client() -> None:
    """Its issuer names the client, and client_id in the body is optional (RFC 7521 §4.2)."""
    text = f"e30.{b64url(OF_W)}.e30"
    found = [find([], {**ASSERTED, "client_assertion": text, **more}) for more in ({}, {"client_id": "w"})]

    assert found == [ClientAssertion("w", text)] * 2


def test_assertion_without_an_issuer_names_no_client() -> None:
    for claims in (b"{}", b'{"iss":7}', b'{"iss":["w"]}', b"[]", b"{", b'{"iss":"a","iss":"w"}'):
        with row(claims):
            text = f"e30.{b64url(claims)}.e30"

            assert find([], {**ASSERTED, "client_id": "w", "client_assertion": text}) == ClientAssertion("", text)


@pytest.mark.parametrize(
    ("form", "error_code"),
    [({"client_assertion_type": "other", "client_assertion": "a"}, "TOKEN-106"), ({"client_id": "x"}, "TOKEN-105")],
)
def test_assertion_of_another_type_or_client_is_refused(form: dict[str, str], error_code: str) -> None:
    """Only the one supported type, and only the client that the body names, are accepted (TK-14)."""
    text = f"e30.{b64url(OF_W)}.e30"
    with pytest.raises(ServiceError) as refused:
        find([], {**ASSERTED, "client_assertion": text, **form})

    assert (refused.value.id, refused.value.kind) == (error_code, Kind.INVALID_REQUEST)


def test_repr_of_credentials_contains_no_secret() -> None:
    found = [
        find(basic(b"web:hush"), {}),
        find([], {"client_id": "w", "client_secret": "hush"}),
        find([], {**ASSERTED, "client_assertion": "hush"}),
    ]

    assert "hush" not in repr([*found, Presented(basic(b"web:hush"), Parameters([("client_secret", "hush")]))])
