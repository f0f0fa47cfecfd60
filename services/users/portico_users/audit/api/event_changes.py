"""The changed values of an event as text, old and new."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from portico_contracts.activities.labels import INTERNAL, field_label

from portico_users.audit.object_names import Reference
from portico_users.journal.event_log import LoggedEvent
from portico_users.storage.entry import Document

LONGEST: Final = 500
"""Characters of a text; longer ones are cut."""

_DEEPEST: Final = 4


class Change(NamedTuple):
    field: str
    label: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


_REFERENCES: Final = {
    "idps": "idps",
    "idpId": "idps",
    "parents": "groups",
    "groups.id": "groups",
    "groupId": "groups",
    "projectId": "projects",
    "grantedOrgId": "orgs",
    "defaultOrgId": "orgs",
}
"""Values that are ids, by the name they are stored under, with the kind of the object."""

NameOf = Callable[[Reference], str]


def changes_of(event: LoggedEvent, name_of: NameOf) -> list[Change]:
    """Fields without a value in the log, such as secrets, are only named. Ids of objects are replaced by their names."""
    found: dict[str, Change] = {}
    for field in event.fields:
        if field in INTERNAL:
            continue
        if field not in event.values:
            found.setdefault(field, Change(field, field_label(field)))
            continue
        for name, old, new in _differences(field, event.before.get(field), event.values[field]):
            key = name.rpartition(".")[2]
            before, after = _texts(old, key, name_of), _texts(new, key, name_of)
            if before or after:
                found[name] = Change(name, field_label(name), before, after)
    return list(found.values())


def references_in(event: LoggedEvent) -> set[Reference]:
    """The objects whose names the changes of an event contain."""
    found: set[Reference] = set()

    def add(reference: Reference) -> str:
        found.add(reference)
        return ""

    changes_of(event, add)
    return found


def _differences(name: str, old: object, new: object, depth: int = 0) -> Iterator[tuple[str, object, object]]:
    """Goes into objects, so that only the values that differ are listed."""
    if depth < _DEEPEST and isinstance(new, Mapping) and (old is None or isinstance(old, Mapping)):
        before: Document = dict(old or {})
        for key in dict.fromkeys((*before, *new)):
            if before.get(key) != new.get(key):
                yield from _differences(f"{name}.{key}", before.get(key), new.get(key), depth + 1)
    else:
        yield name, old, new


def _texts(value: object, key: str, name_of: NameOf) -> tuple[str, ...]:
    if isinstance(value, list | tuple):
        return tuple(text for one in value for text in (_text(one, key, name_of),) if text)
    text = _text(value, key, name_of)
    return (text,) if text else ()


def _text(value: object, key: str, name_of: NameOf) -> str:
    if isinstance(value, str) and key in _REFERENCES:
        value = name_of((_REFERENCES[key], value)) or value
    match value:
        case None:
            return ""
        case str():
            return "" if value.endswith("_UNSPECIFIED") else value[:LONGEST]
        case bool():
            return "true" if value else "false"
        case Mapping():
            return _text_of_object(value, key, name_of)[:LONGEST]
        case list() | tuple():
            return ", ".join(_texts(value, key, name_of))[:LONGEST]
    return f"{value:g}" if isinstance(value, float) else str(value)[:LONGEST]


def _text_of_object(value: Mapping[str, object], key: str, name_of: NameOf) -> str:
    """Roles of a project are ``Shop: viewer, editor``; ids of objects without a name here are left out.

    The switches of an object in a list have no labels here, and the id of one with a name is not needed.
    """
    named, others = list[str](), list[str]()
    value = {name: one for name, one in value.items() if not isinstance(one, bool)}
    if value.get("name"):
        value = {name: one for name, one in value.items() if name != "id"}
    for name, one in value.items():
        inner = name if name in _REFERENCES else f"{key}.{name}"
        if inner in _REFERENCES:
            named += _texts(one, inner, name_of)
        elif name != "sequence" and not name.endswith("Id"):
            others += _texts(one, name, name_of)
    return ": ".join(text for text in (", ".join(named), ", ".join(others)) if text)
