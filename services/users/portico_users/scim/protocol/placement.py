"""Where the attributes of users are stored, as the mapping of a connection has it (decision 0160)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from portico_contracts.apply import ScimDestination

from portico_users.scim.mapping import LOGIN_NAMES, ScimMapping, own_attribute
from portico_users.scim.protocol.attributes import ENTERPRISE
from portico_users.scim.protocol.schema import ENTERPRISE_NAMES, PLACED

PREFIX: Final = "scim."
"""Begins the keys of metadata that only connections write."""


class Place(NamedTuple):
    """`key`: of metadata."""

    destination: ScimDestination
    key: str = ""


_FIELDS: Final = {
    "nickName": ScimDestination.NICK_NAME,
    "preferredLanguage": ScimDestination.PREFERRED_LANGUAGE,
    "timezone": ScimDestination.TIME_ZONE,
    "profileUrl": ScimDestination.PROFILE_URL,
}
DEFAULTS: Final[Mapping[str, Place]] = {
    name: Place(_FIELDS[name]) if name in _FIELDS else Place(ScimDestination.METADATA, PREFIX + name.rpartition(":")[2])
    for name in PLACED
}


class Extension(NamedTuple):
    """A schema in addition to the core schema; `names` are those of its attributes, by their lower case."""

    schema: str
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Placement:
    """
    Attributes:
        mapping: what it was made of.
        places: of the attributes that are stored in fields or metadata.
        kept: attributes whose text is stored as it was sent, too, because their default place has another one.
        ignored: attributes, also lists, that are accepted and not stored.
        extensions: by the schema in lower case.
    """

    mapping: ScimMapping
    places: Mapping[str, Place]
    kept: tuple[str, ...]
    ignored: frozenset[str]
    extensions: Mapping[str, Extension]


@lru_cache(maxsize=128)
def placement_of(mapping: ScimMapping) -> Placement:
    extensions = _extensions(mapping)
    rows = {_spelled(row.attribute, extensions): Place(row.destination, row.key) for row in mapping.attributes}
    ignored = frozenset(name for name, place in rows.items() if place.destination is ScimDestination.NOWHERE)
    used = set(rows.values())
    defaults = {name: place for name, place in DEFAULTS.items() if name not in rows and place not in used}
    places = defaults | {name: place for name, place in rows.items() if name not in ignored}
    login_name = LOGIN_NAMES.get(mapping.login_name)
    known = [*DEFAULTS, *(name for name in rows if own_attribute(name))]
    # A user may change the nickname here; the login name stays the one that the directory sent.
    kept = tuple(name for name in known if places.get(name) != DEFAULTS.get(name, ()) or name == login_name)
    return Placement(mapping, places, kept, ignored, extensions)


def _extensions(mapping: ScimMapping) -> dict[str, Extension]:
    found = {ENTERPRISE.lower(): Extension(ENTERPRISE, ENTERPRISE_NAMES)}
    for row in mapping.attributes:
        if (own := own_attribute(row.attribute)) is not None:
            schema, name = own
            known = found.get(schema.lower(), Extension(schema, {}))
            found[schema.lower()] = Extension(known.schema, {**known.names, name.lower(): name})
    return found


def _spelled(name: str, extensions: Mapping[str, Extension]) -> str:
    """All attributes of a schema have it as its first row spells it."""
    own = own_attribute(name)
    return name if own is None else f"{extensions[own[0].lower()].schema}:{own[1]}"


STANDARD: Final = placement_of(ScimMapping())
