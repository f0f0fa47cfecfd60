"""How much waits in the outbox, as metrics: the stream that takes nothing shows here first."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from portico_runtime.clock import Clock
from portico_runtime.mongo import Database
from prometheus_client import Gauge

from portico_users.kernel.schema import OUTBOX

ROWS: Final = Gauge("portico_outbox_rows", "Events that are committed and not yet published.")
OLDEST_SECONDS: Final = Gauge("portico_outbox_oldest_seconds", "Age of the oldest of them; 0 when there is none.")
PAUSE_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class Backlog:
    """Measures the outbox; run `watch` in the background. Every replica shows the same numbers."""

    database: Database
    clock: Clock

    async def measure(self) -> None:
        """Sets both gauges.

        Raises:
            PyMongoError: when the database cannot be asked; the gauges keep their values.
        """
        outbox = self.database[OUTBOX]
        oldest = await outbox.find_one({}, {"at": 1}, sort=[("at", 1), ("sequence", 1)])
        OLDEST_SECONDS.set(max(0.0, self.clock.now() - oldest["at"]) if oldest else 0.0)
        ROWS.set(await outbox.count_documents({}) if oldest else 0)

    async def watch(self) -> None:
        """Measures once, and waits until the next time."""
        await self.measure()
        await asyncio.sleep(PAUSE_SECONDS)
