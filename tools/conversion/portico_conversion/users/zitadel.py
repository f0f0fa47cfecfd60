"""ZITADEL: ``POST /admin/v1/export`` with ``withPasswords`` (its message ExportDataResponse as JSON).

Metadata and links to identity providers are separate lists after the users, so a file is read twice.
https://zitadel.com/docs/guides/migrate/sources/zitadel
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from portico_conversion.findings import Findings, Place, SourceError
from portico_conversion.reading.json_stream import JsonStream
from portico_conversion.reading.records import MEMBER, NO_PEOPLE, Record, read_name, read_record
from portico_conversion.reading.text_files import READ_ERRORS, opened
from portico_conversion.users import credentials
from portico_conversion.users.converted_user import ConvertedUser, Link
from portico_conversion.users.options import Options

SORTED: Final = "The users of this organization come before its orgId: use the export as ZITADEL writes it."
TOTP: Final = "an authenticator app with an unsupported secret"
STATE: Final = "the export has no states: deactivated and locked users become active"

NO_EXPORT: Final = "The file has no orgs: it is not a ZITADEL export."
TERRAFORM: Final = (
    "This is Terraform, which has no client ids and secrets: use an export of ZITADEL's API (moving-from-zitadel.md)."
)

_LOOKED_AT: Final = 64 * 1024
_TERRAFORM: Final = re.compile(
    r"^\s*(?:terraform\s*\{|(?:provider|resource|data|variable|module|output)\s+\"[^\"]+\"|locals\s*\{)|\"terraform_version\"\s*:",
    re.MULTILINE,
)
_WRAPPERS: Final = ("dataOrgs", "data_orgs")
"""Members of a file for ``POST /admin/v1/import`` that contain an export."""

_OF_IMPORTS: Final = ("timeout",)
_UNDEFINED: Final = "und"
_READ_BEFORE: Final = ("userMetadata", "userLinks")


class _Profile(Record, frozen=True):
    first_name: str = ""
    last_name: str = ""
    nick_name: str = ""
    display_name: str = ""
    preferred_language: str = ""
    gender: str = ""


class _Email(Record, frozen=True):
    email: str = ""
    is_email_verified: bool = False


class _Phone(Record, frozen=True):
    phone: str = ""
    is_phone_verified: bool = False


class _Password(Record, frozen=True):
    value: str = ""
    algorithm: str = ""


class _ZitadelUser(Record, frozen=True):
    user_name: str = ""
    profile: _Profile = _Profile()
    email: _Email = _Email()
    phone: _Phone = _Phone()
    password: str = ""
    hashed_password: _Password = _Password()
    password_change_required: bool = False
    otp_code: str = ""


class _User(Record, frozen=True):
    user_id: str
    user: _ZitadelUser

    @property
    def title(self) -> str:
        return self.user.user_name or self.user_id


class _Metadata(Record, frozen=True):
    id: str
    key: str
    value: str = ""


class _Link(Record, frozen=True):
    usual = frozenset({"idpName", "idpType"})

    user_id: str
    idp_id: str
    provided_user_id: str = ""
    provided_user_name: str = ""


class _Behind(NamedTuple):
    metadata: dict[str, dict[str, bytes]]
    links: dict[str, list[Link]]


def read_persons(files: Sequence[Path], options: Options, findings: Findings) -> Iterator[ConvertedUser]:
    """Raises `SourceError` for a file that is not an export."""
    findings.counted(STATE)
    for path in files:
        behind = _Behind(defaultdict(dict), defaultdict(list))
        if not has_export(path):
            raise SourceError(Place(path.name, 1), NO_EXPORT)
        with opened(path) as text:
            stream = JsonStream(text, path.name)
            for name in _members_of_orgs(stream, findings.silent()):
                _read_behind(stream, name, behind, findings)
            stream.end()
        with opened(path) as text:
            yield from _persons(JsonStream(text, path.name), behind, options, findings)


def each_org(stream: JsonStream, findings: Findings) -> Iterator[None]:
    """Yields once per organization, which must be read or skipped; in a file for an import they are in a member."""
    for name in stream.members():
        place = stream.place
        if name in _WRAPPERS and stream.peek() == "{":
            yield from each_org(stream, findings)
        elif name == "orgs":
            yield from stream.items()
        else:
            stream.skip()
            if name not in _OF_IMPORTS:
                findings.not_moved(place, "", MEMBER, name)


def has_export(path: Path) -> bool:
    """Returns whether the file has organizations; raises `SourceError` for Terraform."""
    with opened(path) as text:
        try:
            start = text.read(_LOOKED_AT)
        except READ_ERRORS:
            start = ""  # the stream reports them with their line
    if _TERRAFORM.search(start):
        raise SourceError(Place(path.name, 1), TERRAFORM)
    with opened(path) as text:
        return _is_export(JsonStream(text, path.name))


def _is_export(stream: JsonStream) -> bool:
    if stream.peek() != "{":
        stream.skip()
        return False
    for name in stream.members():
        if name == "orgs":
            return True
        if name not in _WRAPPERS:
            stream.skip()
        elif _is_export(stream):
            return True
    return False


def _members_of_orgs(stream: JsonStream, findings: Findings) -> Iterator[str]:
    """Yields the member names of all organizations, each after an empty one; other values must be read or skipped."""
    for _ in each_org(stream, findings):
        yield ""
        yield from stream.members()


def _read_behind(stream: JsonStream, name: str, behind: _Behind, findings: Findings) -> None:
    if name not in _READ_BEFORE:
        if name:
            stream.skip()
        return
    for _ in stream.items():
        place = stream.place
        value = stream.value()
        if name == "userLinks":
            if link := read_record(value, _Link, place, findings):
                behind.links[link.user_id].append(Link(link.idp_id, link.provided_user_id, link.provided_user_name))
        elif metadata := read_record(value, _Metadata, place, findings):
            behind.metadata[metadata.id][metadata.key] = _bytes(metadata.value)


def _persons(stream: JsonStream, behind: _Behind, options: Options, findings: Findings) -> Iterator[ConvertedUser]:
    org_id = ""
    for name in _members_of_orgs(stream, findings):
        place = stream.place
        if not name:
            org_id = ""
        elif name == "orgId":
            org_id = read_name(stream.value(), name, place, findings)
        elif name == "humanUsers":
            if not org_id:
                raise SourceError(place, SORTED)
            for _ in stream.items():
                where = stream.place
                if person := _user(where, stream.value(), behind, findings):
                    person.org_id = options.org_id or org_id
                    yield person
        elif name in _READ_BEFORE:
            stream.skip()
        else:
            stream.skip()
            findings.counted(NO_PEOPLE, name)


def _user(place: Place, value: Any, behind: _Behind, findings: Findings) -> ConvertedUser | None:
    found = read_record(value, _User, place, findings)
    if found is None:
        return None
    user, profile = found.user, found.user.profile
    name = found.title
    person = ConvertedUser(
        place=place,
        id=found.user_id,
        user_name=user.user_name,
        email=user.email.email,
        email_verified=user.email.is_email_verified,
        first_name=profile.first_name,
        last_name=profile.last_name,
        full_name=profile.display_name,
        nick_name=profile.nick_name,
        language="" if profile.preferred_language == _UNDEFINED else profile.preferred_language,
        gender="" if profile.gender == "GENDER_UNSPECIFIED" else profile.gender,
        phone=user.phone.phone,
        phone_verified=user.phone.is_phone_verified,
        password="" if user.hashed_password.value else user.password,
        hash=user.hashed_password.value,
        change_required=user.password_change_required,
        metadata=behind.metadata.get(found.user_id, {}),
        links=behind.links.get(found.user_id, []),
    )
    if user.otp_code:
        try:
            person.totp_secret = credentials.totp_secret(credentials.from_base32(user.otp_code))
        except ValueError:
            findings.not_moved(place, name, TOTP)
    return person


def _bytes(value: str) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return value.encode()
