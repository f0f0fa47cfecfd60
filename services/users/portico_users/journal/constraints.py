from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from portico_runtime.mongo.client import Database, Session

from portico_users.storage.entry import Entry, VersionGuard
from portico_users.values.records import Record

AT_ONCE: Final = 500
"""Batch size of dependent changes."""

Cascade = Callable[[Database, Session], Awaitable[Sequence[Entry[Record]]]]
"""Finds, within the transaction, the next `AT_ONCE` objects of one collection to change; different ones in each
call, and none once all are written.
"""


Check = Callable[[Database, Session], Awaitable[None]]
"""Checks a change within the transaction; raises the caller's error."""


RelyingReaders = Callable[[Database, float], Awaitable[bool]]
"""Reports, after a commit at this time, whether other services may still use data that they read before."""


class CheckedTogether(ABC):
    __slots__ = ()

    @abstractmethod
    async def __call__(self, database: Database, session: Session) -> None:
        pass

    @classmethod
    @abstractmethod
    async def check_all(cls, checks: Sequence[Self], database: Database, session: Session) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Continued:
    """Objects that the change has already made ineffective. Those that do not fit its transaction are left to a
    background task.

    Args:
        note: of what is left, written in the transaction; the time is that of the change.
    """

    cascade: Cascade
    note: Callable[[Database, Session, float], Awaitable[None]]


SENTINELS: Final = "meetings"
"""Collection of sentinel documents, written by changes that only read each other's objects."""


@dataclass(frozen=True, slots=True)
class Constraints:
    """Dependencies and dependent changes of a change.

    Args:
        checks: run after the change and its guards are written.
        cascades: written in the same transaction, however many, with their own cascades.
        deferred: objects that the change has already made ineffective, and which may be written later if there are
            many. They have no further constraints. Queried repeatedly until nothing is left, also in later
            transactions.
        continued: like deferred, but the call does not wait.
        relied_on: where other services have the change within the second of a lease only (decision 0039), and the call
            must not return earlier (decision 0136).
    """

    guards: tuple[VersionGuard, ...] = ()
    checks: tuple[Check, ...] = ()
    cascades: tuple[Cascade, ...] = ()
    deferred: tuple[Cascade, ...] = ()
    continued: Continued | None = None
    relied_on: RelyingReaders | None = None


def together(first: Constraints, second: Constraints) -> Constraints:
    """The constraints of two rules about one change; only one of them may leave objects to a background task, and only the
    first may be relied on by other services.
    """
    if second is NO_CONSTRAINTS or first is NO_CONSTRAINTS:
        return first if second is NO_CONSTRAINTS else second
    return replace(
        first,
        guards=(*first.guards, *second.guards),
        checks=(*first.checks, *second.checks),
        cascades=(*first.cascades, *second.cascades),
        deferred=(*first.deferred, *second.deferred),
        continued=first.continued or second.continued,
    )


ConstraintsByTable = Mapping[str, Callable[[Entry[Any]], Constraints]]
"""By table name, so that commands need not know them."""

NO_CONSTRAINTS = Constraints()
