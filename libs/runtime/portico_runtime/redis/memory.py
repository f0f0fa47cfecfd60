from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from prometheus_client.metrics import Gauge

from portico_runtime.process.wakeup import together
from portico_runtime.redis.client import RedisClient

USED: Final = Gauge(
    "portico_redis_memory_used_bytes", "Memory used by Redis in bytes. In a cluster: of the fullest node."
)
MAXIMUM: Final = Gauge("portico_redis_memory_maximum_bytes", "Memory limit of Redis (maxmemory) in bytes. 0: no limit.")
PAUSE_SECONDS: Final = 10.0
UNLIMITED: Final = float(2**30)
"""Bytes assumed for a node without ``maxmemory``."""


@dataclass(frozen=True, slots=True)
class RedisMemory:
    redis: RedisClient

    async def measure(self) -> None:
        """Sets both gauges. Raises `unavailable`; the gauges are unchanged."""
        nodes = [_figures(str(text)) for text in await self.redis.ask_each_node("INFO", "memory")]
        used, maximum = max(nodes, key=_fullness)
        USED.set(used)
        MAXIMUM.set(maximum)

    async def watch(self) -> None:
        await self.measure()
        await asyncio.sleep(together(PAUSE_SECONDS))


async def maximum_memory(redis: RedisClient) -> float:
    """Returns the memory limit of all nodes together; `UNLIMITED` for a node without a limit. Raises `unavailable`."""
    nodes = [_figures(str(text)) for text in await redis.ask_each_node("INFO", "memory")]
    return sum(maximum or UNLIMITED for _, maximum in nodes)


def _figures(text: str) -> tuple[float, float]:
    figures = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    return float(figures["used_memory"]), float(figures["maxmemory"])


def _fullness(figures: tuple[float, float]) -> float:
    used, maximum = figures
    return used / maximum if maximum else 0.0
