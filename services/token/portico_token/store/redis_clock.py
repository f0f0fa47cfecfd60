"""Detects that the clock of Redis was ahead and went back: until then keys expired early.

A used assertion or a revoked JWT whose record expired early would be accepted again. So a step back counts as
lost data: the epoch of every bucket becomes the time after the step (decision 0091).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final

import structlog
from portico_oauth.clock_leeway import CLOCK_LEEWAY
from portico_runtime.process.clock import Clock
from portico_runtime.redis.client import RedisClient

from portico_token.store import keys
from portico_token.store.lua import source
from portico_token.store.redis_epochs import LOST, RedisEpochs

log = structlog.get_logger("portico.redis")

OBSERVE: Final = ("lowest", "highest", "leeway_seconds", "confirmed")

AGAIN: Final = "again"
"""Reply of the script for a step back that is to be confirmed."""

RECORD_SECONDS: Final = 30.0
"""How often the highest time is written while the clock runs evenly, for processes that start later."""


class RedisClock:
    """The time of Redis, compared with the highest one that this process and others saw."""

    def __init__(
        self, redis: RedisClient, epochs: RedisEpochs, clock: Clock, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._redis = redis
        self._epochs = epochs
        self._clock = clock
        self._monotonic = monotonic
        self._observe = redis.script(source("observe_clock"), arguments=OBSERVE)
        self._stepped = ""
        self._last = 0.0
        self._last_at = 0.0
        self._recorded_at = float("-inf")

    async def maintain_epochs(self) -> None:
        """Records the time before the first request, then maintains the epochs: the work of a `Background`."""
        await self._record(await self._redis.times())
        await self._epochs.maintain()

    async def time(self) -> float:
        """Returns the time of the node that differs most from this replica's. Raises `unavailable`.

        After a step back it returns only when the epochs are renewed.
        """
        times = await self._redis.times()
        if self._redis.recalled and self._is_recording_due(times):
            await self._record(times)
        self._last, self._last_at = max(times), self._monotonic()
        mine = self._clock.now()
        return max(times, key=lambda theirs: abs(theirs - mine))

    def _is_recording_due(self, times: list[float]) -> bool:
        now = self._monotonic()
        expected = self._last + now - self._last_at
        is_even = all(abs(time - expected) <= CLOCK_LEEWAY for time in times)
        return not is_even or now - self._recorded_at >= RECORD_SECONDS

    async def _record(self, times: list[float]) -> None:
        self._recorded_at = float("-inf")  # until it succeeds
        stepped = await self._observed(times)
        if stepped == AGAIN:
            times[:] = await self._redis.times()
            stepped = await self._observed(times, confirmed=1)
        if stepped != self._stepped and await self._epochs.create_missing(required=math.ceil(float(stepped or 0))):
            log.error("redis clock went back")
            LOST.inc()
        self._stepped, self._recorded_at = stepped, self._monotonic()

    async def _observed(self, times: list[float], *, confirmed: int = 0) -> str:
        return str(
            await self._redis.run(
                self._observe,
                [keys.clock()],
                lowest=str(min(times)),
                highest=str(max(times)),
                leeway_seconds=CLOCK_LEEWAY,
                confirmed=confirmed,
            )
        )
