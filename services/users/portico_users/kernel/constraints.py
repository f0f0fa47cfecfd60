"""Constraints between objects: what must hold while one is written, and what else changes with it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from portico_runtime.mongo import Database, Session

from portico_users.kernel.entry import Document, Entry
from portico_users.kernel.records import Record

AT_ONCE: Final = 500
"""How many objects that change along with another one are read and written together."""

Cascade = Callable[[Database, Session], Awaitable[Sequence[Entry[Record]]]]
"""Finds, within the transaction, the next `AT_ONCE` objects of one collection that have to change, in every turn
others, and nothing once all of them are written."""


Check = Callable[[Database, Session], Awaitable[None]]
"""Checks within the transaction whether the change is permitted; raises the error of the caller."""


class CheckedTogether(ABC):
    """A `Check` that can be made for several changes of one transaction at once."""

    __slots__ = ()

    @abstractmethod
    async def __call__(self, database: Database, session: Session) -> None:
        """Checks this change."""

    @classmethod
    @abstractmethod
    async def check_all(cls, checks: Sequence[Self], database: Database, session: Session) -> None:
        """Checks all of the changes; raises the error of any of them."""


@dataclass(frozen=True, slots=True)
class VersionGuard:
    """Another object that must be as it was when the change was decided, until the change is written.

    It is touched, so that of two transactions one that changes it and one that relies on it cannot both succeed:
    reading alone would let them pass each other by.

    Args:
        condition: on the members that are relied on.
        upsert: it is a sentinel document, which is inserted where it is missing.
    """

    collection: str
    id: str
    condition: Document
    upsert: bool = False


SENTINELS: Final = "meetings"
"""Collection of sentinel documents: changes that read each other's objects without changing them both touch one."""


@dataclass(frozen=True, slots=True)
class Constraints:
    """What one change relies on, and what changes with it.

    Args:
        checks: called once the change and its guards are written.
        cascades: what changes with it, in the same transaction however much it is, with what follows from that.
        deferred: what the change has made worthless already, so that it need not go in the same transaction where it is
            much; what is found has no ties that are not here as well. It is asked again and again until nothing is
            left, also by transactions of their own, after others may have changed what was relied on.
    """

    guards: tuple[VersionGuard, ...] = ()
    checks: tuple[Check, ...] = ()
    cascades: tuple[Cascade, ...] = ()
    deferred: tuple[Cascade, ...] = ()


ConstraintsByTable = Mapping[str, Callable[[Entry[Any]], Constraints]]
"""By the name of the table, so that no command has to remember them."""

NO_CONSTRAINTS = Constraints()
