"""Creates independent objects in one transaction, with one statement per collection."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import msgspec
from portico_contracts.events import Changed, CreatedTogether
from portico_contracts.subjects import Event
from portico_oauth.errors import Kind, ServiceError
from portico_runtime.mongo.client import Database, MongoClient, Session, guarded
from pymongo.errors import BulkWriteError, DuplicateKeyError

from portico_users.journal.cascades import CascadeWriter
from portico_users.journal.constraints import CheckedTogether
from portico_users.journal.event_recorder import EventRecorder, event_of, outbox_row
from portico_users.storage.entry import Attachment, Document, Entry, Notifications, SettleTogether
from portico_users.storage.schema import EVENTS, IDS, OUTBOX
from portico_users.storage.transactions import run_transaction
from portico_users.values.records import Record

LARGEST: Final = 65_536
"""In bytes; larger objects are written alone, to limit the size of transactions."""


@dataclass(frozen=True, slots=True, eq=False)
class Creation:
    """An object waiting to be created; compared by identity."""

    entry: Entry[Record]
    actor: str
    checks: tuple[CheckedTogether, ...] = ()


class _Write(NamedTuple):
    entry: Entry[Record]
    record: Record
    event: Changed
    checks: tuple[CheckedTogether, ...]


@dataclass(frozen=True, slots=True)
class CreationWriter:
    """Writes the same documents as the journal would for each object, but for their one row of the outbox."""

    mongo: MongoClient
    database: Database
    recorder: EventRecorder
    cascades: CascadeWriter
    notifications: Notifications

    def creation_of(self, entries: Sequence[Entry[Record]], actor: str) -> Creation | None:
        """Returns one new object of a gathered table without dependencies or claims; None for any other change."""
        entry = entries[0] if len(entries) == 1 else None
        if entry is None or not entry.table.gathered or entry.before is not None or entry.claims:
            return None
        found = self.cascades.constraints_of(entry)
        checks = tuple([check for check in found.checks if isinstance(check, CheckedTogether)])
        alone = not (found.guards or found.cascades or found.deferred or found.continued or found.relied_on)
        attachments = all(one.settle is None or one.settle_together is not None for one in entry.attachments)
        if not alone or len(checks) < len(found.checks) or not attachments:
            return None
        return Creation(entry, actor, checks) if len(msgspec.json.encode(entry.after)) <= LARGEST else None

    async def write(self, creations: Sequence[Creation]) -> list[Record] | None:
        """Writes all in one transaction; None, with nothing written, if any is refused."""
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
        writes = [
            _Write(one.entry, new, self.recorder.to_event(one.entry, new, one.actor), one.checks)
            for one, new in stamped
        ]
        for collection, documents in {**_documents(writes), OUTBOX: self._outbox_rows(writes)}.items():
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

    def _outbox_rows(self, writes: Sequence[_Write]) -> list[Document]:
        """One for all objects of a table: a row of each would cost its writing, its deletion, and its message."""
        changes: dict[Event[CreatedTogether], list[Changed]] = defaultdict(list)
        for write in writes:
            if event := write.entry.table.gathered:
                changes[event].append(write.event)
        rows = []
        for event, several in changes.items():
            event_id, _ = self.recorder.stamp()
            body = CreatedTogether(event_id=event_id, at=min(one.at for one in several), changes=tuple(several))
            rows.append(outbox_row(event, body, about=event_id))
        return rows

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
            for check in write.checks:
                checks[type(check)].append(check)
        for kind, several in checks.items():
            await kind.check_all(several, self.database, session)


def _documents(writes: Sequence[_Write]) -> dict[str, list[Document]]:
    documents: dict[str, list[Document]] = {IDS: []}
    for entry, record, event, _ in writes:
        values = msgspec.to_builtins(record)
        ids = dict.fromkeys((record.id, *entry.ids))
        documents[IDS] += [{"_id": id, "table": entry.table.name, "object": record.id} for id in ids]
        documents.setdefault(entry.table.name, []).append(entry.table.document_of(values, record))
        documents.setdefault(EVENTS, []).append(event_of(entry, record, event, values))
        for attachment in entry.attachments:
            documents.setdefault(attachment.collection, []).append(
                {"_id": attachment.id, **attachment.values_by(event.actor)}
            )
    return documents
