from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

Result = TypeVar("Result")

HANGS: Final = 60.0
"""Seconds after which a missing result is a failure, on however busy a machine."""

_POLL: Final = 0.05


async def eventually(
    ask: Callable[[], Awaitable[Result]], wanted: Callable[[Result], bool], seconds: float = HANGS
) -> Result:
    """Retries until the result satisfies the condition, and returns it.

    Args:
        ask: an exception counts as an unsatisfied condition.
        seconds: override it only where a requirement limits the time.

    Raises:
        AssertionError: after the deadline, with the last result.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while True:
        last: object
        try:
            last = result = await ask()
            if wanted(result):
                return result
        except (OSError, LookupError, AssertionError, RuntimeError) as error:
            last = error
        if loop.time() > deadline:
            raise AssertionError(f"not within {seconds} s; last: {last!r}")
        await asyncio.sleep(_POLL)  # allow fixed-wait: the only one that others need
