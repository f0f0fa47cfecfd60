"""Commits entries: state, event and outbox row in one transaction, with gapless sequences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from portico_contracts.events import Changed
from portico_contracts.subjects import encode
from portico_oauth.errors import Fact, Kind, Refusal
from portico_oauth.opaque import RandomBytes
from portico_runtime.clock import Clock
from portico_runtime.mongo import Database, MongoClient, Session, guarded
from pymongo import ReplaceOne
from pymongo.errors import DuplicateKeyError

from portico_users.domain.names import new_id
from portico_users.domain.records import Record, values_of
from portico_users.journal.entry import Claim, Document, Entry, Tell
from portico_users.journal.schema import EVENTS, IDS, OUTBOX, Schema
from portico_users.journal.ties import UNTIED, Hold, Tie, Ties
from portico_users.journal.transactions import run_transaction
from portico_users.journal.turns import Turns

SYSTEM: Final = "system"
"""The actor where no user acts: the operator's apply."""

ID_TAKEN = Fact("USER-010", Kind.EXISTS, "This id is already used.", "Choose another id, or leave it out.")
NAME_TAKEN = Fact("USER-011", Kind.EXISTS, "This name is already used.", "Choose another name.")
CHANGED_MEANWHILE = Fact(
    "USER-012", Kind.PRECONDITION, "This was changed by somebody else at the same time.", "Read it again and repeat."
)
SPENT = Fact(
    "USER-014", Kind.GRANT_SPENT, "This was used already, or is not good any more.", "Begin again where it came from."
)


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
        ties: Ties,
        tell: Tell,
    ) -> None:
        """Makes a journal.

        Args:
            committed: told after each commit, so that the relay need not wait.
            ties: what changes are tied to.
            tell: who is told of them.
        """
        self._mongo = mongo
        self._database: Database = mongo.database
        self._schema = schema
        self._clock = clock
        self._random = random
        self._committed = committed
        self._ties = ties
        self._tell = tell
        self._turns = Turns()

    async def commit(self, entries: Sequence[Entry[Any]], *, actor: str = SYSTEM) -> tuple[Record, ...]:
        """Writes all entries with what follows from them, or none.

        Returns:
            the new versions, with their details.

        Raises:
            Refusal: USER-010, USER-011 when an id or a name is taken, USER-012 when an object is not the one
                the change was decided on, USER-014 when what it claims is gone, `unavailable` when the database cannot be asked.
        """
        self._schema.require()

        async def write(session: Session) -> tuple[Record, ...]:
            records = tuple([await self._write(session, entry, actor) for entry in entries])
            await self._follow(session, entries, actor)
            return records

        relied_on = [hold.id for entry in entries for hold in self._tie(entry).holds]
        async with self._turns.take(relied_on), guarded():
            try:
                records = await run_transaction(self._mongo, write)
            except DuplicateKeyError as error:
                raise _taken(error, entries) from error
        self._committed()
        return records

    async def _write(self, session: Session, entry: Entry[Any], actor: str) -> Record:
        record = self._stamped(entry)
        for claim in entry.claims:
            await self._take(session, claim)
        if entry.before is None:
            await self._insert(session, entry, record)
        else:
            await self._replace(session, entry, record)
        for attachment in entry.attachments:
            await self._database[attachment.collection].replace_one(
                {"_id": attachment.id}, attachment.values, upsert=True, session=session
            )
        for work in entry.along:
            await work(session)
        for hold in self._tie(entry).holds:
            await self._hold(session, hold)
        said = self._said(entry, record, actor)
        if notice := self._tell(entry, said):
            await notice(session)
        await self._database[EVENTS].insert_one(_event(entry, record, said), session=session)
        await self._database[OUTBOX].insert_one(_outbox_row(entry, said), session=session)
        return record

    def _tie(self, entry: Entry[Any]) -> Tie:
        find = self._ties.get(entry.table.name)
        return find(entry) if find else UNTIED

    async def _hold(self, session: Session, hold: Hold) -> None:
        question = {"_id": hold.id, **hold.question}
        held = await self._database[hold.collection].update_one(question, {"$inc": {"held": 1}}, session=session)
        if held.matched_count != 1:
            raise CHANGED_MEANWHILE.refusal(id=hold.id)

    async def _follow(self, session: Session, entries: Sequence[Entry[Any]], actor: str) -> None:
        """Writes what follows from some entries, and what follows from that."""
        for entry in entries:
            for follow in self._tie(entry).follows:
                while found := await follow(self._database, session):
                    await self._write_followers(session, found, actor)
                    await self._follow(session, found, actor)

    async def _write_followers(self, session: Session, entries: Sequence[Entry[Any]], actor: str) -> None:
        """Writes new versions of objects of one collection that were read in this transaction."""
        stamped = [(entry, self._stamped(entry)) for entry in entries]
        replacements = [
            ReplaceOne({"_id": record.id, "sequence": record.sequence - 1}, entry.table.document(record))
            for entry, record in stamped
        ]
        rows = self._database[entries[0].table.name]
        result = await rows.bulk_write(replacements, ordered=False, session=session)
        if result.matched_count != len(stamped):
            raise CHANGED_MEANWHILE.refusal(table=rows.name)
        said = [(entry, record, self._said(entry, record, actor)) for entry, record in stamped]
        await self._database[EVENTS].insert_many([_event(*one) for one in said], session=session)
        await self._database[OUTBOX].insert_many([_outbox_row(entry, one) for entry, _, one in said], session=session)

    async def _take(self, session: Session, claim: Claim) -> None:
        taken = await self._database[claim.collection].delete_one({"_id": claim.id}, session=session)
        if taken.deleted_count != 1:
            raise SPENT.refusal(collection=claim.collection)

    def _stamped(self, entry: Entry[Any]) -> Record:
        before: Record | None = entry.before
        after: Record = entry.after
        now = self._clock.now()
        # Clocks of replicas differ; the times of one object still never run backwards.
        changed = max(now, before.changed) if before else now
        created, sequence = (before.created, before.sequence + 1) if before else (now, 1)
        moments = dict.fromkeys(entry.moments, changed)
        return msgspec.structs.replace(after, created=created, changed=changed, sequence=sequence, **moments)

    async def _insert(self, session: Session, entry: Entry[Any], record: Record) -> None:
        await self._take_ids(session, entry, record, (record.id, *entry.ids))
        await self._database[entry.table.name].insert_one(entry.table.document(record), session=session)

    async def _replace(self, session: Session, entry: Entry[Any], record: Record) -> None:
        result = await self._database[entry.table.name].replace_one(
            {"_id": record.id, "sequence": record.sequence - 1}, entry.table.document(record), session=session
        )
        if result.matched_count != 1:
            raise CHANGED_MEANWHILE.refusal(id=record.id)
        await self._take_ids(session, entry, record, entry.ids)

    async def _take_ids(self, session: Session, entry: Entry[Any], record: Record, ids: Sequence[str]) -> None:
        # One by one: a duplicate among many would be a bulk error, which does not say which index it broke.
        for id in dict.fromkeys(ids):
            row = {"_id": id, "table": entry.table.name, "object": record.id}
            await self._database[IDS].insert_one(row, session=session)

    def _said(self, entry: Entry[Any], record: Record, actor: str) -> Changed:
        """What is said of an entry."""
        return Changed(
            event_id=new_id(self._random),
            aggregate_id=record.id,
            org_id=record.org_id,
            sequence=record.sequence,
            at=record.changed,
            actor=actor,
            fields=entry.fields,
            action=entry.action,
        )


def _outbox_row(entry: Entry[Any], said: Changed) -> Document:
    return {
        "_id": said.event_id,
        "subject": entry.table.event.subject,
        "object": said.aggregate_id,
        "at": said.at,
        "sequence": said.sequence,
        "body": encode(said),
    }


def _event(entry: Entry[Any], record: Record, said: Changed) -> Document:
    values = values_of(record)
    return {
        "_id": said.event_id,
        "table": entry.table.name,
        "object": record.id,
        "orgId": record.org_id,
        "sequence": said.sequence,
        "at": said.at,
        "actor": said.actor,
        "action": said.action,
        "fields": list(said.fields),
        "values": {name: values[name] for name in said.fields if name in values and name not in entry.table.private},
    }


def _taken(error: DuplicateKeyError, entries: Sequence[Entry[Any]]) -> Refusal:
    pattern = (error.details or {}).get("keyPattern", {})
    facts = {"_id": ID_TAKEN} | {key: fact for entry in entries for key, fact in entry.table.taken.items()}
    fact = next((facts[key] for key in pattern if key in facts), NAME_TAKEN)
    return fact.refusal(keys=sorted(pattern))
