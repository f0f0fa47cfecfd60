"""The mapping of a connection: what the attributes of users become here (decision 0160)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec
from portico_contracts import apply as document
from portico_contracts.apply import ScimAddress, ScimDestination, ScimDisplayName, ScimLoginName
from portico_oauth.errors import ErrorCode, Kind

from portico_users.scim.protocol.attributes import ENTERPRISE, EXTENSION, OTHER_SCHEMAS
from portico_users.scim.protocol.schema import COPIED, MANY_NAMES, PLACED
from portico_users.values.fields import Each, Field, Fields, Words
from portico_users.values.names import MAX_LENGTH, is_key
from portico_users.values.problems import Problem, Problems

MAX_ROWS: Final = 50

TOO_MANY_ROWS = ErrorCode(
    "USER-221", Kind.INVALID_REQUEST, "There are more than 50 mapped attributes.", "Keep at most 50."
)
UNKNOWN_ATTRIBUTE = ErrorCode(
    "USER-222",
    Kind.INVALID_REQUEST,
    "This attribute cannot be mapped.",
    "Name an attribute that /Schemas lists, such as title, one of an extension with its schema, such as"
    " urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department, or one of a schema that you define,"
    " whose name ends with :User.",
)
INVALID_DESTINATION = ErrorCode(
    "USER-223",
    Kind.INVALID_REQUEST,
    "This attribute cannot be stored there.",
    "Lists can only be stored nowhere. userName, externalId and displayName can only be copied to metadata. The"
    " attribute that is the login name has to be stored.",
)
INVALID_KEY = ErrorCode(
    "USER-224",
    Kind.INVALID_REQUEST,
    "The metadata key of a mapped attribute is missing, not valid, or not needed.",
    "Name a key of at most 200 characters for metadata, and none otherwise.",
)
MAPPED_TWICE = ErrorCode(
    "USER-225",
    Kind.INVALID_REQUEST,
    "An attribute is mapped twice, or two attributes have the same destination.",
    "Map each attribute once, and each to another destination.",
)

_OWN: Final = re.compile(rf"(?P<schema>{EXTENSION}):(?P<name>[A-Za-z][A-Za-z0-9_$-]*)\Z", re.IGNORECASE)
_ENDS_BEFORE: Final = re.compile(r":user[:.]", re.IGNORECASE)


class MappedAttribute(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """`attribute`: with its schema for those of extensions; `key`: of metadata, empty for other destinations."""

    attribute: str
    destination: ScimDestination
    key: str = ""


class ScimMapping(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Attributes without a row are stored where `protocol.placement.DEFAULTS` has them, unless a row is stored there."""

    login_name: ScimLoginName = ScimLoginName.USER_NAME
    address: ScimAddress = ScimAddress.PRIMARY
    display_name: ScimDisplayName = ScimDisplayName.DISPLAY_NAME
    attributes: tuple[MappedAttribute, ...] = ()


_ATTRIBUTE_FIELDS: Final = Fields(
    MappedAttribute,
    document.ScimAttribute,
    (Field("destination", conversion=Words({one: one for one in ScimDestination})),),
)
MAPPING_FIELDS: Final = Fields(
    ScimMapping,
    document.ScimMapping,
    (
        Field("login_name", conversion=Words({one: one for one in ScimLoginName})),
        Field("address", conversion=Words({one: one for one in ScimAddress})),
        Field("display_name", conversion=Words({one: one for one in ScimDisplayName})),
        Field("attributes", conversion=Each(_ATTRIBUTE_FIELDS)),
    ),
)

LOGIN_NAMES: Final = {
    ScimLoginName.EXTERNAL_ID: "externalId",
    ScimLoginName.NICK_NAME: "nickName",
    ScimLoginName.EMPLOYEE_NUMBER: f"{ENTERPRISE}:employeeNumber",
}
"""Attributes that are the login name as they are sent."""


def own_attribute(name: str) -> tuple[str, str] | None:
    """Schema and name of an attribute of a schema that the mapping defines; None for any other text."""
    found = _OWN.match(name)
    if found is None or found["schema"].lower() in OTHER_SCHEMAS or _ENDS_BEFORE.search(found["schema"]):
        return None
    return found["schema"], found["name"]


def problems_of_mapping(mapping: ScimMapping) -> Problems:
    if len(mapping.attributes) > MAX_ROWS:
        yield Problem("attributes", TOO_MANY_ROWS)
    seen = set[object]()
    for number, row in enumerate(mapping.attributes):
        for problem in _problems_of(row, mapping, seen):
            yield Problem(f"attributes[{number}].{problem.path}", problem.error_code)
        seen |= set(_uses(row))


def _problems_of(row: MappedAttribute, mapping: ScimMapping, seen: set[object]) -> Problems:
    name, destination = row.attribute, row.destination
    is_list, is_copied = name in MANY_NAMES, name in COPIED
    if not (is_list or is_copied or name in PLACED or own_attribute(name)):
        yield Problem("attribute", UNKNOWN_ATTRIBUTE)
    nowhere, metadata = destination is ScimDestination.NOWHERE, destination is ScimDestination.METADATA
    is_lost = nowhere and name == LOGIN_NAMES.get(mapping.login_name)
    if (is_list and not nowhere) or (is_copied and not metadata) or is_lost:
        yield Problem("destination", INVALID_DESTINATION)
    if metadata != bool(row.key) or (row.key and not (is_key(row.key) and len(row.key) <= MAX_LENGTH)):
        yield Problem("key", INVALID_KEY)
    if not seen.isdisjoint(_uses(row)):
        yield Problem("attribute", MAPPED_TWICE)


def _uses(row: MappedAttribute) -> Iterator[object]:
    yield row.attribute.lower()
    if row.destination is not ScimDestination.NOWHERE:
        yield row.destination, row.key
