from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from portico_contracts.phone_numbers import dialled

from portico_conversion.findings import Findings, Place, SourceError, shown

NO_EMAIL: Final = "no email address, which every user must have"
DISABLED: Final = "disabled at the source: an import creates only active users"
LINK: Final = "an identity provider without --idp"
EMPTY_METADATA: Final = "metadata with an empty key or value"
ONE_NAME: Final = "one name, which becomes the first name"


class Link(NamedTuple):
    """`provider` is its name at the source; `kind` is another name, which several providers may share."""

    provider: str
    user_id: str
    user_name: str
    kind: str = ""


@dataclass(slots=True)
class Providers:
    """Our ids of identity providers, by the name or the kind at the source."""

    ids: Mapping[str, str] = field(default_factory=dict)
    _only: dict[str, str] = field(default_factory=dict)

    def id_of(self, link: Link, place: Place) -> str | None:
        """Raises `SourceError` if one id is for two providers: their users can have the same id there."""
        found = self.ids.get(link.provider)
        if found is None and (found := self.ids.get(link.kind)):
            first = self._only.setdefault(link.kind, link.provider)
            if first != link.provider:
                raise SourceError(
                    place,
                    f"{shown(first)} and {shown(link.provider)} are both of the kind {link.kind}. Set --idp for each of them.",
                )
        return found


@dataclass(slots=True)
class ConvertedUser:
    """A user of any source; the id is retained. `metadata`: strings and bytes unchanged, everything else as JSON."""

    place: Place
    id: str
    user_name: str = ""
    email: str = ""
    email_verified: bool = False
    first_name: str = ""
    last_name: str = ""
    full_name: str = ""
    nick_name: str = ""
    language: str = ""
    gender: str = ""
    phone: str = ""
    phone_verified: bool = False
    picture: str = ""
    password: str = field(default="", repr=False)
    hash: str = field(default="", repr=False)
    change_required: bool = False
    totp_secret: str = field(default="", repr=False)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    links: Sequence[Link] = ()
    org_id: str = ""

    @property
    def name(self) -> str:
        return self.user_name or self.email or self.id


def row_of(person: ConvertedUser, providers: Providers, findings: Findings) -> dict[str, Any] | None:
    """Returns None, and reports it, for a user that cannot be converted."""
    if not person.email:
        findings.left_out(person.place, person.name, NO_EMAIL)
        return None
    optional = {
        "userId": person.id,
        "username": person.user_name,
        "organisation": {"orgId": person.org_id} if person.org_id else None,
        "phone": {"phone": dialled(person.phone), "isVerified": person.phone_verified} if person.phone else None,
        "attributes": {"picture": person.picture} if person.picture else None,
        "totpSecret": person.totp_secret,
        "metadata": _metadata(person, findings),
        "idpLinks": _links(person, providers, findings),
    }
    findings.converted()
    return {
        **{name: value for name, value in optional.items() if value},
        "profile": _profile(person, findings),
        "email": {"email": person.email, "isVerified": person.email_verified},
        **_password(person),
    }


def _password(person: ConvertedUser) -> dict[str, Any]:
    change = {"changeRequired": True} if person.change_required else {}
    if person.hash:
        return {"hashedPassword": {"hash": person.hash, **change}}
    return {"password": {"password": person.password, **change}} if person.password else {}


def _profile(person: ConvertedUser, findings: Findings) -> dict[str, str]:
    first, last, full = (one.strip() for one in (person.first_name, person.last_name, person.full_name))
    full = full or " ".join(filter(None, (first, last))) or person.name.partition("@")[0]
    if not (first or last):
        first, _, last = full.rpartition(" ")
    first, last = (first.strip(), last) if first else (last, "")
    if not last:
        findings.counted(ONE_NAME)
    optional = {
        "lastName": last,
        "displayName": full if full != f"{first} {last}".strip() else "",
        "nickName": person.nick_name,
        "preferredLanguage": person.language,
        "gender": person.gender,
    }
    return {"firstName": first, **{name: value for name, value in optional.items() if value}}


def _metadata(person: ConvertedUser, findings: Findings) -> list[dict[str, str]]:
    made = []
    for key, value in person.metadata.items():
        data = _bytes(value)
        if not key.strip() or not data:
            findings.not_moved(person.place, person.name, EMPTY_METADATA, key)
            continue
        made.append({"key": key, "value": base64.b64encode(data).decode()})
    return made


def _bytes(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.encode()


def _links(person: ConvertedUser, providers: Providers, findings: Findings) -> list[dict[str, str]]:
    made = []
    for link in person.links:
        id = providers.id_of(link, person.place)
        if id is None:
            findings.not_moved(person.place, person.name, LINK, link.provider)
        else:
            made.append({"idpId": id, "userId": link.user_id, "userName": link.user_name or link.user_id})
    return made
