"""Publishes what was committed: at least once, in order per object, by one replica at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from portico_contracts.events import CreatedTogether
from portico_contracts.subjects import Event, decode
from portico_runtime.bus.bus import Bus
from portico_runtime.mongo.client import Database
from portico_runtime.process.clock import Clock
from portico_runtime.process.wakeup import SWEEP_SECONDS, Wakeup, together
from prometheus_client.metrics import Gauge
from pymongo.errors import DuplicateKeyError, PyMongoError
from pymongo.read_concern import ReadConcern

from portico_users.storage.entry import Document
from portico_users.storage.schema import OUTBOX

LEASES: Final = "leases"
LEASE_SECONDS: Final = 5.0
BATCH: Final = 200
BATCH_SECONDS: Final = 3.0
"""Well below the lease, so that a slow batch ends before another replica starts."""

PAUSE: Final = 0.25
"""Seconds between looks while this replica has the lease, or events wait for another one that has it."""


class Relay:
    """Publishes outbox rows to the stream; run `run_once` in the background."""

    def __init__(
        self, database: Database, bus: Bus, clock: Clock, events: Iterable[Event[Any]], *, replica: str
    ) -> None:
        self._database = database
        self._bus = bus
        self._clock = clock
        self._events = {event.subject: event for event in events}
        self._of_several = {event.subject for event in self._events.values() if event.body is CreatedTogether}
        self._replica = replica
        self._wakeup = Wakeup()
        self._watch_until = 0.0

    async def start(self) -> None:
        """Nothing to begin: `run_once` runs in the background."""

    async def close(self) -> None:
        with suppress(PyMongoError, OSError):
            await self._database[LEASES].delete_one({"_id": OUTBOX, "holder": self._replica})

    def committed(self) -> None:
        self._wakeup.set()

    async def run_once(self) -> None:
        """Publishes what is there, then waits for a commit here.

        Commits of other replicas wake those only: they find the lease taken while this one has it, so this one
        keeps looking until its lease has expired.
        """
        while await self.publish_batch():
            pass
        await self._wakeup.wait(PAUSE if time.monotonic() < self._watch_until else SWEEP_SECONDS)

    async def publish_batch(self) -> int:
        """Publishes a batch if this replica has the lease; returns the number of acknowledged events."""
        outbox = self._database[OUTBOX]
        # Events unknown to this release were written by a replica of a newer one, which publishes them itself. So this
        # one must not hold the lease for them.
        known = {"subject": {"$in": list(self._events)}}
        # Looking costs a read, the lease a journaled write.
        if await outbox.find_one(known, {"_id": 1}) is None:
            return 0
        self._watch_until = time.monotonic() + LEASE_SECONDS
        if not await self._has_lease():
            return 0
        # Time and sequence of an object increase together, so this order is also the order per object. Without a
        # snapshot, an index scan could miss a row before it is committed and then return the object's next row.
        snapshot = outbox.with_options(read_concern=ReadConcern("snapshot"))
        rows = await snapshot.find(known, sort=[("at", 1), ("sequence", 1)]).to_list(BATCH)
        done: list[str] = []
        try:
            async with asyncio.timeout(BATCH_SECONDS):
                failures = await self._publish_rows(rows, done)
        finally:
            if done:
                await outbox.delete_many({"_id": {"$in": done}})
        for failure in failures:
            raise failure
        return len(done)

    async def _publish_rows(self, rows: list[Document], done: list[str]) -> list[BaseException]:
        """Objects that were created together first: other rows about one of them are its later changes."""
        created = [row for row in rows if row["subject"] in self._of_several]
        others = [row for row in rows if row["subject"] not in self._of_several]
        failures = await self._publish_all(created, done)
        left = [decode(row["body"], CreatedTogether) for row in created if row["_id"] not in done]
        waiting = {change.aggregate_id for body in left for change in body.changes}
        return failures + await self._publish_all([row for row in others if row["object"] not in waiting], done)

    async def _publish_all(self, rows: list[Document], done: list[str]) -> list[BaseException]:
        rows.sort(key=lambda row: str(row["object"]))
        groups = [list(group) for _, group in groupby(rows, key=lambda row: row["object"])]
        results = await asyncio.gather(*(self._publish(group, done) for group in groups), return_exceptions=True)
        return [result for result in results if isinstance(result, BaseException)]

    async def _publish(self, rows: list[Document], done: list[str]) -> None:
        for row in rows:
            event = self._events[row["subject"]]
            await self._bus.publish(event, decode(row["body"], event.body), event_id=row["_id"])
            done.append(row["_id"])

    async def _has_lease(self) -> bool:
        now = self._clock.now()
        mine: list[Document] = [{"holder": self._replica}, {"until": {"$lte": now}}]
        values = {"holder": self._replica, "until": now + LEASE_SECONDS}
        try:
            await self._database[LEASES].update_one({"_id": OUTBOX, "$or": mine}, {"$set": values}, upsert=True)
        except DuplicateKeyError:  # the row is there and another replica's
            return False
        return True


ROWS: Final = Gauge("portico_outbox_rows", "Committed events that are not published yet.")
OLDEST_SECONDS: Final = Gauge(
    "portico_outbox_oldest_seconds", "Age of the oldest unpublished event in seconds. 0: no such event."
)
PAUSE_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Backlog:
    """Measures the outbox; run `watch` in the background. All replicas report the same numbers."""

    database: Database
    clock: Clock

    async def measure(self) -> None:
        outbox = self.database[OUTBOX]
        oldest = await outbox.find_one({}, {"at": 1}, sort=[("at", 1), ("sequence", 1)])
        OLDEST_SECONDS.set(max(0.0, self.clock.now() - oldest["at"]) if oldest else 0.0)
        ROWS.set(await outbox.count_documents({}) if oldest else 0)

    async def watch(self) -> None:
        """Measures once, and waits until the next time."""
        await self.measure()
        await asyncio.sleep(together(PAUSE_SECONDS))
