"""How full Redis is, as metrics: nothing is ever evicted, so a full Redis refuses every write."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from prometheus_client import Gauge

from portico_runtime.redis_client import RedisClient

USED: Final = Gauge("portico_redis_memory_used_bytes", "Memory that Redis uses.")
MAXIMUM: Final = Gauge("portico_redis_memory_maximum_bytes", "Memory from which Redis refuses writes; 0 for no limit.")
PAUSE_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class RedisMemory:
    """Measures the server; run `watch` in the background. Every replica shows the same numbers."""

    redis: RedisClient

    async def measure(self) -> None:
        """Sets both gauges.

        Raises:
            ServiceError: `unavailable`; the gauges keep their values.
        """
        text = str(await self.redis.read("INFO", "memory"))
        figures = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
        USED.set(float(figures["used_memory"]))
        MAXIMUM.set(float(figures["maxmemory"]))

    async def watch(self) -> None:
        """Measures once, and waits until the next time."""
        await self.measure()
        await asyncio.sleep(PAUSE_SECONDS)
