"""A replica that does not know the time neither reports itself ready nor acts on it (FD-14, decision 0027)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from portico_oauth.errors import UNAVAILABLE, ServiceError

from portico_runtime.clock import Clock
from portico_runtime.health import NotReady

MAX_DIFFERENCE: Final = 5.0
"""Seconds the clock of a replica may differ from its store's."""

COMPARE_SECONDS: Final = 2.0


class ClockGuard:
    """A clock that is compared with the store's, and gives no time while it differs too much.

    The comparison takes the time a request is on its way into account: what may be explained by that is no difference.
    A store that cannot be reached changes nothing; its own check reports that it cannot be reached.
    """

    def __init__(self, clock: Clock, store: str, ask: Callable[[], Awaitable[float]]) -> None:
        """Guards a clock.

        Args:
            store: the name of the store where the difference is reported.
            ask: the store's unix time; raises when it cannot be asked.
        """
        self._clock = clock
        self._store = store
        self._ask = ask
        self._wrong = ""

    def now(self) -> float:
        """Unix time in seconds.

        Raises:
            ServiceError: `unavailable` while the clock is known to be wrong.
        """
        if self._wrong:
            raise UNAVAILABLE.error(retry_after=1, part="clock", cause=self._wrong)
        return self._clock.now()

    async def check(self) -> None:
        """Compares, and raises `NotReady` with the difference when it is too large; a check of `Health`."""
        with suppress(ServiceError, OSError, TimeoutError):  # the store's own check reports that
            await self.compare()
        if self._wrong:
            raise NotReady(self._wrong)

    async def watch(self) -> None:
        """Compares once, and waits for the next time: the work of a `Background`."""
        await self.compare()
        await asyncio.sleep(COMPARE_SECONDS)

    async def compare(self) -> None:
        """Asks the store for its time once.

        Raises:
            Exception: of the store.
        """
        asked = self._clock.now()
        theirs = await self._ask()
        answered = self._clock.now()
        ahead = (asked + answered) / 2 - theirs
        certain = abs(ahead) - abs(answered - asked) / 2
        side = "ahead of" if ahead > 0 else "behind"
        text = f"the clock of this replica is {abs(ahead):.1f} s {side} the one of {self._store}"
        self._wrong = text if certain > MAX_DIFFERENCE else ""
