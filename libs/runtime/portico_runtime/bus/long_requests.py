"""Ends long requests with the connection they were sent over, since no reply can arrive."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class LongRequests:
    def __init__(self) -> None:
        self._under_way: set[asyncio.Task[Any]] = set()

    async def run(self, request: Coroutine[Any, Any, Answer]) -> Answer:
        """Waits for the reply; raises ConnectionError when `end` was called meanwhile."""
        task = asyncio.create_task(request)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        try:
            return await task
        except asyncio.CancelledError:
            asking = asyncio.current_task()
            if asking is not None and asking.cancelling():  # the caller itself gave up
                raise
            raise ConnectionError("the connection was lost") from None

    def end(self) -> None:
        for task in self._under_way:
            task.cancel()
