from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from portico_oauth.errors import ServiceError

from portico_users.journal.constraints import Cascade
from portico_users.journal.journal import Journal
from portico_users.storage.entry import Entry
from portico_users.storage.transactions import KeyedLocks
from portico_users.values.problems import CHANGED_MEANWHILE
from portico_users.values.records import SYSTEM, AnyRecord, Record, refuse_unchanged

PATIENCE: Final = 5.0
"""Seconds for writes after a large change; a call is cancelled after 10."""


_ATTEMPTS: Final = 5

Result = TypeVar("Result")


async def repeat_overtaken(change: Callable[[], Awaitable[Result]], turns: KeyedLocks | None = None) -> Result:
    """Makes a change again, from reading on, if another one was committed meanwhile (USER-012): five times at most.

    With ``turns``, repeats that change the same object take turns, so that many of them do not use up their
    attempts on each other. Only the outermost repetition has turns; an inner one would wait for itself.
    """
    changed: tuple[str, ...] = ()
    for attempts_left in reversed(range(_ATTEMPTS)):
        try:
            async with turns.acquire(changed) if turns else nullcontext():
                return await change()
        except ServiceError as error:
            if error.id != CHANGED_MEANWHILE.id or not attempts_left:
                raise
            id = error.private.get("id")  # not in every error
            changed = (str(id),) if id else ()
    raise AssertionError("unreachable")  # pragma: no cover


class Command:
    """A use case: validates a change of plain values and commits it.

    It is independent of protobuf, YAML and HTTP, owns all rules of its change, and is the only way to the
    journal. ``await command(values, actor=...)`` plans and commits; to commit several changes together, call
    ``await command.plan(values)`` and pass the entries to `Commit`.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PlannedClient(Generic[AnyRecord]):
    entry: Entry[AnyRecord]
    secret: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Commit(Command):
    journal: Journal

    async def __call__(self, entry: Entry[AnyRecord], *, actor: str = SYSTEM) -> AnyRecord:
        (record,) = await self.journal.commit((entry,), actor=actor, patience=PATIENCE)
        changed: AnyRecord = record  # type: ignore[assignment] # the journal answers the kinds it was given
        return changed

    async def change(self, entry: Entry[AnyRecord], *, actor: str) -> AnyRecord:
        if entry.before is not None:
            refuse_unchanged(entry.before, entry.after)
        return await self(entry, actor=actor)

    async def all(self, entries: Sequence[Entry[Record]], *, actor: str = SYSTEM) -> tuple[Record, ...]:
        return await self.journal.commit(entries, actor=actor)

    async def create_each(
        self, entries: Sequence[Entry[AnyRecord]], *, actor: str = SYSTEM
    ) -> list[AnyRecord | ServiceError]:
        """Writes independent new objects together; returns the record or the error of each."""
        created: list[AnyRecord | ServiceError] = await self.journal.create_each(entries, actor=actor)  # type: ignore[assignment] # as in a call
        return created

    def outlasted(self) -> AbstractAsyncContextManager[None]:
        """Commits in the block that have to wait for the leases of other services wait once, at its end."""
        return self.journal.outlasted()

    async def finish(self, later: Sequence[Cascade], *, actor: str = SYSTEM) -> bool:
        return await self.journal.finish(later, actor=actor, patience=PATIENCE) > 0
