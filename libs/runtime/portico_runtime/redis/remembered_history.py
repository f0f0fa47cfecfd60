"""Persists the watermarks of Redis beyond the life of a process: users stores them in MongoDB (decision 0065)."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from portico_contracts.users.redis_watermarks import RECALL_MARKS, REMEMBER_MARKS, RecallWatermarks, RememberWatermarks
from portico_oauth.errors import ServiceError

from portico_runtime.bus.bus import Bus
from portico_runtime.process.background import Background
from portico_runtime.process.clock_guard import ClockGuard
from portico_runtime.process.health import NotReady
from portico_runtime.redis.nodes.history import History

REMEMBER_SECONDS: Final = 1.0


class RememberedHistory:
    """Loads and stores the watermarks; until they are loaded, Redis is not used. Start it after the bus.

    The replies have the time of users, so that `guard` compares it too without further requests.
    """

    def __init__(self, history: History, bus: Bus, guard: ClockGuard | None = None) -> None:
        self._history = history
        self._bus = bus
        self._guard = guard
        if guard:
            guard.add_witness("users", self.recall)
        self._work = Background("redis-history", self.run)
        history.recall_by(self.recall)

    async def start(self) -> None:
        await self._work.start()

    async def close(self) -> None:
        await self._work.close()
        with suppress(ServiceError):
            await self.remember()

    async def check(self) -> None:
        if not self._history.recalled:
            raise NotReady("the watermarks of Redis are not loaded yet")

    async def recall(self) -> None:
        """Stores new watermarks, and loads those of all processes. Raises `unavailable`."""
        await self.remember()
        asked = self._begin()
        found = await self._bus.call(RECALL_MARKS, RecallWatermarks(service=self._history.service))
        self._compare(asked, found.now)
        self._history.recall(found.marks)

    async def remember(self) -> None:
        """Stores new watermarks. Raises `unavailable`; the next run retries."""
        self._history.has_news.clear()
        if not (raised := self._history.take_raised()):
            return
        asked = self._begin()
        try:
            reply = await self._bus.call(
                REMEMBER_MARKS, RememberWatermarks(service=self._history.service, marks=raised)
            )
        except BaseException:
            self._history.put_back(raised)
            raise
        self._compare(asked, reply.now)

    async def run(self) -> None:
        """Loads once; then stores new watermarks at most once a second. Raises `unavailable`."""
        if not self._history.recalled:
            await self.recall()
        await self._history.has_news.wait()
        await self.remember()
        await asyncio.sleep(REMEMBER_SECONDS)

    def _begin(self) -> float:
        return self._guard.begin() if self._guard else 0.0

    def _compare(self, asked: float, theirs: float) -> None:
        if self._guard:  # without a time of users there is no difference
            self._guard.compare_with("users", asked, theirs or self._guard.begin())
