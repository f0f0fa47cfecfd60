"""A replica with a wrong clock is not ready and does not act on its time (FD-14, decision 0027)."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from portico_oauth.errors import UNAVAILABLE, ServiceError

from portico_runtime.clock import Clock
from portico_runtime.health import NotReady

MAX_DIFFERENCE: Final = 5.0
"""Maximum difference in seconds between a replica's clock and its store's."""

COMPARE_SECONDS: Final = 2.0


class ClockGuard:
    """A clock that raises while it differs too much from the store's; an unreachable store changes nothing."""

    def __init__(self, clock: Clock, store: str, ask: Callable[[], Awaitable[float]]) -> None:
        self._clock = clock
        self._store = store
        self._ask = ask
        self._wrong = ""
        self._compared = float("-inf")

    def now(self) -> float:
        """Returns unix time in seconds. Raises `unavailable` while the clock is known to be wrong."""
        if self._wrong:
            raise UNAVAILABLE.error(retry_after=1, part="clock", cause=self._wrong)
        return self._clock.now()

    async def check(self) -> None:
        """A check of `Health`, which every replica on the bus runs at least every two seconds.

        Raises `NotReady` with the difference when it is too large.
        """
        with suppress(ServiceError, OSError, TimeoutError):  # the store's own check reports that
            if self._wrong or time.monotonic() - self._compared >= COMPARE_SECONDS:
                await self.compare()
        if self._wrong:
            raise NotReady(self._wrong)

    async def compare(self) -> None:
        asked = self._clock.now()
        self._compared = time.monotonic()
        theirs = await self._ask()
        answered = self._clock.now()
        ahead = (asked + answered) / 2 - theirs
        certain = abs(ahead) - abs(answered - asked) / 2
        side = "ahead of" if ahead > 0 else "behind"
        text = f"the clock of this replica is {abs(ahead):.1f} s {side} the one of {self._store}"
        self._wrong = text if certain > MAX_DIFFERENCE else ""
