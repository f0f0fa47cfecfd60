"""The epochs of the buckets, created when the service starts on an empty store, or finds it emptied."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import cycle
from typing import Final

from portico_runtime.process.health import NotReady
from portico_runtime.redis.client import RedisClient
from portico_runtime.redis.nodes.history import History
from prometheus_client.metrics import Counter

from portico_token.store import keys
from portico_token.store.lua import source

CHECK_SECONDS: Final = 30.0

LOST: Final = Counter(
    "portico_redis_data_lost_total",
    "Number of times Redis had lost its data, or its clock went back. Tokens issued before are no longer valid.",
)


class RedisEpochs:
    """Ensures that every bucket has an epoch.

    The scripts that read a missing one create it and reject the request: data was lost. Creating all epochs
    at the start makes the first assertion and the first JWT of an installation acceptable; creating them
    again soon after a loss does the same for those issued after it. `history` distinguishes the two: it knows
    the buckets to which a process has written, also before this Redis was empty.
    """

    def __init__(self, redis: RedisClient, history: History) -> None:
        self._redis = redis
        self._history = history
        self._create = redis.script(source("create_epoch"), arguments=("required", "unknown"))
        self._complete = False
        self._wakeup = asyncio.Event()

    def wake(self) -> None:
        self._wakeup.set()

    async def maintain(self) -> None:
        """Creates the missing epochs, then checks one bucket every 30 s: the work of a `Background`."""
        await self.create_missing()
        for bucket in cycle(keys.BUCKETS):
            with suppress(TimeoutError):
                async with asyncio.timeout(CHECK_SECONDS):
                    await self._wakeup.wait()
                self._wakeup.clear()
                await self.create_missing()
            await self.check_bucket(bucket)

    async def check_bucket(self, bucket: str) -> None:
        """Creates all missing epochs if this one is missing: where one was lost, others were."""
        if await self._redis.read("GET", keys.epoch(bucket)) is None:
            LOST.inc()
            await self.create_missing()

    async def create_missing(self, *, required: int = 0) -> int:
        """Creates the epochs that are missing or earlier than required, in unix seconds. Returns their number."""

        async def create(bucket: str) -> int:
            unknown = "1" if self._history.has_written(bucket) else ""
            return int(await self._redis.run(self._create, [keys.epoch(bucket)], required=required, unknown=unknown))

        first, *others = keys.BUCKETS
        created = await create(first)  # alone: an unavailable Redis would leave 256 errors in memory
        # Sent together, they share a few pipelines: a new replica is ready after two round trips instead of 256.
        created += sum(await asyncio.gather(*map(create, others)))
        self._complete = True
        return created

    async def check(self) -> None:
        """Raises until every bucket has an epoch."""
        if not self._complete:
            raise NotReady("not all epochs are created yet")
