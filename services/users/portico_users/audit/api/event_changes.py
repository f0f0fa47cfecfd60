"""The changed values of an event as text, old and new."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from portico_contracts.activities.labels import INTERNAL, field_label

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


def changes_of(event: LoggedEvent) -> list[Change]:
    """Fields without a value in the log, such as secrets, are only named."""
    found: dict[str, Change] = {}
    for field in event.fields:
        if field in INTERNAL:
            continue
        if field not in event.values:
            found.setdefault(field, Change(field, field_label(field)))
            continue
        for name, old, new in _differences(field, event.before.get(field), event.values[field]):
            before, after = _texts(old), _texts(new)
            if before or after:
                found[name] = Change(name, field_label(name), before, after)
    return list(found.values())


def _differences(name: str, old: object, new: object, depth: int = 0) -> Iterator[tuple[str, object, object]]:
    """Goes into objects, so that only the values that differ are listed."""
    if depth < _DEEPEST and isinstance(new, Mapping) and (old is None or isinstance(old, Mapping)):
        before: Document = dict(old or {})
        for key in dict.fromkeys((*before, *new)):
            if before.get(key) != new.get(key):
                yield from _differences(f"{name}.{key}", before.get(key), new.get(key), depth + 1)
    else:
        yield name, old, new


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, list | tuple):
        return tuple(text for one in value for text in (_text(one),) if text)
    text = _text(value)
    return (text,) if text else ()


def _text(value: object) -> str:
    match value:
        case None:
            return ""
        case str():
            return "" if value.endswith("_UNSPECIFIED") else value[:LONGEST]
        case bool():
            return "true" if value else "false"
        case Mapping():
            return ", ".join(text for key, one in value.items() if not key.endswith("Id") for text in _texts(one))[
                :LONGEST
            ]
        case list() | tuple():
            return ", ".join(_texts(value))[:LONGEST]
    return f"{value:g}" if isinstance(value, float) else str(value)[:LONGEST]
