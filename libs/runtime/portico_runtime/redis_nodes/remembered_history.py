"""The marks of Redis beyond the life of a process: users remembers them in MongoDB (decision 0065)."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from portico_contracts.users.redis_marks import RECALL_MARKS, REMEMBER_MARKS, RecallMarks, RememberMarks
from portico_oauth.errors import ServiceError

from portico_runtime.background import Background
from portico_runtime.bus import Bus
from portico_runtime.health import NotReady
from portico_runtime.redis_nodes.history import History

REMEMBER_SECONDS: Final = 1.0


class RememberedHistory:
    """Recalls the marks at the start and after each lost connection, and has new ones remembered; started after the bus.

    Until they are recalled nothing is read from Redis or written to it: a Redis whose past is not known could have any past.
    """

    def __init__(self, history: History, bus: Bus) -> None:
        self._history = history
        self._bus = bus
        self._work = Background("redis-history", self.run)
        history.recall_by(self.recall)

    async def start(self) -> None:
        """Begins."""
        await self._work.start()

    async def close(self) -> None:
        """Stops, and has remembered what this process raised last."""
        await self._work.close()
        with suppress(ServiceError):
            await self.remember()

    async def check(self) -> None:
        """Raises until they are recalled."""
        if not self._history.recalled:
            raise NotReady("what is remembered of Redis is not known yet")

    async def recall(self) -> None:
        """Has what is new remembered, and recalls what all processes had remembered.

        Raises:
            ServiceError: `unavailable`.
        """
        await self.remember()
        found = await self._bus.call(RECALL_MARKS, RecallMarks(service=self._history.service))
        self._history.recall(found.marks)

    async def remember(self) -> None:
        """Has what is new remembered.

        Raises:
            ServiceError: `unavailable`; then it is tried again the next time.
        """
        self._history.has_news.clear()
        if not (raised := self._history.take_raised()):
            return
        try:
            await self._bus.call(REMEMBER_MARKS, RememberMarks(service=self._history.service, marks=raised))
        except BaseException:
            self._history.put_back(raised)
            raise

    async def run(self) -> None:
        """Recalls once; then remembers what is new, at most once a second.

        Raises:
            ServiceError: `unavailable`.
        """
        if not self._history.recalled:
            await self.recall()
        await self._history.has_news.wait()
        await self.remember()
        await asyncio.sleep(REMEMBER_SECONDS)
