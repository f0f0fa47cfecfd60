"""Numbers of passwords by kind of hash, counted in the transactions that write passwords, never by a scan.

Each counter is spread over several documents, so that concurrent transactions rarely write the same one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from zlib import crc32

from portico_contracts.users import COSTLY_SECONDS, GetHashKinds, HashKind, HashKinds
from portico_runtime.mongo.client import Database, MongoClient, Session, guarded
from portico_runtime.mongo.migrations import Batch, count_due, next_due
from portico_runtime.process.clock import Clock

from portico_users.credentials.passwords.hash_kinds import kind_of
from portico_users.credentials.passwords.hashing import HashingPool
from portico_users.credentials.passwords.imported_hashes import describe
from portico_users.end_users.store import PASSWORDS
from portico_users.storage.entry import Attachment, Document, Work
from portico_users.storage.transactions import run_transaction

HASH_COUNTS: Final = "hashCounts"
_SHARDS: Final = 32
_AT_ONCE: Final = 200
_UNCOUNTED: Final[Document] = {"kind": None, "hash": {"$exists": True}}
_COUNTED: Final = "counted"


def password_attachment(user_id: str, hash: str) -> Attachment:
    """Writes and counts the hash in the transaction in which the user gets a password."""
    kind = kind_of(hash)

    async def count(database: Database, session: Session, before: Document | None) -> None:
        await count_change(database, session, user_id, before, kind)

    values = {"hash": hash, "kind": kind}
    return Attachment(PASSWORDS, user_id, values, settle=count, settle_together=count_new)


async def count_new(database: Database, session: Session, attachments: Sequence[Attachment]) -> None:
    kinds = Counter(attachment.values["kind"] for attachment in attachments if attachment.values["kind"])
    await _add(database, session, attachments[0].id, kinds)


def forgetting_password(database: Database) -> Callable[[str], Work]:
    def forget(user_id: str) -> Work:
        async def write(session: Session) -> None:
            before = await database[PASSWORDS].find_one_and_delete({"_id": user_id}, session=session)
            await count_change(database, session, user_id, before, "")

        return write

    return forget


async def count_change(database: Database, session: Session, user_id: str, before: Document | None, kind: str) -> None:
    changes: Counter[str] = Counter()
    if kind:
        changes[kind] += 1
    if before and (known := before.get("kind")):
        changes[known] -= 1
    await _add(database, session, user_id, changes)


async def _add(database: Database, session: Session, user_id: str, changes: Counter[str]) -> None:
    shard = crc32(user_id.encode()) % _SHARDS
    # Use one order to avoid deadlocks between transactions.
    for kind, number in sorted(changes.items()):
        if number:
            await database[HASH_COUNTS].update_one(
                {"_id": f"{shard}:{kind}"},
                {"$inc": {"number": number}, "$set": {"kind": kind}},
                upsert=True,
                session=session,
            )


class HashCounts:
    """Reads the counters; counts passwords of older releases at start, and those of older replicas as a migration."""

    name = "password-kinds"
    text = "the kind of hash of each password, with its counters"

    def __init__(self, mongo: MongoClient) -> None:
        self._mongo = mongo
        self._database = mongo.database

    async def list_kinds(self) -> dict[str, int]:
        found: Counter[str] = Counter()
        async with guarded():
            for row in await self._database[HASH_COUNTS].find({"kind": {"$gt": ""}}).to_list(None):
                found[row["kind"]] += row["number"]
        return {kind: number for kind, number in found.items() if number > 0 and kind_of(kind) == kind}

    async def count_older(self) -> None:
        """Counts, once, the passwords stored by releases without counters. Sign-ins do not wait for it."""
        async with guarded():
            if await self._database[HASH_COUNTS].find_one({"_id": _COUNTED}):
                return
            last = ""
            while rows := await self._next_rows(last):
                for row in rows:
                    await self._count(row)
                last = rows[-1]["_id"]
            await self._database[HASH_COUNTS].replace_one({"_id": _COUNTED}, {}, upsert=True)

    async def count_left(self) -> int:
        return await count_due(self._database[PASSWORDS], _UNCOUNTED)

    async def carry(self, after: str) -> Batch:
        async with guarded():
            found, further = await next_due(self._database[PASSWORDS], _UNCOUNTED, after)
            for row in found:
                await self._count(row)
        return Batch(len(found), 0, further)

    async def _next_rows(self, last: str) -> list[Document]:
        rows = self._database[PASSWORDS].find({"_id": {"$gt": last}}).sort("_id").limit(_AT_ONCE)
        return await rows.to_list(_AT_ONCE)

    async def _count(self, row: Document) -> None:
        if "kind" in row:
            return
        kind, same = kind_of(row["hash"]), {"_id": row["_id"], "hash": row["hash"], "kind": None}

        async def write(session: Session) -> None:
            marked = await self._database[PASSWORDS].update_one(same, {"$set": {"kind": kind}}, session=session)
            if marked.modified_count:
                await _add(self._database, session, row["_id"], Counter([kind] if kind else []))

        await run_transaction(self._mongo, write)


@dataclass(frozen=True, slots=True)
class HashReport:
    counts: HashCounts
    pool: HashingPool
    clock: Clock

    async def list_kinds(self, _ask: GetHashKinds) -> HashKinds:
        """Lists kinds by number of users; computes one hash of each algorithm not yet measured."""
        counted = sorted((await self.counts.list_kinds()).items(), key=lambda one: (-one[1], one[0]))
        kinds = [
            HashKind(description=describe(kind), users=users, seconds=await self.pool.measure(kind))
            for kind, users in counted
        ]
        return HashKinds(kinds=tuple(kinds), at=self.clock.now())


async def costly_seconds(pool: HashingPool, hash: str) -> float:
    """Returns the seconds of a hash that is slow enough for a warning, otherwise 0."""
    seconds = await pool.measure(hash)
    return seconds if seconds > COSTLY_SECONDS else 0.0
