"""How many text messages an organization may send: a cap on what an attacker can make it pay."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NamedTuple

from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, IndexModel, ReturnDocument
from pymongo.errors import DuplicateKeyError

from portico_users.notifications.senders.sender import Sender
from portico_users.storage.entry import Document
from portico_users.storage.schema import Indexes

COUNTS: Final = "textCounts"
COUNT_SECONDS: Final = 62 * 86_400.0
"""Lifetime of the counts of a month, from its last message on."""

TEXT_COUNT_INDEXES: Final[Indexes] = {COUNTS: (IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),)}

LIMIT_REACHED = ErrorCode(
    "USER-163",
    Kind.TOO_MANY_REQUESTS,
    "The organization has reached its limit of text messages.",
    "Use another way to sign in, or ask an administrator to raise messagesPerDay or messagesPerMonth of the sender.",
)


class Sent(NamedTuple):
    today: int = 0
    this_month: int = 0


@dataclass(frozen=True, slots=True)
class Allowance:
    database: Database
    clock: Clock

    async def take(self, org_id: str, sender: Sender) -> bool:
        """Counts a message in one atomic step; whether it was the last one of the day or month.

        Raises USER-163 beyond the limits. A message that is never delivered stays counted.
        """
        at = datetime.fromtimestamp(self.clock.now(), UTC)
        day = _day(at)
        left = {
            "month": {"$not": {"$gte": sender.messages_per_month}},
            day: {"$not": {"$gte": sender.messages_per_day}},
        }
        forget = datetime.fromtimestamp(self.clock.now() + COUNT_SECONDS, UTC)
        change = {"$inc": {"month": 1, day: 1}, "$set": {"forgetAt": forget}}
        for _ in range(2):  # a concurrent first message of the month causes a duplicate, too
            if row := await self._change({"_id": _id(org_id, at), **left}, change):
                return bool(row["month"] == sender.messages_per_month or row[day] == sender.messages_per_day)
        raise LIMIT_REACHED.error(org=org_id)

    async def _change(self, question: Document, change: Document) -> Document | None:
        """Returns None where the row exists and does not match."""
        async with guarded():
            try:
                row: Document = await self.database[COUNTS].find_one_and_update(
                    question, change, upsert=True, return_document=ReturnDocument.AFTER
                )
            except DuplicateKeyError:
                return None
        return row

    async def find(self, org_id: str) -> Sent:
        at = datetime.fromtimestamp(self.clock.now(), UTC)
        async with guarded():
            row = await self.database[COUNTS].find_one({"_id": _id(org_id, at)})
        return Sent(row.get(_day(at), 0), row["month"]) if row else Sent()


def _id(org_id: str, at: datetime) -> str:
    return f"{at:%Y-%m}:{org_id}"


def _day(at: datetime) -> str:
    return f"day{at:%d}"
