"""What ties objects to each other: what must be so while one is written, and what else changes with it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from portico_runtime.mongo import Database, Session

from portico_users.journal.entry import Document, Entry

AT_ONCE: Final = 500
"""How many objects that change along with another one are read and written together."""

Follow = Callable[[Database, Session], Awaitable[Sequence[Entry[Any]]]]
"""Finds, within the transaction, the next `AT_ONCE` objects of one collection that have to change, in every turn
others, and nothing once all of them are written."""


@dataclass(frozen=True, slots=True)
class Hold:
    """Another object that must be as it was when the change was decided, until the change is written.

    It is touched, so that of two transactions one that changes it and one that relies on it cannot both succeed:
    reading alone would let them pass each other by.

    Args:
        question: about the members that are relied on.
    """

    collection: str
    id: str
    question: Document


@dataclass(frozen=True, slots=True)
class Tie:
    """What one change is tied to."""

    holds: tuple[Hold, ...] = ()
    follows: tuple[Follow, ...] = ()


Ties = Mapping[str, Callable[[Entry[Any]], Tie]]
"""By the name of the table: nobody who writes to it has to remember."""

UNTIED = Tie()
