from __future__ import annotations

import asyncio
from pathlib import Path

from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_watermarks import MemoryWatermarks
from portico_harness.redis_files import remove_redis_files
from portico_harness.servers import RunningRedis
from portico_runtime.redis.client import RedisClient
from portico_runtime.redis.nodes.history import History
from portico_runtime.redis.remembered_history import RememberedHistory
from portico_token.store import keys
from portico_token.store.redis_epochs import RedisEpochs


class Installation:
    """A Redis, and what users stores of the replicas that write to it."""

    def __init__(self, server: RunningRedis, data: Path) -> None:
        self.server = server
        self._data = data
        self.bus = MemoryBus()
        self.users = MemoryWatermarks(self.bus)

    def replica(self) -> Replica:
        return Replica(self)

    async def lose_redis(self) -> None:
        """Redis starts again without its data."""
        await asyncio.to_thread(self.server.stop)
        remove_redis_files(self._data)
        await asyncio.to_thread(self.server.start)


class Replica:
    """A replica of token, with its connection to Redis and what it knows of its history."""

    def __init__(self, installation: Installation) -> None:
        self.history = History("token")
        self.redis = RedisClient(installation.server.section("token"), "token", self.history)
        self.remembered = RememberedHistory(self.history, installation.bus)
        self.epochs = RedisEpochs(self.redis, self.history)

    async def start(self) -> None:
        await self.remembered.recall()
        await self.epochs.create_missing()
        await self.remembered.remember()

    async def stop(self) -> None:
        await self.remembered.remember()
        await self.redis.close()

    async def epoch(self, bucket: str) -> int:
        return int(await self.redis.read("GET", keys.epoch(bucket)))
