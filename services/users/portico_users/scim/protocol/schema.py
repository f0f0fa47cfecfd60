"""The attributes of users that this server keeps (RFC 7643 sections 4.1 and 4.3)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from portico_users.scim.protocol.attributes import ENTERPRISE
from portico_users.scim.protocol.errors import INVALID_PATH
from portico_users.values.problems import at


class Kind(StrEnum):
    SIMPLE = "simple"
    COMPLEX = "complex"
    MANY = "many"


def _by_lower(*names: str) -> dict[str, str]:
    return {name.lower(): name for name in names}


_SIMPLE: Final = _by_lower(
    *("userName", "externalId", "displayName", "nickName", "profileUrl", "title", "userType", "preferredLanguage"),
    *("locale", "timezone", "active"),
)
_MANY: Final = _by_lower("emails", "phoneNumbers", "addresses")
_NAMES: Final = {**_SIMPLE, "name": "name", **_MANY}

_NAME_PARTS: Final = _by_lower(
    "formatted", "familyName", "givenName", "middleName", "honorificPrefix", "honorificSuffix"
)
_ELEMENT: Final = _by_lower("value", "display", "type", "primary")
_ADDRESS: Final = _by_lower(
    "formatted", "streetAddress", "locality", "region", "postalCode", "country", "type", "primary"
)
SUBS: Final[Mapping[str, Mapping[str, str]]] = {
    "name": _NAME_PARTS,
    "emails": _ELEMENT,
    "phonenumbers": _ELEMENT,
    "addresses": _ADDRESS,
}
"""The sub-attributes, by attribute in lower case."""

ENTERPRISE_NAMES: Final = _by_lower("employeeNumber", "costCenter", "organization", "division", "department", "manager")
MANY_NAMES: Final = ("phoneNumbers", "addresses")
"""Lists that are stored for the client alone."""

COPIED: Final = ("userName", "externalId", "displayName")
"""Attributes that always have their own place, and may be copied to metadata."""

PLACED: Final = (
    *("title", "userType", "locale", "nickName", "preferredLanguage", "timezone", "profileUrl"),
    *(f"{ENTERPRISE}:{name}" for name in ENTERPRISE_NAMES.values()),
)
"""Texts that are stored where the mapping has them."""

READ_ONLY_NAMES: Final = frozenset({"id", "meta", "schemas", "groups"})
IGNORED: Final = frozenset({"password"})
"""Accounts have the passwords that their owners chose."""


def kind_of(attribute: str) -> Kind | None:
    if attribute == "name":
        return Kind.COMPLEX
    return Kind.MANY if attribute in _MANY else Kind.SIMPLE if attribute in _SIMPLE else None


def user_name_of(attribute: str) -> str:
    """The name of an attribute of users as the schema spells it; in lower case for an unknown one."""
    return _NAMES.get(attribute, attribute)


def sub_name(attribute: str, sub: str) -> str:
    """Raises USER-211 for a sub-attribute that the attribute does not have."""
    name = SUBS.get(attribute, {}).get(sub)
    if name is None:
        raise at(f"{attribute}.{sub}"[:100], INVALID_PATH.error())
    return name
