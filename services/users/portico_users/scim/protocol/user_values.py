"""Users: the values of an account that a client sent, and an account as a client sees it.

The account has the names, the address and the state. The metadata ``scim.title``, ``scim.department`` and their like
have what applications may want as claims. Everything else is stored as it was sent, for the client alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from portico_contracts.apply import (
    Attributes,
    Profile,
    ScimAddress,
    ScimDestination,
    ScimDisplayName,
    ScimLoginName,
)

from portico_users.end_users.end_user import EndUser, Metadata, default_display_name, metadata_value, with_metadata
from portico_users.scim.mapping import LOGIN_NAMES
from portico_users.scim.protocol.attributes import CORE_USER, ENTERPRISE, Resource
from portico_users.scim.protocol.errors import INVALID_VALUE
from portico_users.scim.protocol.placement import PREFIX, STANDARD, Placement
from portico_users.scim.protocol.schema import COPIED, ENTERPRISE_NAMES, MANY_NAMES, PLACED, SUBS, user_name_of
from portico_users.scim.protocol.values import read_elements, read_flag, read_object, read_text
from portico_users.values.names import is_email
from portico_users.values.problems import at
from portico_users.values.provisioned import Provisioned
from portico_users.values.records import State

FLAT: Final = ("title", "userType", "locale")
MAX_VALUES: Final = 16 * 1024
"""Bytes of the values that are stored as they were sent."""

_ATTRIBUTES: Final = "attributes"
_KEYS: Final = "keys"
_ADDRESS: Final = "address"
"""Members of the stored values that only a mapping makes: texts as they were sent, by attribute, empty for none sent; keys
of metadata that do not begin with `PREFIX`; the place of the address of the account in the list, -1 for none.
"""

_SINGLE: Final = (*COPIED, *(name for name in PLACED if not name.startswith("urn:")))
_KEPT_OF_NAMES: Final = ("formatted", "honorificPrefix", "honorificSuffix")


@dataclass(frozen=True, slots=True)
class SentUser:
    """What a client sent. `active` is None where it sent nothing: the state stays.

    Attributes:
        login_name: what the mapping makes of the attributes.
        user_name: the attribute, where it is not the login name; otherwise empty.
        metadata: the values by key; a key of ours that is missing is removed.
        values: JSON for `Provisioned.values`.
    """

    login_name: str
    user_name: str
    external_id: str
    profile: Profile
    attributes: Attributes
    email: str
    active: bool | None
    metadata: Mapping[str, str]
    values: str

    def metadata_of(self, stored: tuple[Metadata, ...], former: Provisioned | None) -> tuple[Metadata, ...]:
        """`former` is what a connection kept of the user before, whose metadata is replaced."""
        ours = frozenset(_kept_values(former).get(_KEYS, ()))
        others = tuple(one for one in stored if not one.key.startswith(PREFIX) and one.key not in ours)
        return with_metadata(others, {key: text.encode() for key, text in self.metadata.items()})


def body_of(value: object, placement: Placement = STANDARD) -> Resource:
    """The body of a new or replaced user, with the names of its attributes as the schema spells them."""
    found: Resource = {}
    for name, one in read_object(value, "body").items():
        extension = placement.extensions.get(name.lower())
        found[extension.schema if extension else user_name_of(name.lower())] = one
    return found


def sent_user(resource: Resource, before: EndUser | None = None, placement: Placement = STANDARD) -> SentUser:
    """Raises USER-212 with the attribute whose value does not fit."""
    user_name = read_text(resource.get("userName"), "userName")
    if not user_name:
        raise at("userName", INVALID_VALUE.error())
    texts = _texts(resource, placement) | {"userName": user_name}
    names = _members("name", resource.get("name"))
    emails = [_members("emails", one) for one in read_elements(resource.get("emails"), "emails")]
    chosen = _chosen(emails, placement.mapping.address)
    email = user_name
    if placement.mapping.address is not ScimAddress.USER_NAME:
        email = (emails[chosen].get("value") if emails else "") or (before.email if before else user_name)
    if not is_email(email):
        raise at("emails", INVALID_VALUE.error())
    active = resource.get("active")
    login_name = _login_name(texts, email, placement)
    return SentUser(
        login_name=login_name,
        user_name="" if placement.mapping.login_name is ScimLoginName.USER_NAME else user_name,
        external_id=texts["externalId"],
        profile=_profile(texts, names, placement, before),
        attributes=_attributes(texts, names, placement, before),
        email=email,
        active=None if active is None else read_flag(active, "active"),
        metadata=_metadata(texts, placement),
        values=_values(resource, texts, names, emails, placement),
    )


def _login_name(texts: Mapping[str, str], email: str, placement: Placement) -> str:
    match placement.mapping.login_name:
        case ScimLoginName.USER_NAME:
            return texts["userName"]
        case ScimLoginName.EMAIL:
            return email
        case source:
            name = LOGIN_NAMES[source]
            if not texts[name]:
                raise at(name, INVALID_VALUE.error())
            return texts[name]


def _texts(resource: Resource, placement: Placement) -> dict[str, str]:
    """The texts of attributes that are single, by their names; those of extensions have their schema."""
    found = {name: read_text(resource.get(name), name) for name in _SINGLE}
    for extension in placement.extensions.values():
        value = resource.get(extension.schema)
        members = {} if value is None else read_object(value, extension.schema)
        found |= {f"{extension.schema}:{name}": "" for name in extension.names.values()}
        for given, one in members.items():
            if (name := extension.names.get(given.lower())) is not None:
                is_manager = extension.schema == ENTERPRISE and name == "manager"
                found[f"{extension.schema}:{name}"] = read_text(_id_in(one) if is_manager else one, name)
    return found


def _profile(
    texts: Mapping[str, str], names: Mapping[str, str], placement: Placement, before: EndUser | None
) -> Profile:
    whole = texts["displayName"] or names.get("formatted", "")
    composed = placement.mapping.display_name is ScimDisplayName.PARTS
    return Profile(
        first_name=names.get("givenName") or whole or texts["userName"],
        last_name=names.get("familyName", ""),
        display_name="" if composed else whole,
        nick_name=_field(texts, placement, ScimDestination.NICK_NAME),
        preferred_language=_field(texts, placement, ScimDestination.PREFERRED_LANGUAGE),
        **({"gender": before.gender} if before else {}),
    )


def _attributes(
    texts: Mapping[str, str], names: Mapping[str, str], placement: Placement, before: EndUser | None
) -> Attributes:
    kept = {name: getattr(before, name) for name in ("website", "picture", "birthdate")} if before else {}
    address = before.address if before else None
    found = Attributes(
        middle_name=names.get("middleName", ""),
        profile_url=_field(texts, placement, ScimDestination.PROFILE_URL),
        zoneinfo=_field(texts, placement, ScimDestination.TIME_ZONE),
        **kept,
    )
    return msgspec.structs.replace(found, address=address)


def _field(texts: Mapping[str, str], placement: Placement, destination: ScimDestination) -> str:
    return next((texts[name] for name, place in placement.places.items() if place.destination is destination), "")


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


def _chosen(emails: list[dict[str, Any]], address: ScimAddress = ScimAddress.PRIMARY) -> int:
    """The place of the address that the account has: the primary one, else that of work, else the first.

    With the mapping `WORK`, that of work is before the primary one.
    """
    rules = (_is_primary, _is_work) if address is ScimAddress.PRIMARY else (_is_work, _is_primary)
    return next((place for meets in rules for place, one in enumerate(emails) if meets(one)), 0)


def _is_primary(email: dict[str, Any]) -> bool:
    return bool(email.get("primary"))


def _is_work(email: dict[str, Any]) -> bool:
    return str(email.get("type", "")).lower() == "work"


def _metadata(texts: Mapping[str, str], placement: Placement) -> dict[str, str]:
    in_metadata = ((name, at) for name, at in placement.places.items() if at.destination is ScimDestination.METADATA)
    return {place.key: texts[name] for name, place in in_metadata if texts[name]}


def _id_in(manager: object) -> object:
    """Entra ID sends the id of a manager without the object around it."""
    if not isinstance(manager, dict):
        return manager
    return next((one for key, one in manager.items() if key.lower() == "value"), None)


def _values(
    resource: Resource,
    texts: Mapping[str, str],
    names: Mapping[str, str],
    emails: list[dict[str, Any]],
    placement: Placement,
) -> str:
    """The values that the account has no fields for; the address of the account is not among them."""
    lists = {
        name: [_members(name, one) for one in read_elements(resource.get(name), name)]
        for name in MANY_NAMES
        if name not in placement.ignored
    }
    address = placement.mapping.address
    chosen = -1 if address is ScimAddress.USER_NAME else _chosen(emails, address)
    kept = [
        {key: value for key, value in one.items() if key != "value"} if place == chosen else one
        for place, one in enumerate(emails)
    ]
    found: dict[str, Any] = {name: value for name, value in {"emails": kept, **lists}.items() if value}
    if parts := {name: names[name] for name in _KEPT_OF_NAMES if name in names}:
        found["name"] = parts
    found |= _values_of_mapping(texts, chosen, placement)
    encoded = msgspec.json.encode(found, order="deterministic") if found else b""
    if len(encoded) > MAX_VALUES:
        raise INVALID_VALUE.error()
    return encoded.decode()


def _values_of_mapping(texts: Mapping[str, str], chosen: int, placement: Placement) -> dict[str, Any]:
    """Nothing for the standard one."""
    found: dict[str, Any] = {}
    attributes = {name: "" if name in placement.ignored else texts[name] for name in placement.kept}
    if placement.mapping.display_name is ScimDisplayName.PARTS:
        attributes["displayName"] = texts["displayName"]
    if attributes:
        found[_ATTRIBUTES] = attributes
    if keys := [key for key in _metadata(texts, placement) if not key.startswith(PREFIX)]:
        found[_KEYS] = keys
    if placement.mapping.address is not ScimAddress.PRIMARY:
        found[_ADDRESS] = chosen
    return found


def left_by(former: Provisioned | None) -> str:
    """The values of a user whom the client has deleted: what a later creation has to remove."""
    keys = _kept_values(former).get(_KEYS)
    return msgspec.json.encode({_KEYS: keys}).decode() if keys else ""


def _kept_values(provisioned: Provisioned | None) -> dict[str, Any]:
    return msgspec.json.decode(provisioned.values) if provisioned and provisioned.values else {}


def follows_names(user: EndUser) -> bool:
    """Reports whether no display name was sent, so that it follows the parts of the name."""
    own_name = "displayName" in _kept_values(user.provisioned).get(_ATTRIBUTES, {})
    return not own_name and user.display_name == default_display_name(user.first_name, user.last_name)


def resource_of(user: EndUser) -> Resource:
    """The account as a client sees it, without ``meta``: what it sent, also where the mapping has changed since."""
    provisioned = user.provisioned or Provisioned(connection_id="")
    kept = _kept_values(provisioned)
    own = {one.key.removeprefix(PREFIX): one for one in user.metadata if one.key.startswith(PREFIX)}
    flat = {name: metadata_value(one).decode(errors="replace") for name, one in own.items()}
    enterprise = {name: flat[name] for name in ENTERPRISE_NAMES.values() if name in flat}
    names = {"givenName": user.first_name, "familyName": user.last_name, "middleName": user.middle_name}
    found = {
        "schemas": [CORE_USER],
        "id": user.id,
        "externalId": provisioned.external_id,
        "userName": provisioned.user_name or user.user_name,
        "name": {**_filled(names), **kept.get("name", {})},
        "displayName": user.display_name,
        "nickName": user.nick_name,
        "profileUrl": user.profile_url,
        "preferredLanguage": user.preferred_language,
        "timezone": user.zoneinfo,
        **{name: flat.get(name, "") for name in FLAT},
        "emails": _emails_of(user, kept),
        **{name: kept.get(name, []) for name in MANY_NAMES},
        ENTERPRISE: enterprise,
    }
    for name, text in kept.get(_ATTRIBUTES, {}).items():
        schema, _, attribute = name.rpartition(":")
        (found.setdefault(schema, {}) if schema else found)[attribute] = text
    extensions = {name: _filled(value) for name, value in found.items() if name.startswith("urn:")}
    if "manager" in extensions[ENTERPRISE]:
        extensions[ENTERPRISE]["manager"] = {"value": extensions[ENTERPRISE]["manager"]}
    found |= extensions
    found["schemas"] = [CORE_USER, *(name for name, members in extensions.items() if members)]
    return {**_filled(found), "active": user.state in (State.ACTIVE, State.LOCKED)}


def _emails_of(user: EndUser, kept: Mapping[str, Any]) -> list[dict[str, Any]]:
    emails: list[dict[str, Any]] = kept.get("emails") or []
    place = kept.get(_ADDRESS)
    if place == -1:
        return emails
    emails = emails or [{"type": "work", "primary": True}]
    emails[_chosen(emails) if place is None else place]["value"] = user.email
    return emails


def _filled(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value}
