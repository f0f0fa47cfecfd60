"""A replica with a wrong clock is not ready and does not act on its time (FD-14, decisions 0027 and 0091)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from portico_oauth.errors import UNAVAILABLE, ServiceError

from portico_runtime.process.clock import Clock
from portico_runtime.process.health import CHECK_SECONDS, NotReady, note_failure

MAX_DIFFERENCE: Final = 5.0
"""Maximum difference in seconds between a replica's clock and another one."""

COMPARE_SECONDS: Final = 2.0

_WITNESS_SECONDS: Final = CHECK_SECONDS / 2

STEPPED: Final = "the clock of this replica went back and is not compared yet"

Ask = Callable[[], Awaitable[object]]


class ClockGuard:
    """A clock that raises while it differs too much from another one; an unreachable store changes nothing.

    It also raises after its own step back until it is compared again: the store may be on the same machine.
    """

    def __init__(self, clock: Clock, store: str, ask: Callable[[], Awaitable[float]]) -> None:
        self._clock = clock
        self._store = store
        self._ask = ask
        self._wrong: dict[str, str] = {}
        self._witnesses: dict[str, Ask] = {}
        self._compared = float("-inf")
        self._highest = 0.0

    def add_witness(self, name: str, ask: Ask) -> None:
        """Adds a service whose replies have its time, which are passed to `compare_with`.

        `ask` requests such a reply; it is called only while the clocks differ.
        """
        self._witnesses[name] = ask

    def now(self) -> float:
        """Returns unix time in seconds. Raises `unavailable` while the clock is known to be wrong."""
        now = self._clock.now()
        if self._wrong:
            raise UNAVAILABLE.error(retry_after=1, part="clock", cause=self._reason())
        if now < self._highest - MAX_DIFFERENCE:
            note_failure()  # the comparison is not put off until the next check
            raise UNAVAILABLE.error(retry_after=1, part="clock", cause=STEPPED)
        self._highest = max(self._highest, now)
        return now

    async def check(self) -> None:
        """A check of `Health`, which every replica on the bus runs at least every two seconds.

        Raises `NotReady` with each difference that is too large.
        """
        for name in self._wrong.keys() & self._witnesses.keys():
            with suppress(ServiceError, OSError, TimeoutError):
                async with asyncio.timeout(_WITNESS_SECONDS):
                    await self._witnesses[name]()
        with suppress(ServiceError, OSError, TimeoutError):  # the store's own check reports that
            if self._wrong or self._has_stepped() or time.monotonic() - self._compared >= COMPARE_SECONDS:
                await self.compare()
        if reason := self._reason() or (STEPPED if self._has_stepped() else ""):
            raise NotReady(reason)

    async def compare(self) -> None:
        asked = self._clock.now()
        self._compared = time.monotonic()
        self.compare_with(self._store, asked, await self._ask())
        self._highest = self._clock.now()

    def begin(self) -> float:
        """Returns the replica's own time, right or wrong, for `compare_with`."""
        return self._clock.now()

    def compare_with(self, name: str, asked: float, theirs: float) -> None:
        """Compares with a time that was read between `asked`, by this replica's own clock, and now."""
        answered = self._clock.now()
        ahead = (asked + answered) / 2 - theirs
        certain = abs(ahead) - abs(answered - asked) / 2
        if certain > MAX_DIFFERENCE:
            side = "ahead of" if ahead > 0 else "behind"
            self._wrong[name] = f"the clock of this replica is {abs(ahead):.1f} s {side} the one of {name}"
        else:
            self._wrong.pop(name, None)

    def _has_stepped(self) -> bool:
        return self._clock.now() < self._highest - MAX_DIFFERENCE

    def _reason(self) -> str:
        return "; ".join(self._wrong.values())
