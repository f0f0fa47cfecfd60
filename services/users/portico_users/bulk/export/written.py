"""What was written so far, and what the document cannot express."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from portico_contracts.users import Note

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
