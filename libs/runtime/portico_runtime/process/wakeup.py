"""What background work waits for: a call, or its next sweep.

A commit wakes the work in the same process. A sweep finds work without a call, such as that of a replica
that stopped.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Final

SWEEP_SECONDS: Final = 30.0
JITTER: Final = 0.2
"""Share of the sweep by which replicas differ, so that they do not look at the same time."""

_PHASE: Final = random.random()  # noqa: S311 - no secret
_LONG_SECONDS: Final = 2.0
_TOLERANCE: Final = 0.1


def together(seconds: float) -> float:
    """Returns a pause of at least about `seconds` that ends when others of this process end: once a second.

    One wake-up costs more than what each of them does (decision 0089). Short pauses stay as they are.
    """
    if seconds < _LONG_SECONDS:
        return seconds
    now = asyncio.get_running_loop().time()
    return math.ceil(now + seconds - _PHASE - _TOLERANCE) + _PHASE - now


class Wakeup:
    def __init__(self, chance: Callable[[], float] = random.random) -> None:
        self._called = asyncio.Event()
        self._chance = chance

    def set(self) -> None:
        self._called.set()

    async def wait(self, seconds: float = SWEEP_SECONDS) -> bool:
        """Returns once `set` was called since the last return (True), or after ``seconds``; at the latest at the
        sweep.
        """
        sweep = SWEEP_SECONDS * (1 + JITTER * self._chance())
        with suppress(TimeoutError):
            async with asyncio.timeout(together(min(max(seconds, 0.0), sweep))):
                await self._called.wait()
        was_called = self._called.is_set()
        self._called.clear()
        return was_called
