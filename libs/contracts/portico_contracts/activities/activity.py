"""A kind of entry: which events it is, and its sentence in English."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple, Protocol, TypeVar

CREATED: Final = "created"
UPDATED: Final = "updated"
DELETED: Final = "deleted"

IMPORTED: Final = "imported"
"""A creation by an import: stored as a separate action, and shown as a creation."""

SYSTEM_NAME: Final = "The system"
"""The actor of changes that no user made, in English and translated."""


AnyText = TypeVar("AnyText", bound=str)


class Condition(Protocol):
    """Compares a value after and before the change; both are None where the log does not contain them."""

    def __call__(self, after: Any, before: Any, /) -> bool: ...


class Activity(NamedTuple):
    """Matches events with this action whose `changed` field changed and, if given, meets the condition.

    Sentences name the actor, the object, and objects related to it: ``%(project)s``, ``%(user)s`` and others. `own`
    is the sentence for users who change their own account.
    """

    kind: str
    name: str
    sentence: str
    own: str = ""
    action: str = UPDATED
    changed: str = ""
    when: Condition | None = None

    @property
    def key(self) -> str:
        return f"{self.kind}.{self.name}"

    def template(self, *, own: bool = False) -> str:
        return (own and self.own) or self.sentence

    def say(self, actor: str, named: str, related: Iterable[tuple[str, str]] = (), *, own: bool = False) -> str:
        """The sentence in English; `related` are kind and name of related objects."""
        return self.template(own=own) % sentence_values(actor, named, related)

    def matches(self, action: str, fields: Collection[str], values: Mapping[str, Any], old: Mapping[str, Any]) -> bool:
        if action != self.action or (self.changed and self.changed not in fields):
            return False
        return self.when is None or self.when(values.get(self.changed), old.get(self.changed))


_RELATED: Final = {
    "projects": "project", "users": "user", "idps": "provider", "apps": "application", "orgs": "granted",
    "outsideServers": "server",
}  # fmt: skip


def sentence_values(actor: AnyText, named: AnyText, related: Iterable[tuple[str, AnyText]]) -> dict[str, AnyText | str]:
    """The values of a sentence; an object that is not known is an ellipsis."""
    values: dict[str, AnyText | str] = dict.fromkeys(_RELATED.values(), "…")
    for kind, name in related:
        if kind in _RELATED:
            values[_RELATED[kind]] = name
    return {**values, "actor": actor, "object": named}


def becomes(value: Any, was: Any = None) -> Condition:
    """The value after the change and, if given, the one before it."""

    def compare(after: Any, before: Any, /) -> bool:
        return bool(after == value) and was in (None, before)

    return compare


def filled(after: Any, _before: Any, /) -> bool:
    """Yes, or not empty."""
    return bool(after)


def grew(after: Any, before: Any, /) -> bool:
    return isinstance(after, list) and isinstance(before, list) and len(after) > len(before)


def shrank(after: Any, before: Any, /) -> bool:
    return isinstance(after, list) and isinstance(before, list) and len(after) < len(before)


def part_changed(name: str) -> Condition:
    def compare(after: Any, before: Any, /) -> bool:
        return isinstance(after, dict) and isinstance(before, dict) and after.get(name) != before.get(name)

    return compare


def deletion(kind: str) -> Activity:
    return Activity(kind, "deleted", "%(actor)s deleted %(object)s", action=DELETED)


def states(kind: str) -> tuple[Activity, ...]:
    return (
        Activity(kind, "deactivated", "%(actor)s deactivated %(object)s", changed="state", when=becomes("inactive")),
        Activity(kind, "reactivated", "%(actor)s reactivated %(object)s", changed="state", when=becomes("active")),
    )
