"""What was written so far, and what the document cannot express."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from portico_contracts.apply import ObjectState
from portico_contracts.users import Note

from portico_users.kernel.records import Record, State

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Notes:
    """Collects notes on what the document cannot express."""

    written: list[Note] = field(default_factory=list)

    def add(self, id: str, text: str) -> None:
        """Adds a note on an object."""
        self.written.append(Note(id=id, text=text))


def listed(items: Iterable[Item]) -> tuple[Item, ...] | None:
    """The items; None for none, which the document leaves out."""
    return tuple(items) or None


def state_of(record: Record) -> ObjectState | None:
    """The state of what is not a user, where it is worth a word."""
    return ObjectState.INACTIVE if record.state is State.INACTIVE else None
