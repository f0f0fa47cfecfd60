from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import Any, TypeVar

from portico_runtime.ending import end

First = TypeVar("First")
Second = TypeVar("Second")


async def both(first: Awaitable[First], second: Coroutine[Any, Any, Second]) -> tuple[First, Second]:
    """Awaits two at the same time, as `asyncio.gather` does, with one task instead of two.

    If one fails the other is cancelled.
    """
    task = asyncio.get_running_loop().create_task(second)
    try:
        return await first, await task
    except BaseException:
        await end(task)
        raise
