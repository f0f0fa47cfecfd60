"""The entries of blueprints, and the references between them: ``!KeyOf``, ``!Find`` and primary keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from portico_conversion.findings import Findings, Place
from portico_conversion.placeholders import Placeholder, Tagged
from portico_conversion.reading.records import MEMBER, UNREADABLE
from portico_conversion.reading.yaml_files import Object

ABSENT: Final = "an entry that the blueprint deletes"

_OF_FILES: Final = frozenset({"version", "metadata", "context", "entries"})
_OF_ENTRIES: Final = frozenset({"model", "id", "identifiers", "attrs", "state"})
_PRESENT: Final = ("present", "created", "must_created")


class Key(NamedTuple):
    """What a reference names: an entry's id, its primary key, or an attribute of it."""

    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Entry:
    model: str
    place: Place
    keys: tuple[Key, ...]
    attrs: dict[str, Any]

    def text(self, name: str) -> str:
        """Returns an attribute that is a text of the file."""
        value = self.attrs.get(name)
        return value if isinstance(value, str) and not isinstance(value, Placeholder) else ""


class Entries:
    def __init__(self) -> None:
        self.all: list[Entry] = []

    def add(self, document: Object, findings: Findings) -> None:
        for name, value in document.items():
            if name not in _OF_FILES and value:
                findings.not_moved(document.place, "", MEMBER, name)
        context = document.get("context")
        values = context if isinstance(context, dict) else {}
        for one in document["entries"]:
            model = one.get("model") if isinstance(one, Object) else None
            if isinstance(model, str) and not isinstance(model, Placeholder):
                _report_others(one, findings)
                if one.get("state", "present") in _PRESENT:
                    self.all.append(_entry(one, values))
                else:
                    findings.left_out(one.place, one["model"], ABSENT)
            else:
                findings.left_out(getattr(one, "place", document.place), "entry", UNREADABLE)

    def of(self, *models: str) -> Iterator[Entry]:
        return (entry for entry in self.all if entry.model in models)

    def key(self, reference: Any) -> Key:
        """Returns the key that a reference names; one without meaning for any other value."""
        match reference:
            case Tagged("!KeyOf", str() as id, _):
                return Key("id", id)
            case Tagged("!Find", [_, [str() as name, str() as value], *_], _):
                return Key(name, value)
            case str() | int():
                return Key("pk", str(reference))
        return Key("", "")


def _report_others(one: Object, findings: Findings) -> None:
    for name, value in one.items():
        if name not in _OF_ENTRIES and value:
            findings.not_moved(one.place, one["model"], MEMBER, name)


def _entry(one: Object, context: dict[str, Any]) -> Entry:
    members: dict[str, Any] = {}
    for name in ("identifiers", "attrs"):
        part = one.get(name)
        members |= part if isinstance(part, dict) else {}
    values = {name: _resolved(value, context) for name, value in members.items()}
    keys = [Key("id", str(one["id"]))] if "id" in one else []
    keys += [Key(name, str(value)) for name, value in values.items() if isinstance(value, str | int)]
    return Entry(one["model"], one.place, tuple(keys), values)


def _resolved(value: Any, context: dict[str, Any]) -> Any:
    """Replaces ``!Context`` by its value; other tags stay."""
    match value:
        case Tagged("!Context", str() as name, _) if name in context:
            return context[name]
    return value
