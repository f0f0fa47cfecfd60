from __future__ import annotations

import asyncio
from typing import Any, Final

AGAIN_SECONDS: Final = 1.0


async def end(task: asyncio.Task[Any]) -> None:
    """Cancels the task and waits until it has ended; its result is ignored.

    One cancellation can be lost: in Python 3.11 `asyncio.wait_for`, which libraries use, returns a result that
    arrives at the same time instead of raising it (python/cpython#86296). It is repeated every second.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=AGAIN_SECONDS)
    if not task.cancelled():
        task.exception()  # read, so that asyncio does not report it
