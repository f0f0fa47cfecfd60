"""Pending emails in MongoDB: encrypted, claimed by one replica at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import msgspec
from portico_oauth.master_keys import MasterKeys, SealedAtRest, UnsealingFailed
from portico_oauth.opaque import RandomBytes
from portico_runtime.clock import Clock
from portico_runtime.mongo import Database, Session, guarded
from pymongo import ASCENDING, IndexModel, ReturnDocument

from portico_users.kernel.entry import Document
from portico_users.kernel.names import new_id
from portico_users.kernel.schema import Indexes
from portico_users.notifications.email.message import EmailMessage

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
    )
}


@dataclass(frozen=True, slots=True)
class ClaimedEmail:
    """An email that only this replica may send for a while; ``message`` is None if it cannot be decrypted."""

    id: str
    ticket: str
    message: EmailMessage | None
    attempts: int
    in_time: bool


@dataclass(frozen=True, slots=True)
class EmailQueue:
    database: Database
    clock: Clock
    random: RandomBytes
    master_keys: MasterKeys
    committed: Callable[[], None]

    async def put(self, session: Session, message: EmailMessage, *, id: str, until: float) -> None:
        """Enqueues an email with the transaction; ``id`` is the idempotency key, ``until`` in unix seconds."""
        sealed = self.master_keys.seal(msgspec.json.encode(message), id.encode(), self.random)
        row = {"_id": id, "state": WAITING, "notBefore": self.clock.now(), "attempts": 0, "until": until}
        row["sealed"] = {"master": sealed.master, "nonce": sealed.nonce, "data": sealed.data}
        await self.database[EMAILS].insert_one(row, session=session)

    async def withdraw(self, session: Session, ids: Sequence[str]) -> None:
        """Deletes unsent emails with the transaction of the session."""
        await self.database[EMAILS].delete_many({"_id": {"$in": list(ids)}, "state": WAITING}, session=session)

    async def claim(self) -> ClaimedEmail | None:
        """Returns the oldest due email, or None. Counts the attempt in advance."""
        now, ticket = self.clock.now(), new_id(self.random)
        async with guarded():
            row = await self.database[EMAILS].find_one_and_update(
                {"state": WAITING, "notBefore": {"$lte": now}},
                {"$set": {"notBefore": now + LEASE_SECONDS, "ticket": ticket}, "$inc": {"attempts": 1}},
                sort=[("notBefore", 1)],
                return_document=ReturnDocument.AFTER,
            )
        return self._opened(row, ticket, now) if row else None

    async def settle(self, email: ClaimedEmail) -> None:
        async with guarded():
            await self.database[EMAILS].delete_one(_claimed_here(email))

    async def put_back(self, email: ClaimedEmail) -> None:
        later = self.clock.now() + retry_after(email.attempts)
        async with guarded():
            await self.database[EMAILS].update_one(_claimed_here(email), {"$set": {"notBefore": later}})

    async def give_up(self, email: ClaimedEmail, cause: str) -> None:
        """Records that an email is undeliverable and deletes its content."""
        forget = datetime.fromtimestamp(self.clock.now() + KEPT_SECONDS, UTC)
        values = {"state": GIVEN_UP, "cause": cause, "forgetAt": forget}
        async with guarded():
            await self.database[EMAILS].update_one(_claimed_here(email), {"$set": values, "$unset": {"sealed": ""}})

    async def find_next_time(self) -> float | None:
        """Returns when the next email is due, in unix seconds; None without one."""
        async with guarded():
            row = await self.database[EMAILS].find_one({"state": WAITING}, {"notBefore": 1}, sort=[("notBefore", 1)])
        return float(row["notBefore"]) if row else None

    async def count_waiting(self) -> int:
        """Returns the number of unsent emails, up to a thousand."""
        async with guarded():
            return await self.database[EMAILS].count_documents({"state": WAITING}, limit=1_000)

    def _opened(self, row: Document, ticket: str, now: float) -> ClaimedEmail:
        sealed = SealedAtRest(row["sealed"]["master"], row["sealed"]["nonce"], row["sealed"]["data"])
        try:
            message = msgspec.json.decode(self.master_keys.unseal(sealed, row["_id"].encode()), type=EmailMessage)
        except (UnsealingFailed, msgspec.DecodeError):
            message = None
        return ClaimedEmail(row["_id"], ticket, message, row["attempts"], now < row["until"])


def _claimed_here(email: ClaimedEmail) -> Document:
    return {"_id": email.id, "ticket": email.ticket}
