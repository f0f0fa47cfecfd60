from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from portico_contracts.apply import ObjectState
from portico_contracts.users import Note

from portico_users.values.records import Record, State

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Notes:
    """What an export states about its objects in addition to their documents; `sequences` by id."""

    written: list[Note] = field(default_factory=list)
    sequences: dict[str, int] = field(default_factory=dict)

    def add(self, id: str, text: str) -> None:
        self.written.append(Note(id=id, text=text))


def listed(items: Iterable[Item]) -> tuple[Item, ...] | None:
    return tuple(items) or None


def state_of(record: Record) -> ObjectState | None:
    return ObjectState.INACTIVE if record.state is State.INACTIVE else None


MOST = 1_000_000
"""More than fit into a document."""
