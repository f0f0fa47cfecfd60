from __future__ import annotations

import json
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from portico_oauth.errors import ServiceError
from portico_users.user_import import row_format
from portico_users.user_import.row_format import RowBody, read_row_body

Read = RowBody | tuple[str, tuple[Any, ...]]

TEXTS = st.text(max_size=6) | st.sampled_from(["a" * 200, "a" * 201, "é" * 200, "\x00", '"', "\\", "😀", "GENDER_MALE"])
BASE64 = st.sampled_from(["Yg==", "Yg", "Yh==", "_-8=", "+/8=", "!", "", "=", "Y g=", "YQ=a"])
ANY: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers(-1, 4) | TEXTS | BASE64 | st.just([]) | st.just({})
)


def objects(**members: Any) -> st.SearchStrategy[Any]:
    """Objects with any of the members, in any order; a second list of members gives some of them twice."""
    usual = {name: strategy | ANY for name, strategy in members.items()}
    pair = st.sampled_from(sorted(usual)).flatmap(lambda name: st.tuples(st.just(name), usual[name]))
    return st.lists(pair, max_size=6).map(_Members)


class _Members(list[Any]):
    """Members of an object in their order, as JSON may repeat them."""


PROFILES = objects(
    firstName=TEXTS, givenName=TEXTS, lastName=TEXTS, first_name=TEXTS, gender=st.sampled_from(["GENDER_FEMALE", 1])
)
EMAILS = objects(
    email=TEXTS, isVerified=st.booleans(), sendCode=objects(urlTemplate=TEXTS), returnCode=st.just(_Members())
)
PHONES = objects(phone=TEXTS, isVerified=st.booleans(), sendCode=st.just(_Members()), returnCode=st.just(_Members()))
VALID = {"profile": {"firstName": "Ada"}, "email": {"email": "ada@mail.example"}}
ROWS = objects(
    profile=PROFILES | st.just(VALID["profile"]),
    email=EMAILS | st.just(VALID["email"]),
    userId=TEXTS,
    username=TEXTS,
    organisation=objects(orgId=TEXTS),
    organization=objects(orgId=TEXTS),
    metadata=st.lists(objects(key=TEXTS, value=BASE64), max_size=2),
    password=objects(password=TEXTS, changeRequired=st.booleans()),
    hashedPassword=objects(hash=TEXTS),
    idpLinks=st.lists(objects(idpId=TEXTS, userId=TEXTS, userName=TEXTS), max_size=1),
    phone=PHONES,
    attributes=objects(website=TEXTS, address=objects(country=TEXTS)),
    groups=st.lists(TEXTS, max_size=2),
    totpSecret=TEXTS,
    unknown=ANY,
)


def text_of(value: Any, *, is_ascii: bool) -> str:
    if isinstance(value, _Members):
        members = (f"{json.dumps(name)}: {text_of(one, is_ascii=is_ascii)}" for name, one in value)
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(text_of(one, is_ascii=is_ascii) for one in value) + "]"
    return json.dumps(value, ensure_ascii=is_ascii)


def outcome(read: Any, text: str) -> Read:
    try:
        body: RowBody = read(text)
    except ServiceError as error:
        return error.id, error.violations
    return body


def read_fully(text: str) -> RowBody:
    return row_format._read_any(text.encode())


@given(ROWS, st.booleans(), st.booleans())
@settings(max_examples=500, deadline=None)
@example(row=_Members([*VALID.items(), ("username", "a"), ("username", "a")]), is_complete=False, is_ascii=True)
@example(row=_Members([*VALID.items(), ("username", '"'), ("username", "a")]), is_complete=False, is_ascii=True)
@example(
    row=_Members([*VALID.items(), ("metadata", [{"key": "a", "value": "Yh=="}])]), is_complete=False, is_ascii=True
)
def test_quick_reading_equals_full_reading(row: Any, is_complete: bool, is_ascii: bool) -> None:
    """Whether a row is read at once or member by member, it is accepted with the same values, or has the same errors."""
    members = row if not is_complete else _Members([*VALID.items(), *(one for one in row if one[0] not in VALID)])
    text = text_of(members, is_ascii=is_ascii)

    assert outcome(read_row_body, text) == outcome(read_fully, text)


CHOICES = (
    '{"password": {"password": "a"}, "hashedPassword": {"hash": "b"}',
    '{"phone": {"phone": "1", "sendCode": {}, "isVerified": true}',
    '{"username": "a", "username": "a"',
    r'{"username": "\u0022", "username": "a"',
    r'{"username": "a\u0000"',
    r'{"username": "\ud800"',
    '{"username": "a", "organization": {}, "organisation": {"orgId": "a"}',
)


def test_quick_reading_refuses_what_full_reading_refuses() -> None:
    """Two choices of one, a name given twice in one object, NUL and half a surrogate pair."""
    rest = f", {json.dumps(VALID)[1:]}"

    assert [text for text in CHOICES if isinstance(outcome(read_row_body, text + rest), RowBody)] == []


def test_usual_row_is_read_at_once() -> None:
    """A valid row needs no second reading, with accents, line breaks, empty lists and metadata too."""
    row = VALID | {
        "username": "Zoë\n",
        "metadata": [{"key": "a", "value": "Yg=="}],
        "groups": [],
        "phone": {"phone": "+41791234567", "isVerified": True},
        "hashedPassword": {"hash": "$2b$12$" + "a" * 53},
    }

    assert row_format._read_usual(json.dumps(row).encode()) == read_fully(json.dumps(row))
