"""Users: the values of an account that a client sent, and an account as a client sees it.

The account has the names, the address and the state. The metadata ``scim.title``, ``scim.department`` and their like
have what applications may want as claims. Everything else is stored as it was sent, for the client alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from portico_contracts.apply import Attributes, Profile

from portico_users.end_users.end_user import EndUser, Metadata, metadata_value, with_metadata
from portico_users.scim.protocol.attributes import CORE_USER, ENTERPRISE, Resource
from portico_users.scim.protocol.errors import INVALID_VALUE
from portico_users.scim.protocol.schema import ENTERPRISE_NAMES, SUBS, user_name_of
from portico_users.scim.protocol.values import MAX_ELEMENTS, read_elements, read_flag, read_object, read_text
from portico_users.values.names import is_email
from portico_users.values.problems import at
from portico_users.values.provisioned import Provisioned
from portico_users.values.records import State

PREFIX: Final = "scim."
FLAT: Final = ("title", "userType", "locale")
MAX_VALUES: Final = 16 * 1024
"""Bytes of the values that are stored as they were sent."""

_LISTS: Final = ("emails", "phoneNumbers", "addresses")
_KEPT_OF_NAMES: Final = ("formatted", "honorificPrefix", "honorificSuffix")


@dataclass(frozen=True, slots=True)
class SentUser:
    """What a client sent. `active` is None where it sent nothing: the state stays.

    Attributes:
        metadata: the values by key; a key of ours that is missing is removed.
        values: JSON for `Provisioned.values`.
    """

    user_name: str
    external_id: str
    profile: Profile
    attributes: Attributes
    email: str
    active: bool | None
    metadata: Mapping[str, str]
    values: str

    def metadata_of(self, stored: tuple[Metadata, ...]) -> tuple[Metadata, ...]:
        others = tuple(one for one in stored if not one.key.startswith(PREFIX))
        return with_metadata(others, {key: text.encode() for key, text in self.metadata.items()})


def body_of(value: object) -> Resource:
    """The body of a new or replaced user, with the names of its attributes as the schema spells them."""
    found: Resource = {}
    for name, one in read_object(value, "body").items():
        extension = name.lower() == ENTERPRISE.lower()
        found[ENTERPRISE if extension else user_name_of(name.lower())] = one
    return found


def sent_user(resource: Resource, before: EndUser | None = None) -> SentUser:
    """Raises USER-212 with the attribute whose value does not fit."""
    user_name = read_text(resource.get("userName"), "userName")
    if not user_name:
        raise at("userName", INVALID_VALUE.error())
    names = _members("name", resource.get("name"))
    emails = [_members("emails", one) for one in read_elements(resource.get("emails"), "emails")]
    chosen = _chosen(emails)
    email = emails[chosen]["value"] if emails and emails[chosen].get("value") else ""
    if not email:
        email = before.email if before else user_name
    if not is_email(email):
        raise at("emails", INVALID_VALUE.error())
    active = resource.get("active")
    text = {name: read_text(resource.get(name), name) for name in ("displayName", "nickName", "preferredLanguage")}
    first = names.get("givenName") or text["displayName"] or names.get("formatted") or user_name
    profile = Profile(
        first_name=first,
        last_name=names.get("familyName", ""),
        display_name=text["displayName"] or names.get("formatted", ""),
        nick_name=text["nickName"],
        preferred_language=text["preferredLanguage"],
        **({"gender": before.gender} if before else {}),
    )
    return SentUser(
        user_name=user_name,
        external_id=read_text(resource.get("externalId"), "externalId"),
        profile=profile,
        attributes=_attributes(resource, names, before),
        email=email,
        active=None if active is None else read_flag(active, "active"),
        metadata=_metadata(resource),
        values=_values(resource, names, emails),
    )


def _attributes(resource: Resource, names: Mapping[str, str], before: EndUser | None) -> Attributes:
    kept = {name: getattr(before, name) for name in ("website", "picture", "birthdate")} if before else {}
    address = before.address if before else None
    found = Attributes(
        middle_name=names.get("middleName", ""),
        profile_url=read_text(resource.get("profileUrl"), "profileUrl"),
        zoneinfo=read_text(resource.get("timezone"), "timezone"),
        **kept,
    )
    return msgspec.structs.replace(found, address=address)


def _members(attribute: str, value: object) -> dict[str, Any]:
    """The sub-attributes that have values, spelled as the schema has them; others are not kept."""
    if value is None:
        return {}
    names, found = SUBS[attribute.lower()], dict[str, Any]()
    for given, one in read_object(value, attribute).items():
        name = names.get(given.lower())
        if name == "primary" and one is not None:
            found[name] = read_flag(one, f"{attribute}.primary")
        elif name is not None and (text := read_text(one, f"{attribute}.{name}")):
            found[name] = text
    return found


def _chosen(emails: list[dict[str, Any]]) -> int:
    """The place of the address that the account has: the primary one, else that of work, else the first."""
    for meets in (lambda one: one.get("primary"), lambda one: str(one.get("type", "")).lower() == "work"):
        for place, one in enumerate(emails):
            if meets(one):
                return place
    return 0


def _metadata(resource: Resource) -> dict[str, str]:
    found = {name: read_text(resource.get(name), name) for name in FLAT}
    extension = resource.get(ENTERPRISE)
    members = {} if extension is None else read_object(extension, ENTERPRISE)
    for given, value in members.items():
        if (name := ENTERPRISE_NAMES.get(given.lower())) is None:
            continue
        found[name] = read_text(_id_in(value) if name == "manager" else value, name)
    return {f"{PREFIX}{name}": text for name, text in found.items() if text}


def _id_in(manager: object) -> object:
    """Entra ID sends the id of a manager without the object around it."""
    if not isinstance(manager, dict):
        return manager
    return next((one for key, one in manager.items() if key.lower() == "value"), None)


def _values(resource: Resource, names: Mapping[str, str], emails: list[dict[str, Any]]) -> str:
    """The values that the account has no fields for; the address of the account is not among them."""
    lists = {name: [_members(name, one) for one in read_elements(resource.get(name), name)] for name in _LISTS[1:]}
    chosen = _chosen(emails)
    kept = [
        {key: value for key, value in one.items() if key != "value"} if place == chosen else one
        for place, one in enumerate(emails)
    ]
    found: dict[str, Any] = {name: value for name, value in {"emails": kept, **lists}.items() if value}
    if any(len(value) > MAX_ELEMENTS for value in found.values()):
        raise at("emails", INVALID_VALUE.error())
    if parts := {name: names[name] for name in _KEPT_OF_NAMES if name in names}:
        found["name"] = parts
    text = msgspec.json.encode(found, order="deterministic").decode() if found else ""
    if len(text) > MAX_VALUES:
        raise INVALID_VALUE.error()
    return text


def resource_of(user: EndUser) -> Resource:
    """The account as a client sees it, without ``meta``."""
    provisioned = user.provisioned or Provisioned(connection_id="")
    kept: dict[str, Any] = msgspec.json.decode(provisioned.values) if provisioned.values else {}
    emails: list[dict[str, Any]] = kept.get("emails") or [{"type": "work", "primary": True}]
    emails[_chosen(emails)]["value"] = user.email
    own = {one.key.removeprefix(PREFIX): one for one in user.metadata if one.key.startswith(PREFIX)}
    flat = {name: metadata_value(one).decode(errors="replace") for name, one in own.items()}
    extension: dict[str, Any] = {name: flat[name] for name in ENTERPRISE_NAMES.values() if name in flat}
    if "manager" in extension:
        extension["manager"] = {"value": extension["manager"]}
    names = {"givenName": user.first_name, "familyName": user.last_name, "middleName": user.middle_name}
    found = {
        "schemas": [CORE_USER, *([ENTERPRISE] if extension else [])],
        "id": user.id,
        "externalId": provisioned.external_id,
        "userName": user.user_name,
        "name": {**_filled(names), **kept.get("name", {})},
        "displayName": user.display_name,
        "nickName": user.nick_name,
        "profileUrl": user.profile_url,
        "preferredLanguage": user.preferred_language,
        "timezone": user.zoneinfo,
        **{name: flat.get(name, "") for name in FLAT},
        "emails": emails,
        **{name: kept.get(name, []) for name in _LISTS[1:]},
        ENTERPRISE: extension,
    }
    return {**_filled(found), "active": user.state in (State.ACTIVE, State.LOCKED)}


def _filled(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value}
