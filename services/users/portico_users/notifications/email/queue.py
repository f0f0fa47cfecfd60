"""Pending emails and text messages in MongoDB: encrypted, claimed by one replica at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import msgspec
from portico_oauth.master_keys import MasterKeys, SealedAtRest, UnsealingFailed
from portico_oauth.opaque import RandomBytes, fingerprint
from portico_runtime.mongo.client import Database, Session, guarded
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, IndexModel, ReturnDocument

from portico_users.notifications.email.message import EmailMessage
from portico_users.notifications.email.text_message import TextMessage
from portico_users.storage.entry import Document, Work
from portico_users.storage.schema import Indexes
from portico_users.storage.transactions import Transactions, run_transaction
from portico_users.values.names import new_id

Queued = EmailMessage | TextMessage

LONGEST: Final = 60.0
"""Maximum seconds between attempts, so that emails are sent soon after a failure of any length."""


def retry_after(attempts: int) -> float:
    """Returns the seconds to wait: 2, doubling with each attempt."""
    return min(LONGEST, 2.0 ** min(attempts, 10))


EMAILS: Final = "mails"
LEASE_SECONDS: Final = 60.0
"""How long a replica may take to send a claimed email before another may claim it."""

KEPT_SECONDS: Final = 604_800.0
"""How long undeliverable emails stay visible."""

WAITING: Final = "waiting"
GIVEN_UP: Final = "given up"

EMAIL_INDEXES: Final[Indexes] = {
    EMAILS: (
        IndexModel([("state", ASCENDING), ("notBefore", ASCENDING)]),
        IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),
        IndexModel([("userId", ASCENDING)], sparse=True),
        IndexModel([("orgId", ASCENDING)], sparse=True),
    )
}


_TEXT: Final = "text"


def lane_of(message: Queued) -> str:
    """Messages of one organization on one channel, which have the same sender but for some administrators."""
    return f"{_TEXT if isinstance(message, TextMessage) else 'email'}:{message.org_id}"


@dataclass(frozen=True, slots=True)
class ClaimedEmail:
    """A message that only this replica may send for a while; ``message`` is None if it cannot be decrypted."""

    id: str
    ticket: str
    message: Queued | None
    attempts: int
    in_time: bool


@dataclass(frozen=True, slots=True)
class EmailQueue:
    database: Database
    clock: Clock
    random: RandomBytes
    master_keys: MasterKeys
    committed: Callable[[], None]

    async def put(self, session: Session, message: Queued, *, id: str, until: float) -> None:
        """Enqueues an email with the transaction; ``id`` is the idempotency key, ``until`` in unix seconds."""
        sealed = self.master_keys.seal(msgspec.json.encode(message), id.encode(), self.random)
        row = {"_id": id, "state": WAITING, "notBefore": self.clock.now(), "attempts": 0, "until": until}
        row["lane"] = lane_of(message)
        row["sealed"] = {"master": sealed.master, "nonce": sealed.nonce, "data": sealed.data}
        await self.database[EMAILS].insert_one(row, session=session)

    async def withdraw(self, session: Session, ids: Sequence[str]) -> None:
        """Deletes unsent emails with the transaction of the session."""
        await self.database[EMAILS].delete_many({"_id": {"$in": list(ids)}, "state": WAITING}, session=session)

    async def claim(self, without: Sequence[str] = ()) -> ClaimedEmail | None:
        """Returns the oldest due email of other lanes, or None. Counts the attempt in advance."""
        now, ticket = self.clock.now(), new_id(self.random)
        async with guarded():
            row = await self.database[EMAILS].find_one_and_update(
                {**_waiting(without), "notBefore": {"$lte": now}},
                {"$set": {"notBefore": now + LEASE_SECONDS, "ticket": ticket}, "$inc": {"attempts": 1}},
                sort=[("notBefore", 1)],
                return_document=ReturnDocument.AFTER,
            )
        return self._opened(row, ticket, now) if row else None

    async def settle(self, email: ClaimedEmail, *, delivered: bool) -> None:
        """Deletes the email, and if it was delivered, the record of earlier ones that failed for the same address."""
        async with guarded():
            await self.database[EMAILS].delete_one(_claimed_here(email))
            if delivered and (found := _recipient(email.message)):
                await self.database[EMAILS].delete_many({**found, "state": GIVEN_UP})

    async def put_back(self, email: ClaimedEmail, pause: float | None = None) -> None:
        """``pause``: it was not attempted, and is due after so many seconds."""
        later = self.clock.now() + (retry_after(email.attempts) if pause is None else pause)
        change: Document = {"$set": {"notBefore": later}}
        if pause is not None:
            change["$inc"] = {"attempts": -1}
        async with guarded():
            await self.database[EMAILS].update_one(_claimed_here(email), change)

    async def give_up(self, email: ClaimedEmail, cause: str) -> None:
        """Records that an email is undeliverable and deletes its content."""
        forget = datetime.fromtimestamp(self.clock.now() + KEPT_SECONDS, UTC)
        values = {"state": GIVEN_UP, "cause": cause, "forgetAt": forget, **_recipient(email.message)}
        async with guarded():
            await self.database[EMAILS].update_one(_claimed_here(email), {"$set": values, "$unset": {"sealed": ""}})

    async def find_next_time(self, without: Sequence[str] = ()) -> float | None:
        """Returns when the next email of other lanes is due, in unix seconds; None without one."""
        question = _waiting(without)
        async with guarded():
            row = await self.database[EMAILS].find_one(question, {"notBefore": 1}, sort=[("notBefore", 1)])
        return float(row["notBefore"]) if row else None

    async def count_waiting(self) -> int:
        """Returns the number of unsent emails, up to a thousand."""
        async with guarded():
            return await self.database[EMAILS].count_documents({"state": WAITING}, limit=1_000)

    def _opened(self, row: Document, ticket: str, now: float) -> ClaimedEmail:
        sealed = SealedAtRest(row["sealed"]["master"], row["sealed"]["nonce"], row["sealed"]["data"])
        try:
            opened = self.master_keys.unseal(sealed, row["_id"].encode())
            message = _decoded(opened, is_text=row.get("lane", "").startswith(f"{_TEXT}:"))
        except (UnsealingFailed, msgspec.DecodeError):
            message = None
        return ClaimedEmail(row["_id"], ticket, message, row["attempts"], now < row["until"])


async def commit_waking(queue: EmailQueue | None, mongo: Transactions, work: Work) -> None:
    """Runs a transaction that may enqueue.

    Wakes the work even if the call fails: without the reply to the commit, or cancelled, it may be committed.
    """
    try:
        async with guarded():
            await run_transaction(mongo, work)
    finally:
        if queue:
            queue.committed()


def _recipient(message: Queued | None) -> Document:
    """Returns what identifies the recipient of an email, without the address; empty for other messages."""
    if not isinstance(message, EmailMessage) or not message.user_id:
        return {}
    return {"userId": message.user_id, "orgId": message.org_id, "to": fingerprint(message.to)}


def _decoded(text: bytes, *, is_text: bool) -> Queued:
    return msgspec.json.decode(text, type=TextMessage) if is_text else msgspec.json.decode(text, type=EmailMessage)


def _waiting(without: Sequence[str]) -> Document:
    return {"state": WAITING, "lane": {"$nin": list(without)}} if without else {"state": WAITING}


def _claimed_here(email: ClaimedEmail) -> Document:
    return {"_id": email.id, "ticket": email.ticket}
