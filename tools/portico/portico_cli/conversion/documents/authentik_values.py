"""The entries of blueprints, and the references between them: ``!KeyOf``, ``!Find`` and primary keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from portico_cli.conversion.findings import Place
from portico_cli.conversion.placeholders import Placeholder, Tagged
from portico_cli.conversion.yaml_nodes import Object


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

    def add(self, document: Object) -> None:
        context = document.get("context")
        values = context if isinstance(context, dict) else {}
        for one in document["entries"]:
            if isinstance(one, Object) and isinstance(one.get("model"), str):
                self.all.append(_entry(one, values))

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
