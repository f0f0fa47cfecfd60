"""Writes new objects that have nothing to do with each other in one transaction, with one statement per collection."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import msgspec
from portico_contracts.events import Changed
from portico_oauth.errors import Kind, ServiceError
from portico_runtime.mongo import Database, MongoClient, Session, guarded
from pymongo.errors import BulkWriteError, DuplicateKeyError

from portico_users.kernel.cascades import CascadeWriter
from portico_users.kernel.constraints import CheckedTogether, Constraints
from portico_users.kernel.entry import Attachment, Document, Entry, Notifications, SettleTogether
from portico_users.kernel.event_recorder import EventRecorder, event_of, row_of_change
from portico_users.kernel.records import Record
from portico_users.kernel.schema import EVENTS, IDS, OUTBOX
from portico_users.kernel.transactions import run_transaction

LARGEST: Final = 65_536
"""Bytes of an object; a larger one is written by itself, so that no transaction is too large for the log of the store."""


@dataclass(frozen=True, slots=True, eq=False)
class Creation:
    """A new object that waits to be written, in the name of its actor. Two of them are never the same."""

    entry: Entry[Record]
    actor: str


class _Write(NamedTuple):
    """What one creation writes."""

    entry: Entry[Record]
    record: Record
    event: Changed


@dataclass(frozen=True, slots=True)
class CreationWriter:
    """Writes creations: the same documents as the journal writes for each of them."""

    mongo: MongoClient
    database: Database
    recorder: EventRecorder
    cascades: CascadeWriter
    notifications: Notifications

    def takes(self, entries: Sequence[Entry[Record]]) -> bool:
        """Whether the entries are one new object of a gathered table that relies on no other one and uses nothing up."""
        entry = entries[0] if len(entries) == 1 else None
        if entry is None or not entry.table.gathered or entry.before is not None or entry.claims:
            return False
        found = self.cascades.constraints_of(entry)
        alone = found == Constraints(checks=found.checks)
        checks = all(isinstance(check, CheckedTogether) for check in found.checks)
        attachments = all(one.settle is None or one.settle_together is not None for one in entry.attachments)
        return alone and checks and attachments and len(msgspec.json.encode(entry.after)) <= LARGEST

    async def write(self, creations: Sequence[Creation]) -> list[Record] | None:
        """Writes all in one transaction; None where they are refused together, with nothing written.

        Raises:
            ServiceError: `unavailable` when the database cannot be asked.
        """
        async with guarded():
            try:
                return await run_transaction(self.mongo, lambda session: self._write(session, creations))
            except (DuplicateKeyError, BulkWriteError):
                return None
            except ServiceError as error:
                if error.kind is Kind.UNAVAILABLE:
                    raise
                return None

    async def _write(self, session: Session, creations: Sequence[Creation]) -> list[Record]:
        stamped = [(one, self.recorder.next_version(one.entry)) for one in creations]
        writes = [_Write(one.entry, new, self.recorder.to_event(one.entry, new, one.actor)) for one, new in stamped]
        for collection, documents in _documents(writes).items():
            await self.database[collection].insert_many(documents, session=session)
        await self._settle(session, writes)
        for write in writes:
            for work in write.entry.side_writes:
                await work(session)
        await self._check(session, writes)
        for write in writes:
            if notice := self.notifications.notice_of(write.entry, write.event):
                await notice(session)
        return [write.record for write in writes]

    async def _settle(self, session: Session, writes: Sequence[_Write]) -> None:
        settled: dict[SettleTogether, list[Attachment]] = defaultdict(list)
        for write in writes:
            for attachment in write.entry.attachments:
                if attachment.settle_together:
                    settled[attachment.settle_together].append(attachment)
        for settle, attachments in settled.items():
            await settle(self.database, session, attachments)

    async def _check(self, session: Session, writes: Sequence[_Write]) -> None:
        checks: dict[type[CheckedTogether], list[CheckedTogether]] = defaultdict(list)
        for write in writes:
            for check in self.cascades.constraints_of(write.entry).checks:
                if isinstance(check, CheckedTogether):
                    checks[type(check)].append(check)
        for kind, several in checks.items():
            await kind.check_all(several, self.database, session)


def _documents(writes: Sequence[_Write]) -> dict[str, list[Document]]:
    """What is inserted into each collection, in the order in which the collections are written."""
    documents: dict[str, list[Document]] = {IDS: []}
    for entry, record, _ in writes:
        ids = dict.fromkeys((record.id, *entry.ids))
        documents[IDS] += [{"_id": id, "table": entry.table.name, "object": record.id} for id in ids]
        documents.setdefault(entry.table.name, []).append(entry.table.document(record))
        for attachment in entry.attachments:
            documents.setdefault(attachment.collection, []).append({"_id": attachment.id, **attachment.values})
    documents[EVENTS] = [event_of(*write) for write in writes]
    documents[OUTBOX] = [row_of_change(entry, event) for entry, _, event in writes]
    return documents
