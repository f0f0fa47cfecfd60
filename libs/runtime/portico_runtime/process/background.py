from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from portico_oauth.errors import ServiceError

from portico_runtime.process.ending import end

log = structlog.get_logger("portico.background")

MAX_DELAY = 2.0


class Background:
    def __init__(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        self._name = name
        self._work = work
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._task = asyncio.create_task(self._loop(), name=self._name)

    async def close(self) -> None:
        if self._task:
            await end(self._task)

    async def _loop(self) -> None:
        delay = 0.1
        while True:
            try:
                await self._work()
                delay = 0.1
            except Exception as error:  # whatever it is, the work must go on
                # A `ServiceError` names the cause; only unexpected errors need a traceback.
                unforeseen = not isinstance(error, ServiceError)
                log.warning("background work failed", work=self._name, cause=str(error)[:200], exc_info=unforeseen)
                await asyncio.sleep(delay)
                delay = min(delay * 2, MAX_DELAY)
