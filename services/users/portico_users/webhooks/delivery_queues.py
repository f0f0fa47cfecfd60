from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from portico_oauth.opaque import RandomBytes
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, IndexModel, ReturnDocument

from portico_users.storage.entry import Document
from portico_users.storage.schema import Indexes
from portico_users.values.names import new_id
from portico_users.webhooks.webhook import rest_after

QUEUES: Final = "webhookLanes"
LEASE_SECONDS: Final = 60.0
"""Lease of a replica in seconds; after its expiry another one takes over and resends unfinished requests."""

QUEUE_INDEXES: Final[Indexes] = {QUEUES: (IndexModel([("due", ASCENDING)]),)}

_NEVER: Final = 1e18
"""Due time of an empty queue whose failures still have to be counted."""


@dataclass(frozen=True, slots=True)
class DeliveryQueue:
    """The leased queue of a webhook.

    Attributes:
        failures: rounds without a delivery.
        failing_since: unix seconds, as ``claimed``.
        is_long: the last turn ended before its deliveries did.
    """

    webhook_id: str
    ticket: str
    claimed: float
    failures: int
    failing_since: float
    is_long: bool = False


@dataclass(frozen=True, slots=True)
class DeliveryQueues:
    """Leases queues to replicas. All methods raise `unavailable` if the database does not respond."""

    database: Database
    clock: Clock
    random: RandomBytes
    announce: Callable[[], None]
    """Wakes the sender of this replica."""

    collection: ClassVar[str] = QUEUES

    async def wake(self, webhook_ids: Iterable[str]) -> None:
        now = self.clock.now()
        first = {"notBefore": 0.0, "failures": 0, "failingSince": 0.0}
        async with guarded():
            for id in webhook_ids:
                await self.database[self.collection].update_one(
                    {"_id": id}, {"$min": {"due": now}, "$setOnInsert": first}, upsert=True
                )
        self.announce()

    async def claim(self, *, short: bool = False) -> DeliveryQueue | None:
        """Claims a due queue; with ``short`` none that needs more than a turn."""
        now, ticket = self.clock.now(), new_id(self.random)
        async with guarded():
            row = await self.database[self.collection].find_one_and_update(
                {"due": {"$lte": now}, "notBefore": {"$lte": now}, **_only(short=short)},
                {"$set": {"notBefore": now + LEASE_SECONDS, "ticket": ticket}, "$unset": {"isReset": ""}},
                sort=[("due", 1)],
                return_document=ReturnDocument.AFTER,
            )
        is_long = bool(row and row.get("isLong"))
        return DeliveryQueue(row["_id"], ticket, now, row["failures"], row["failingSince"], is_long) if row else None

    async def find_next_time(self, *, short: bool = False) -> float | None:
        """Returns when the next queue can be claimed, in unix seconds; None without one."""
        first = {"_id": None, "time": {"$min": {"$max": ["$due", "$notBefore"]}}}
        async with guarded():
            rows = self.database[self.collection].aggregate([{"$match": _only(short=short)}, {"$group": first}])
            found = await rows.to_list(1)
        return float(found[0]["time"]) if found else None

    async def mark(self, queue: DeliveryQueue) -> float:
        """Marks deliveries stored so far as processed, for `release`; later ones make the queue due again."""
        mark = self.clock.now() + LEASE_SECONDS
        async with guarded():
            await self.database[self.collection].update_one(_mine(queue), {"$set": {"due": mark}})
        return mark

    async def release(
        self,
        queue: DeliveryQueue,
        mark: float,
        next_time: float | None,
        *,
        took: bool | None,
        asked: float = 0.0,
        is_long: bool = False,
    ) -> None:
        """Ends the lease; ``took``: whether a delivery succeeded, None if none was sent; ``asked`` is in seconds.

        A queue with due deliveries is due now, so that those that became due earlier are claimed first.
        """
        after, now = self._after(queue, took=took), self.clock.now()
        async with guarded():
            if next_time is None and not after.failures:
                gone = await self.database[self.collection].delete_one({**_mine(queue), "due": mark})
                if gone.deleted_count:
                    return
            next_due = _NEVER if next_time is None else max(next_time, now)
            due = {"$cond": [{"$eq": ["$due", mark]}, next_due, "$due"]}
            rest = max(rest_after(after.failures) if took is False else 0.0, asked)
            counted: Document = {"failures": after.failures, "failingSince": after.failing_since}
            counted["notBefore"] = now + rest if rest else 0.0
            values: Document = {name: {"$cond": ["$isReset", 0, value]} for name, value in counted.items()}
            values |= {"due": due, "isLong": is_long}
            await self.database[self.collection].update_one(
                _mine(queue), [{"$set": values}, {"$unset": ["ticket", "isReset"]}]
            )

    async def find_failing(self, webhook_ids: Iterable[str]) -> dict[str, float]:
        async with guarded():
            rows = self.database[self.collection].find({"_id": {"$in": list(webhook_ids)}, "failures": {"$gt": 0}})
            return {row["_id"]: row["failingSince"] for row in await rows.to_list(None)}

    async def reset_attempts(self, webhook_id: str) -> None:
        """Resets the failures and ends the pause after them, also for a turn that has begun and still fails."""
        leased = {"$ne": [{"$type": "$ticket"}, "missing"]}
        values: Document = {"failures": 0, "failingSince": 0.0, "isReset": leased}
        values["notBefore"] = {"$cond": [leased, "$notBefore", 0.0]}
        async with guarded():
            await self.database[self.collection].update_one({"_id": webhook_id}, [{"$set": values}])

    def _after(self, queue: DeliveryQueue, *, took: bool | None) -> DeliveryQueue:
        if took is None:
            return queue
        if took:
            return replace(queue, failures=0, failing_since=0.0)
        # Set before the first attempt, so that it is comparable with the times of deliveries.
        return replace(queue, failures=queue.failures + 1, failing_since=queue.failing_since or queue.claimed)


def _only(*, short: bool) -> Document:
    return {"isLong": {"$ne": True}} if short else {}


def _mine(queue: DeliveryQueue) -> Document:
    return {"_id": queue.webhook_id, "ticket": queue.ticket}
