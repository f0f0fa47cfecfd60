from __future__ import annotations

from portico_oauth.clock_leeway import is_issued_ahead
from portico_oauth.errors import UNAVAILABLE
from portico_runtime.process.clock import Clock
from portico_token.domain.assertions import REPEAT_SECONDS, Assertion, ClaimResult


class MemoryAssertions:
    """Passes the same conformance tests as the store on Redis."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._used: dict[tuple[str, str], tuple[float, float]] = {}
        self._epoch: int | None = 0
        self.down = False
        """When true, everything is `unavailable`."""

    async def claim(self, assertion: Assertion, seconds: int, now: float) -> ClaimResult:
        if self.down:
            raise UNAVAILABLE.error(retry_after=1, part="memory")
        if self._epoch is None:
            self._epoch = int(self._clock.now()) + 1
        if assertion.earliest < self._epoch:
            return ClaimResult.LOST
        name = (assertion.issuer, assertion.name)
        first, ends = self._used.get(name, (0.0, 0.0))
        if ends <= self._clock.now():
            self._used[name] = (now, self._clock.now() + seconds)
            return ClaimResult.FIRST
        in_time = now <= min(assertion.issued, first) + REPEAT_SECONDS and not is_issued_ahead(first, now)
        return ClaimResult.REPEATED if assertion.repeats and in_time else ClaimResult.USED

    def lose_everything(self) -> None:
        self._used.clear()
        self._epoch = None
