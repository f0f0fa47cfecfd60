"""What every use case is: a dataclass whose fields are the parts it needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Generic

from portico_users.kernel.constraints import Cascade
from portico_users.kernel.entry import Entry
from portico_users.kernel.journal import Journal
from portico_users.kernel.records import SYSTEM, AnyRecord, Record, refuse_unchanged

PATIENCE: Final = 5.0
"""Seconds for what is written after a change, where that is much: a call that takes longer than 10 is ended."""


class Command:
    """A use case: plain values in, a valid change out.

    It knows no protobuf, no YAML and no HTTP, owns every rule of its change, and is the only way to the journal. Its call
    ``await command(values, actor=...)`` plans and commits; a door that commits several changes together takes
    ``await command.plan(values)`` and gives what was planned to `Commit`.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PlannedClient(Generic[AnyRecord]):
    """An application or a service user as it will be.

    Args:
        secret: the one that was generated for it; empty where none was.
    """

    entry: Entry[AnyRecord]
    secret: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Commit(Command):
    """Writes planned changes in one transaction."""

    journal: Journal

    async def __call__(self, entry: Entry[AnyRecord], *, actor: str = SYSTEM) -> AnyRecord:
        """The new version of one object.

        Args:
            actor: id of the user in whose name it is written.

        Raises:
            ServiceError: as `Journal.commit`.
        """
        (record,) = await self.journal.commit((entry,), actor=actor, patience=PATIENCE)
        changed: AnyRecord = record  # type: ignore[assignment] # the journal answers the kinds it was given
        return changed

    async def change(self, entry: Entry[AnyRecord], *, actor: str) -> AnyRecord:
        """As the call; USER-702 when the entry would change nothing."""
        if entry.before is not None:
            refuse_unchanged(entry.before, entry.after)
        return await self(entry, actor=actor)

    async def all(self, entries: Sequence[Entry[Record]], *, actor: str = SYSTEM) -> tuple[Record, ...]:
        """The new versions; all are written or none. Raises as `Journal.commit`."""
        return await self.journal.commit(entries, actor=actor)

    async def finish(self, later: Sequence[Cascade], *, actor: str = SYSTEM) -> bool:
        """Goes on with what an earlier call did not finish; whether there was anything. Raises as `Journal.finish`."""
        return await self.journal.finish(later, actor=actor, patience=PATIENCE) > 0
