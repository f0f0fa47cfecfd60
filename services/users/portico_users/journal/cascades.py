from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from portico_runtime.mongo.client import Database, Session
from pymongo import ReplaceOne, UpdateOne

from portico_users.journal.changed_versions import ChangedVersions
from portico_users.journal.constraints import AT_ONCE, NO_CONSTRAINTS, Cascade, Constraints, ConstraintsByTable
from portico_users.journal.event_recorder import EventRecorder, event_of, row_of_change
from portico_users.storage.entry import Document, Entry
from portico_users.storage.schema import EVENTS, OUTBOX
from portico_users.values.problems import CHANGED_MEANWHILE
from portico_users.values.records import Record

IN_ONE: Final = 2 * AT_ONCE
"""Up to so many objects that could be written later are written with the change itself: all, or nothing is done.

A longer transaction would delay every other change of these objects, and begin again after each of them.
"""


@dataclass(frozen=True, slots=True)
class Changing:
    session: Session
    actor: str
    facts: ChangedVersions


@dataclass(frozen=True, slots=True)
class CascadeWriter:
    database: Database
    recorder: EventRecorder
    constraints: ConstraintsByTable

    def constraints_of(self, entry: Entry[Record]) -> Constraints:
        find = self.constraints.get(entry.table.name)
        found = find(entry) if find else NO_CONSTRAINTS
        return replace(found, guards=(*entry.guards, *found.guards)) if entry.guards else found

    async def write_all(self, changing: Changing, entries: Sequence[Entry[Record]]) -> None:
        """Writes the cascades of the entries, recursively."""
        for entry in entries:
            for cascade in self.constraints_of(entry).cascades:
                while found := await cascade(self.database, changing.session):
                    await self._write(changing, found)
                    await self.write_all(changing, found)

    async def begin(self, changing: Changing, deferred: Sequence[Cascade]) -> tuple[Cascade, ...]:
        """Writes as many deferred cascades as fit one transaction; returns the rest."""
        room = IN_ONE
        for place, cascade in enumerate(deferred):
            while written := await self.write_next(changing, cascade):
                room -= written
                if room <= 0:
                    return tuple(deferred[place:])
        return ()

    async def begin_continued(self, changing: Changing, entry: Entry[Record], record: Record) -> None:
        """Writes what fits the transaction, and a note of the rest."""
        continued = self.constraints_of(entry).continued
        if continued and await self.begin(changing, (continued.cascade,)):
            await continued.note(self.database, changing.session, record.changed)

    async def write_next(self, changing: Changing, cascade: Cascade) -> int:
        """Writes the next batch; returns its size."""
        found = await cascade(self.database, changing.session)
        if found:
            await self._write(changing, found)
        return len(found)

    async def _write(self, changing: Changing, entries: Sequence[Entry[Record]]) -> None:
        session, actor = changing.session, changing.actor
        stamped = [(entry, self.recorder.next_version(entry)) for entry in entries]
        for entry, record in stamped:
            changing.facts.add(entry, record)
        replacements = [_replacement(entry, record) for entry, record in stamped]
        rows = self.database[entries[0].table.name]
        result = await rows.bulk_write(replacements, ordered=False, session=session)
        if result.matched_count != len(stamped):
            raise CHANGED_MEANWHILE.error(table=rows.name)
        written = [(entry, record, self.recorder.to_event(entry, record, actor)) for entry, record in stamped]
        await self.database[EVENTS].insert_many([event_of(*one) for one in written], session=session)
        await self.database[OUTBOX].insert_many(
            [row_of_change(entry, one) for entry, _, one in written], session=session
        )


def _replacement(entry: Entry[Record], record: Record) -> UpdateOne | ReplaceOne[Document]:
    question = {"_id": record.id, "sequence": record.sequence - 1}
    table = entry.table
    return UpdateOne(question, table.replacing(record)) if table.kept else ReplaceOne(question, table.document(record))
