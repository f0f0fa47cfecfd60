"""Commits entries: state, event and outbox row in one transaction, with gapless sequences."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Final, TypeVar

import msgspec
from portico_contracts.subjects import Event
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import RandomBytes
from portico_runtime.mongo.client import Database, MongoClient, Session, guarded
from portico_runtime.process.clock import Clock
from portico_runtime.versioned_cache.versions import Versions, new_change
from pymongo.errors import DuplicateKeyError

from portico_users.journal.cascades import CascadeWriter, Changing
from portico_users.journal.changed_versions import ChangedVersions, changed_by
from portico_users.journal.constraints import AT_ONCE, Cascade, ConstraintsByTable
from portico_users.journal.creations import Creation, CreationWriter
from portico_users.journal.event_recorder import EventRecorder, Occurrence, event_of, outbox_row, row_of_change
from portico_users.journal.expected_version import require_expected
from portico_users.journal.leases import Leases
from portico_users.storage.entry import Claim, Entry, Notice, Notifications, VersionGuard, Work
from portico_users.storage.gathering import Gathering
from portico_users.storage.schema import EVENTS, IDS, OUTBOX, Schema
from portico_users.storage.transactions import KeyedLocks, run_transaction
from portico_users.values.problems import ALREADY_USED, CHANGED_MEANWHILE, ID_TAKEN, NAME_TAKEN, UNFINISHED
from portico_users.values.records import SYSTEM, Record

PORTION: Final = 100
"""New objects of one transaction."""

REST: Final = 0.002
"""In seconds; a transaction takes many times as long."""

Body = TypeVar("Body", bound=msgspec.Struct)
Result = TypeVar("Result")


class Journal:
    """The only way to change an object."""

    def __init__(
        self,
        mongo: MongoClient,
        schema: Schema,
        clock: Clock,
        random: RandomBytes,
        committed: Callable[[], None],
        *,
        constraints: ConstraintsByTable,
        notifications: Notifications,
        versions: Versions,
    ) -> None:
        self._mongo = mongo
        self._database: Database = mongo.database
        self._schema = schema
        self._committed = committed
        self._recorder = EventRecorder(clock, random)
        self._cascades = CascadeWriter(mongo.database, self._recorder, constraints)
        self._notifications = notifications
        self._versions = versions
        self._leases = Leases(versions)
        self._random = random
        self._locks = KeyedLocks()
        self._creation_writer = CreationWriter(mongo, self._database, self._recorder, self._cascades, notifications)
        self._creations: Gathering[Creation, Record | ServiceError] = Gathering(self._write_creations, rest=REST)

    async def commit(
        self, entries: Sequence[Entry[Record]], *, actor: str = SYSTEM, patience: float | None = None
    ) -> tuple[Record, ...]:
        """Writes all entries with their cascades or none, then deferred changes; returns the new versions.

        Independent new objects whose kind is not cached and that arrive concurrently share a transaction. If
        ``patience`` (seconds; None for no limit) ends before the deferred changes, raises USER-910: the
        entries are written.
        """
        self._schema.require()
        with require_expected(entries, actor):
            return await self._commit_expected(entries, actor, patience)

    async def create_each(
        self, entries: Sequence[Entry[Record]], *, actor: str = SYSTEM
    ) -> list[Record | ServiceError]:
        """Writes independent new objects, and returns the record or the error of each.

        Those that `commit` would let share a transaction share one for each `PORTION` of them.
        """
        self._schema.require()
        with require_expected(entries[:1], actor):
            found = [(self._gathered((entry,), actor), entry) for entry in entries]
            creations = [one or Creation(entry, actor) for one, entry in found]
            done: dict[Creation, Record | ServiceError] = {}
            together = [one for one, _ in found if one]
            for start in range(0, len(together), PORTION):
                done.update(await self._write_creations(together[start : start + PORTION]))
            for creation in creations:
                if creation not in done:
                    done[creation] = await self._create_alone(creation)
            return [done[creation] for creation in creations]

    async def _create_alone(self, creation: Creation) -> Record | ServiceError:
        try:
            (record,) = await self._commit((creation.entry,), creation.actor, None)
        except ServiceError as error:
            return error
        return record

    def _gathered(self, entries: Sequence[Entry[Record]], actor: str) -> Creation | None:
        creation = self._creation_writer.creation_of(entries, actor)
        return None if creation is None or changed_by(creation.entry) else creation

    async def _commit_expected(
        self, entries: Sequence[Entry[Record]], actor: str, patience: float | None
    ) -> tuple[Record, ...]:
        if creation := self._gathered(entries, actor):
            outcome = await self._creations.find(creation)
            if not isinstance(outcome, Record):
                raise outcome or CHANGED_MEANWHILE.error()
            return (outcome,)
        return await self._commit(entries, actor, patience)

    async def _commit(self, entries: Sequence[Entry[Record]], actor: str, patience: float | None) -> tuple[Record, ...]:
        async def write(session: Session, facts: ChangedVersions) -> tuple[tuple[Record, ...], tuple[Cascade, ...]]:
            records = tuple([await self._write(session, entry, actor, facts) for entry in entries])
            changing = Changing(session, actor, facts)
            await self._cascades.write_all(changing, entries)
            for entry, record in zip(entries, records, strict=True):
                await self._cascades.begin_continued(changing, entry, record)
            deferred = [cascade for entry in entries for cascade in self._cascades.constraints_of(entry).deferred]
            return records, await self._cascades.begin(changing, deferred)

        relied_on = [guard.id for entry in entries for guard in self._cascades.constraints_of(entry).guards]
        async with self._leases.outlasted():
            async with self._locks.acquire(relied_on), guarded():
                try:
                    records, left = await self._run(write)
                except DuplicateKeyError as error:
                    raise _taken(error, entries) from error
            await self.finish(left, actor=actor, patience=patience)
        return records

    async def _write_creations(self, creations: Sequence[Creation]) -> Mapping[Creation, Record | ServiceError]:
        """Returns the result of each; if one is refused, splits the batch so that each gets its own error."""
        try:
            if len(creations) == 1:
                (alone,) = creations
                (record,) = await self._commit((alone.entry,), alone.actor, None)
                return {alone: record}
            try:
                records = await self._creation_writer.write(creations)
            finally:
                self._committed()  # as in `_run`
            if records:
                return dict(zip(creations, records, strict=True))
        except ServiceError as error:
            return dict.fromkeys(creations, error)
        middle = len(creations) // 2
        first = await self._write_creations(creations[:middle])
        return {**first, **await self._write_creations(creations[middle:])}

    async def publish(
        self,
        event: Event[Body],
        make: Callable[..., Body],
        *,
        about: str,
        notice: Notice | None = None,
        logged: Occurrence | None = None,
    ) -> None:
        """Publishes an event that is not a change of a record, with its notice, in its own transaction."""
        self._schema.require()
        written = self.publication(event, make, about=about, notice=notice, logged=logged)
        try:
            async with guarded():
                await run_transaction(self._mongo, written)
        finally:
            self._committed()  # as in `_run`

    async def log(self, logged: Occurrence) -> None:
        """Logs an action that another service performs for a caller and publishes itself."""
        self._schema.require()
        event_id, at = self._recorder.stamp()
        async with guarded():
            await self._database[EVENTS].insert_one(logged.row(event_id, at))

    def publication(
        self,
        event: Event[Body],
        make: Callable[..., Body],
        *,
        about: str,
        notice: Notice | None = None,
        logged: Occurrence | None = None,
    ) -> Work:
        event_id, at = self._recorder.stamp()
        row = outbox_row(event, make(event_id=event_id, at=at), about=about)
        enqueue = notice(event_id, at) if notice else None

        async def write(session: Session) -> None:
            await self._database[OUTBOX].insert_one(row, session=session)
            if logged:
                await self._database[EVENTS].insert_one(logged.row(event_id, at), session=session)
            if enqueue:
                await enqueue(session)

        return write

    async def finish(self, deferred: Sequence[Cascade], *, actor: str = SYSTEM, patience: float | None = None) -> int:
        """Writes deferred changes in batches, each in a transaction; earlier batches stay if ``patience`` ends."""
        written = 0
        now = asyncio.get_running_loop().time
        end = None if patience is None else now() + patience
        async with self._leases.outlasted():
            for cascade in deferred:
                while portion := await self._write_batch(cascade, actor):
                    written += portion
                    if end is not None and now() > end and portion == AT_ONCE:
                        raise UNFINISHED.error(retry_after=1, written=written)
        return written

    def outlasted(self) -> AbstractAsyncContextManager[None]:
        """See `Leases.outlasted`: commits in the block wait together, at its end."""
        return self._leases.outlasted()

    async def _write_batch(self, cascade: Cascade, actor: str) -> int:
        async with guarded():
            return await self._run(
                lambda session, facts: self._cascades.write_next(Changing(session, actor, facts), cascade)
            )

    async def _run(self, write: Callable[[Session, ChangedVersions], Awaitable[Result]]) -> Result:
        """Runs a transaction between marking cached data and setting their versions."""
        facts = ChangedVersions(self._versions, new_change(self._random))

        async def marked(session: Session) -> Result:
            facts.begin_again()
            result = await write(session, facts)
            await facts.mark()
            return result

        try:
            result = await run_transaction(self._mongo, marked)
        except BaseException:
            await facts.withdraw()
            raise
        finally:
            self._committed()  # even if the call fails, for it may be committed: nothing else wakes the work
        await facts.set()
        if facts.leased and await self._are_relied_on(facts.leased):
            self._leases.note()
        return result

    async def _are_relied_on(self, changes: Sequence[tuple[Entry[Record], float]]) -> bool:
        try:
            async with guarded():
                for entry, at in changes:
                    relied_on = self._cascades.constraints_of(entry).relied_on
                    if relied_on and await relied_on(self._database, at):
                        return True
        except ServiceError:  # not known
            return True
        return False

    async def _write(self, session: Session, entry: Entry[Record], actor: str, facts: ChangedVersions) -> Record:
        record = self._recorder.next_version(entry)
        facts.add(entry, record)
        for claim in entry.claims:
            await self._take(session, claim)
        if entry.before is None:
            await self._insert(session, entry, record)
        else:
            await self._replace(session, entry, record)
        for attachment in entry.attachments:
            stored = await self._database[attachment.collection].find_one_and_replace(
                {"_id": attachment.id}, attachment.values_by(actor), upsert=True, session=session
            )
            if attachment.settle:
                await attachment.settle(self._database, session, stored)
        for work in entry.side_writes:
            await work(session)
        constraints = self._cascades.constraints_of(entry)
        for guard in constraints.guards:
            await self._touch(session, guard)
        for check in constraints.checks:
            await check(self._database, session)
        event = self._recorder.to_event(entry, record, actor)
        if notice := self._notifications.notice_of(entry, event):
            await notice(session)
        await self._database[EVENTS].insert_one(event_of(entry, record, event), session=session)
        await self._database[OUTBOX].insert_one(row_of_change(entry, event), session=session)
        return record

    async def _touch(self, session: Session, guard: VersionGuard) -> None:
        question = {"_id": guard.id, **guard.condition}
        held = await self._database[guard.collection].update_one(
            question, {"$inc": {"held": 1}}, upsert=guard.upsert, session=session
        )
        if held.matched_count != 1 and held.upserted_id is None:
            raise CHANGED_MEANWHILE.error(id=guard.id)

    async def _take(self, session: Session, claim: Claim) -> None:
        taken = await self._database[claim.collection].delete_one({"_id": claim.id}, session=session)
        if taken.deleted_count != 1:
            raise ALREADY_USED.error(collection=claim.collection)

    async def _insert(self, session: Session, entry: Entry[Record], record: Record) -> None:
        await self._take_ids(session, entry, record, (record.id, *entry.ids))
        await self._database[entry.table.name].insert_one(entry.table.document(record), session=session)

    async def _replace(self, session: Session, entry: Entry[Record], record: Record) -> None:
        if not record.whole:
            raise AssertionError(f"{record.id} was read without some of its fields and would lose them")
        table, question = entry.table, {"_id": record.id, "sequence": record.sequence - 1}
        rows = self._database[table.name]
        if table.kept:
            result = await rows.update_one(question, table.replacing(record), session=session)
        else:
            result = await rows.replace_one(question, table.document(record), session=session)
        if result.matched_count != 1:
            raise CHANGED_MEANWHILE.error(id=record.id)
        await self._take_ids(session, entry, record, entry.ids)

    async def _take_ids(self, session: Session, entry: Entry[Record], record: Record, ids: Sequence[str]) -> None:
        # Insert one by one: a bulk write error does not name the index of the duplicate.
        for id in dict.fromkeys(ids):
            row = {"_id": id, "table": entry.table.name, "object": record.id}
            await self._database[IDS].insert_one(row, session=session)


def _taken(error: DuplicateKeyError, entries: Sequence[Entry[Record]]) -> ServiceError:
    pattern = (error.details or {}).get("keyPattern", {})
    errors = {"_id": ID_TAKEN} | {
        key: error_code for entry in entries for key, error_code in entry.table.duplicates.items()
    }
    error_code = next((errors[key] for key in pattern if key in errors), NAME_TAKEN)
    return error_code.error(keys=sorted(pattern))
