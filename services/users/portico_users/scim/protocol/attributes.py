"""Names and paths of attributes (RFC 7644 section 3.10), compared without regard to case (RFC 7643 section 2.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from portico_users.scim.protocol.errors import INVALID_PATH
from portico_users.scim.protocol.filters import MAX_BYTES, Filter, OfElement, parse_filter

CORE_USER: Final = "urn:ietf:params:scim:schemas:core:2.0:User"
CORE_GROUP: Final = "urn:ietf:params:scim:schemas:core:2.0:Group"
ENTERPRISE: Final = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"

Resource = dict[str, Any]

EXTENSION: Final = r"urn:[a-z0-9][a-z0-9._:-]{0,199}?:user"
"""The name of a schema of users. It ends with ``:User``, so that a path shows where the attribute begins."""

OTHER_SCHEMAS: Final = frozenset(one.lower() for one in (CORE_USER, CORE_GROUP, ENTERPRISE))
_CORE: Final = frozenset(one.lower() for one in (CORE_USER, CORE_GROUP))
_PREFIX: Final = re.compile(rf"({re.escape(CORE_GROUP)}|{EXTENSION})(?:[:.]|\Z)", re.IGNORECASE)
"""Some clients write a dot between schema and attribute."""

_PATH: Final = re.compile(
    r"(?P<attribute>[A-Za-z$][A-Za-z0-9_$-]*)(?P<filter>\[.*\])?(?:\.(?P<sub>[A-Za-z$][A-Za-z0-9_$.-]*))?\Z", re.DOTALL
)


class Path(NamedTuple):
    """An attribute in lower case; `schema` for one of an extension, in lower case, or with an empty attribute for all."""

    attribute: str
    sub: str = ""
    filter: Filter | None = None
    schema: str = ""


def parse_path(text: str) -> Path:
    """Raises USER-211 for an invalid path, USER-209 for an invalid filter in it."""
    if len(text) > MAX_BYTES:
        raise INVALID_PATH.error()
    prefix = _PREFIX.match(text)
    rest, schema = (text[prefix.end() :], prefix[1].lower()) if prefix else (text, "")
    schema = "" if schema in _CORE else schema
    if schema and not rest:
        return Path("", schema=schema)
    match = _PATH.match(rest)
    if match is None:
        raise INVALID_PATH.error(path=text[:100])
    condition = None
    if match["filter"]:
        found = parse_filter(f"{match['attribute']}{match['filter']}")
        if not isinstance(found, OfElement):
            raise INVALID_PATH.error(path=text[:100])
        condition = found.part
    return Path(match["attribute"].lower(), (match["sub"] or "").lower(), condition, schema)


def selected(resource: Resource, attributes: Iterable[str], excluded: Iterable[str]) -> Resource:
    """What an answer has of a resource: ``id`` and ``schemas`` always (RFC 7644 section 3.9)."""
    wanted, left_out = _names(attributes), _names(excluded)
    if wanted:
        return _only(resource, {**wanted, "id": frozenset(), "schemas": frozenset()})
    return _without(resource, left_out) if left_out else resource


def wants(name: str, attributes: Iterable[str], excluded: Iterable[str]) -> bool:
    """Reports whether an answer has an attribute, so that it must be read."""
    wanted = _names(attributes)
    return name in wanted if wanted else _names(excluded).get(name, frozenset({"."})) != frozenset()


_Names = Mapping[str, frozenset[str]]
"""Sub-attributes by attribute in lower case, empty for all of it."""


def _names(texts: Iterable[str]) -> _Names:
    found: dict[str, frozenset[str]] = {}
    for text in texts:
        path = parse_path(text.strip())
        name = path.schema or path.attribute
        sub = path.attribute if path.schema else path.sub
        known = found.get(name)
        whole = not sub or known == frozenset()
        found[name] = frozenset() if whole else (known or frozenset()) | {sub}
    return found


def _only(resource: Resource, names: _Names) -> Resource:
    return {
        name: _part(value, names[name.lower()], keep=True) for name, value in resource.items() if name.lower() in names
    }


def _without(resource: Resource, names: _Names) -> Resource:
    found: Resource = {}
    for name, value in resource.items():
        subs = names.get(name.lower())
        if subs is None or name in ("id", "schemas"):
            found[name] = value
        elif subs:
            found[name] = _part(value, subs, keep=False)
    return found


def _part(value: Any, subs: frozenset[str], *, keep: bool) -> Any:
    if not subs:
        return value
    if isinstance(value, list):
        return [_part(one, subs, keep=keep) for one in value]
    if isinstance(value, dict):
        return {name: one for name, one in value.items() if (name.lower() in subs) is keep}
    return value
