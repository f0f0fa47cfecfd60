"""Which webhooks have work, and which replica does it: one at a time for each webhook."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from portico_oauth.opaque import RandomBytes
from portico_runtime.clock import Clock
from portico_runtime.mongo import Database, guarded
from pymongo import ASCENDING, IndexModel, ReturnDocument

from portico_users.kernel.names import new_id
from portico_users.kernel.schema import Indexes
from portico_users.notifications.webhooks.schedule import rest_after

LANES: Final = "webhookLanes"
LEASE_SECONDS: Final = 60.0
"""How long a replica may keep a lane; then it is another's, and what was under way is sent a second time."""

LANE_INDEXES: Final[Indexes] = {LANES: (IndexModel([("due", ASCENDING)]),)}

_NEVER: Final = 1e18
"""When nothing waits, and yet something is to be remembered."""


@dataclass(frozen=True, slots=True)
class Lane:
    """The work for one webhook, this replica's own for a while.

    Attributes:
        claimed: when.
        failures: how many times in a row it took nothing.
        failing_since: unix seconds; 0 while it takes what it gets.
    """

    webhook_id: str
    ticket: str
    claimed: float
    failures: int
    failing_since: float


@dataclass(frozen=True, slots=True)
class Lanes:
    """Hands out lanes. All methods raise the refusal `unavailable` when the database cannot be asked."""

    database: Database
    clock: Clock
    random: RandomBytes

    async def wake(self, webhook_ids: Iterable[str]) -> None:
        """There may be something to send."""
        now = self.clock.now()
        first = {"notBefore": 0.0, "failures": 0, "failingSince": 0.0}
        async with guarded():
            for id in webhook_ids:
                await self.database[LANES].update_one(
                    {"_id": id}, {"$min": {"due": now}, "$setOnInsert": first}, upsert=True
                )

    async def claim(self) -> Lane | None:
        """The lane that waits longest, or None."""
        now, ticket = self.clock.now(), new_id(self.random)
        async with guarded():
            row = await self.database[LANES].find_one_and_update(
                {"due": {"$lte": now}, "notBefore": {"$lte": now}},
                {"$set": {"notBefore": now + LEASE_SECONDS, "ticket": ticket}},
                sort=[("due", 1)],
                return_document=ReturnDocument.AFTER,
            )
        return Lane(row["_id"], ticket, now, row["failures"], row["failingSince"]) if row else None

    async def mark(self, lane: Lane) -> float:
        """Notes that everything written down until now will be seen; what comes later wakes the lane again.

        Returns:
            the mark, for `release`.
        """
        mark = self.clock.now() + LEASE_SECONDS
        async with guarded():
            await self.database[LANES].update_one(_mine(lane), {"$set": {"due": mark}})
        return mark

    async def release(
        self, lane: Lane, mark: float, next_time: float | None, *, took: bool | None, asked: float = 0.0
    ) -> None:
        """Gives the lane back.

        Args:
            next_time: when something is due; None when nothing waits.
            took: whether the receiver took something; None when nothing was sent.
            asked: seconds the receiver wants to be left alone.
        """
        after = self._after(lane, took=took)
        async with guarded():
            if next_time is None and not after.failures:
                gone = await self.database[LANES].delete_one({**_mine(lane), "due": mark})
                if gone.deleted_count:
                    return
            due = {"$cond": [{"$eq": ["$due", mark]}, _NEVER if next_time is None else next_time, "$due"]}
            values: dict[str, Any] = {"due": due, "failures": after.failures, "failingSince": after.failing_since}
            rest = max(rest_after(after.failures) if took is False else 0.0, asked)
            values["notBefore"] = self.clock.now() + rest if rest else 0.0
            await self.database[LANES].update_one(_mine(lane), [{"$set": values}, {"$unset": "ticket"}])

    async def find_failing(self, webhook_ids: Iterable[str]) -> dict[str, float]:
        """Since when those of some webhooks fail that do."""
        async with guarded():
            rows = self.database[LANES].find({"_id": {"$in": list(webhook_ids)}, "failures": {"$gt": 0}})
            return {row["_id"]: row["failingSince"] for row in await rows.to_list(None)}

    async def reset_attempts(self, webhook_id: str) -> None:
        """Does not remember failures, and does not wait for the end of a pause."""
        async with guarded():
            await self.database[LANES].update_one(
                {"_id": webhook_id, "ticket": {"$exists": False}},
                {"$set": {"failures": 0, "failingSince": 0.0, "notBefore": 0.0}},
            )

    def _after(self, lane: Lane, *, took: bool | None) -> Lane:
        if took is None:
            return lane
        if took:
            return replace(lane, failures=0, failing_since=0.0)
        # From before the first attempt on, so that it can be compared with those of deliveries.
        return replace(lane, failures=lane.failures + 1, failing_since=lane.failing_since or lane.claimed)


def _mine(lane: Lane) -> dict[str, Any]:
    return {"_id": lane.webhook_id, "ticket": lane.ticket}
