from __future__ import annotations

from portico_runtime.process.clock_guard import ClockGuard

from portico_fakes.clock import FrozenClock


class SkewedReplica:
    def __init__(self) -> None:
        self.clock = FrozenClock()
        self.store = FrozenClock()
        self.guard = ClockGuard(self.clock, "redis", self._ask)

    async def skew(self, seconds: float) -> None:
        self.clock.tick(self.store.now() + seconds - self.clock.now())
        await self.guard.compare()

    async def _ask(self) -> float:
        return self.store.now()
