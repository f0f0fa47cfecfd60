"""A replica whose clock is not the one of its store."""

from __future__ import annotations

from portico_runtime.clock_guard import ClockGuard

from portico_fakes.clock import FrozenClock


class SkewedReplica:
    """A guarded clock, and the clock of the store it is compared with."""

    def __init__(self) -> None:
        self.clock = FrozenClock()
        self.store = FrozenClock()
        self.guard = ClockGuard(self.clock, "redis", self._ask)

    async def skew(self, seconds: float) -> None:
        """Sets the clock of the replica so far ahead of the store's, and compares them."""
        self.clock.tick(self.store.now() + seconds - self.clock.now())
        await self.guard.compare()

    async def _ask(self) -> float:
        return self.store.now()
