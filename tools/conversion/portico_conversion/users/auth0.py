"""Auth0: an export of users (``POST /api/v2/jobs/users-exports``) and one of password hashes, both in JSON lines.

https://auth0.com/docs/manage-users/user-migration/bulk-user-exports, and for the hashes
https://support.auth0.com/center/s/article/How-to-Use-the-Password-Hashes-Export-from-Auth0
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from portico_oauth.surrogates import find_lone_surrogate

from portico_conversion.findings import Findings, Place, SourceError
from portico_conversion.placeholders import marked
from portico_conversion.reading.json_stream import LONGEST
from portico_conversion.reading.records import Record, read_plain, read_record, report_others
from portico_conversion.reading.text_files import READ_ERRORS, describe, opened
from portico_conversion.users.converted_user import DISABLED, ConvertedUser, Link
from portico_conversion.users.options import Options

NO_USER: Final = "a password hash of a user who is not in the export"
SECOND_FACTORS: Final = "second factors"
METADATA: Final = "a value of user_metadata: app_metadata has another one with this key"

_DATABASE: Final = "auth0"
_OF_NEARLY_ALL: Final = frozenset(
    {
        "created_at",
        "updated_at",
        "last_login",
        "last_ip",
        "logins_count",
        "last_password_reset",
        "multifactor_last_modified",
    }
)


_OF_HASHES: Final = frozenset(
    {"email", "email_verified", "password_set_date", "tenant", "connection", "_tmp_is_unique", "identifiers"}
)


class _Id(Record, frozen=True):
    oid: str = msgspec.field(name="$oid")


class _Hash(Record, frozen=True):
    usual = _OF_HASHES

    id: _Id = msgspec.field(name="_id")
    password_hash: str = msgspec.field(name="passwordHash")
    alt_id: str = msgspec.field(default="", name="alt_id")


class _Identity(Record, frozen=True, rename=None):
    provider: str = ""
    user_id: str | int = ""
    connection: str = ""

    usual = frozenset({"isSocial"})


class _User(Record, frozen=True, rename=None):
    user_id: str
    email: str = ""
    email_verified: bool = False
    username: str = ""
    name: str = ""
    given_name: str = ""
    family_name: str = ""
    nickname: str = ""
    picture: str = ""
    phone_number: str = ""
    phone_verified: bool = False
    blocked: bool = False
    user_metadata: dict[str, Any] = {}
    app_metadata: dict[str, Any] = {}
    identities: list[_Identity] = []
    multifactor: list[str] = []

    usual = _OF_NEARLY_ALL

    @property
    def title(self) -> str:
        return self.username or self.email or self.user_id

    @property
    def omitted(self) -> str:
        return DISABLED if self.blocked else ""


def read_persons(files: Sequence[Path], _options: Options, findings: Findings) -> Iterator[ConvertedUser]:
    """Merges user exports and hash files, in any order of files."""
    hashes, users = dict[str, str](), list[Path]()
    for path in files:
        if _has_hashes(path):
            hashes |= _hashes_of(path, findings)
        else:
            users.append(path)
    for path in users:
        for place, value in _objects(path):
            if person := _user(place, value, hashes, findings):
                yield person
    for id in hashes:
        findings.not_moved("hashes", id, NO_USER)


def _objects(path: Path) -> Iterator[tuple[Place, Any]]:
    with opened(path) as file:
        number = 0
        try:
            while line := file.readline(LONGEST):
                number += 1
                if line.strip():
                    yield Place(path.name, number), _object(Place(path.name, number), line)
        except READ_ERRORS as error:
            raise SourceError(Place(path.name, number + 1), describe(error)) from None


def _object(place: Place, line: str) -> Any:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise SourceError(place, "This line is not JSON. An Auth0 export has one object per line.") from None
    if find_lone_surrogate(line, value) is not None:
        raise SourceError(place, "This line contains an unpaired surrogate, which is not valid text.")
    if not isinstance(value, dict):
        raise SourceError(
            place, "This line is not an object. An Auth0 export has one object per line, without an array around them."
        )
    return marked(value, line, place.line)


def _has_hashes(path: Path) -> bool:
    for place, value in _objects(path):
        if "passwordHash" in value or "_id" in value:
            return True
        if "user_id" in value:
            return False
        raise SourceError(
            place, "This object has neither user_id nor passwordHash. Export the fields listed in the guide."
        )
    return False


def _hashes_of(path: Path, findings: Findings) -> dict[str, str]:
    found = {}
    for place, value in _objects(path):
        try:
            row = msgspec.convert(read_plain(value, "", place, findings), _Hash)
        except msgspec.ValidationError as error:
            raise SourceError(place, f"This is not a row of a password hash export: {error}.") from None
        report_others(value, _Hash, (place, "hashes"), findings)
        found[f"{_DATABASE}|{row.alt_id or row.id.oid}"] = row.password_hash
    return found


def _user(place: Place, value: Any, hashes: dict[str, str], findings: Findings) -> ConvertedUser | None:
    id = value.get("user_id")
    hash = hashes.pop(id, "") if isinstance(id, str) else ""
    user = read_record(value, _User, place, findings)
    if user is None:
        return None
    name = user.title
    if user.multifactor:
        findings.not_moved(place, name, SECOND_FACTORS, ", ".join(user.multifactor))
    for key in sorted(user.user_metadata.keys() & user.app_metadata.keys()):
        if user.user_metadata[key] != user.app_metadata[key]:
            findings.not_moved(place, name, METADATA, key)
    return ConvertedUser(
        place=place,
        id=user.user_id,
        user_name=user.username,
        email=user.email,
        email_verified=user.email_verified,
        first_name=user.given_name,
        last_name=user.family_name,
        # Auth0 writes the address where it has no name.
        full_name="" if user.name == user.email else user.name,
        nick_name=user.nickname,
        phone=user.phone_number,
        phone_verified=user.phone_verified,
        picture=user.picture,
        hash=hash,
        metadata=_metadata(user),
        links=[_link(one, user.email) for one in user.identities if one.provider and one.provider != _DATABASE],
    )


def _link(identity: _Identity, email: str) -> Link:
    """Connections of enterprises put their name before the id that the provider gives: ``partner-a|17``."""
    id = str(identity.user_id).removeprefix(f"{identity.connection}|")
    return Link(identity.connection or identity.provider, id, email, kind=identity.provider)


def _metadata(user: _User) -> Mapping[str, Any]:
    """That of the application takes precedence, which users cannot change at Auth0 either."""
    return user.user_metadata | user.app_metadata
