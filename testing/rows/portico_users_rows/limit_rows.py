"""The limits of the specification's three operations: a row for each field, with values of any length (MG-14, MG-15)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from portico_fakes.management_api import ApiResponse

_USER: Final = "portico.user.v2.UserService"
ADD: Final = f"{_USER}.AddHumanUser"
VERIFY: Final = f"{_USER}.VerifyU2FRegistration"
UPDATE: Final = "portico.management.v1.IDPService.UpdateOrgIDPJWTConfig"

INVALID_FIELDS: Final = "USER-303"
_STEP: Final = re.compile(r"(\w+)(\[0\])?")


class Subject(NamedTuple):
    """The subject of calls.

    Args:
        letter: one code point outside the BMP, unique to the subject, from which its values are built.
        idp_id: a JWT identity provider of the caller's organization.
        user_id: a user who registers a key.
    """

    letter: str
    idp_id: str
    user_id: str


class LimitRow(NamedTuple):
    """A field.

    Attributes:
        most: maximum number of characters; `least` is the minimum.
        make: builds a value with so many characters.
        is_right: no other rule refuses a value of so many characters.
        around: further request members that this field needs.
        lengths: lengths to try; by default the limits and their neighbours.
        accepted_code: response code for an accepted value.
    """

    operation: str
    field: str
    most: int = 200
    least: int = 1
    make: Callable[[Subject, int], Any] = lambda subject, length: subject.letter * length
    is_right: Callable[[int], bool] = bool
    around: Callable[[Subject], dict[str, Any]] = lambda _subject: {}
    lengths: tuple[int, ...] = ()
    accepted_code: int = 0

    @property
    def tried(self) -> tuple[int, ...]:
        return self.lengths or (0, 1, self.most, self.most + 1)

    def members(self, subject: Subject, length: int) -> dict[str, Any]:
        members = _BASES[self.operation](subject) | self.around(subject)
        _put(members, _STEP.findall(self.field), self.make(subject, length))
        return members

    def is_as_it_should_be(self, response: ApiResponse, length: int) -> bool:
        """Above the limit the error has the field; within it, only another rule may refuse the value."""
        if not self.least <= length <= self.most:
            return (response.code, response.error_code, response.fields) == (3, INVALID_FIELDS, [self.field])
        return (
            response.code == self.accepted_code
            if self.is_right(length)
            else response.error_code not in {"", INVALID_FIELDS}
        )


def _put(members: dict[str, Any], way: list[tuple[str, str]], value: Any) -> None:
    (name, is_list), *rest = way
    if not rest:
        members[name] = value
        return
    inner = members.setdefault(name, [{}] if is_list else {})
    _put(inner[0] if is_list else inner, rest, value)


def _human(subject: Subject) -> dict[str, Any]:
    name = f"limits-{ord(subject.letter):x}"
    return {
        "username": f"{subject.letter}-{name}",
        "profile": {"firstName": "Ada", "lastName": "Byron"},
        "email": {"email": f"{name}@mail.example", "isVerified": True},
    }


def _key(subject: Subject) -> dict[str, Any]:
    return {
        "userId": subject.user_id,
        "u2fId": "nobody",
        "publicKeyCredential": {"id": "x" * 60},
        "tokenName": "key",
    }


def _config(subject: Subject) -> dict[str, Any]:
    address = f"https://{ord(subject.letter):x}.example"
    return {"idpId": subject.idp_id, "jwtEndpoint": address, "issuer": address, "keysEndpoint": address}


_BASES: Final = {ADD: _human, VERIFY: _key, UPDATE: _config}


def _is_long(length: int) -> bool:
    return length >= 200


def _never(_length: int) -> bool:
    return False


def _padded(start: str, end: str = "") -> Callable[[Subject, int], str]:
    def make(subject: Subject, length: int) -> str:
        room = length - len(start) - len(end)
        return f"{start}{subject.letter * room}{end}" if room >= 0 else subject.letter * length

    return make


def _address(start: str) -> Callable[[Subject, int], str]:
    return lambda _subject, length: (start + "x" * length)[:length] if length >= len(start) else "x" * length


def _language(_subject: Subject, length: int) -> str:
    return "zh-Hant-TWN"[:length]


def _hash(_subject: Subject, length: int) -> str:
    start = "$argon2id$v=19$m=8192,t=1,p=1$" + "c" * 64 + "$"
    return start + "x" * (length - len(start)) if length > len(start) else "x" * length


def _base64(_subject: Subject, length: int) -> str:
    return "A" * length


def _credential(_subject: Subject, length: int) -> dict[str, str]:
    room = length - len(json.dumps({"id": ""}, separators=(",", ":")))
    return {"id": "x" * room} if room > 0 else {}


def _linked(subject: Subject) -> dict[str, Any]:
    return {"idpLinks": [{"idpId": subject.idp_id, "userId": f"{subject.letter}0", "userName": "Ada there"}]}


def _keyed(_subject: Subject) -> dict[str, Any]:
    return {"metadata": [{"key": "key", "value": "AA=="}]}


def _mailed(subject: Subject) -> dict[str, Any]:
    return {"email": {"email": f"limits-{ord(subject.letter):x}@mail.example", "sendCode": {}}}


_VALUE: Final = 500_000
_CREDENTIAL: Final = 1_048_576

LIMIT_ROWS: Final = (
    LimitRow(ADD, "userId"),
    LimitRow(ADD, "username"),
    LimitRow(ADD, "profile.firstName"),
    LimitRow(ADD, "profile.lastName"),
    LimitRow(ADD, "profile.nickName", least=0, is_right=lambda _length: True),
    LimitRow(ADD, "profile.displayName", least=0, is_right=lambda _length: True),
    LimitRow(ADD, "profile.preferredLanguage", 10, least=0, make=_language, is_right=lambda _length: True),
    LimitRow(ADD, "email.email", make=_padded("", "@mail.example"), is_right=_is_long),
    LimitRow(ADD, "email.sendCode.urlTemplate", make=_address("https://x.example/"), is_right=_is_long, around=_mailed),
    LimitRow(ADD, "password.password", is_right=_is_long),
    LimitRow(ADD, "hashedPassword.hash", make=_hash, is_right=_is_long),
    LimitRow(ADD, "idpLinks[0].idpId", is_right=_never, around=_linked),
    LimitRow(ADD, "idpLinks[0].userId", around=_linked),
    LimitRow(ADD, "idpLinks[0].userName", around=_linked),
    LimitRow(ADD, "metadata[0].key", around=_keyed),
    LimitRow(ADD, "metadata[0].value", _VALUE, make=_base64, around=_keyed, lengths=(0, 4, _VALUE, _VALUE + 4)),
    LimitRow(VERIFY, "tokenName", accepted_code=5),
    LimitRow(
        VERIFY,
        "publicKeyCredential",
        _CREDENTIAL,
        55,
        make=_credential,
        lengths=(2, 54, 55, _CREDENTIAL, _CREDENTIAL + 1),
        accepted_code=5,
    ),
    LimitRow(UPDATE, "jwtEndpoint", make=_address("https://a.example/"), is_right=_is_long),
    LimitRow(UPDATE, "issuer"),
    LimitRow(UPDATE, "keysEndpoint", make=_address("https://a.example/"), is_right=_is_long),
    LimitRow(UPDATE, "headerName", least=0, make=lambda _subject, length: "x" * length, is_right=lambda _length: True),
)
"""Base64 grows by four characters; a credential's size is that of its compact JSON, and {} is two. The
credential of a registration that does not exist is not read; `services/users/tests/management/test_u2f.py`
tests credentials of the maximum length and of 55 characters. Header names are ASCII.
"""


def tried_lengths() -> Iterator[tuple[LimitRow, int]]:
    return ((row, length) for row in LIMIT_ROWS for length in row.tried)
