"""token's store of used assertions in memory, held to the same conformance suite as the one on Redis."""

from __future__ import annotations

from portico_oauth.errors import UNAVAILABLE
from portico_runtime.clock import Clock
from portico_token.domain.assertions import Assertion, Claimed


class MemoryAssertions:
    """`AssertionStore` in memory."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._used: dict[tuple[str, str], float] = {}
        self._epoch: int | None = 0
        self.down = False
        """When true, everything is `unavailable`."""

    async def claim(self, assertion: Assertion, seconds: int) -> Claimed:
        """See `AssertionStore.claim`."""
        if self.down:
            raise UNAVAILABLE.refusal(retry_after=1, part="memory")
        now = self._clock.now()
        if self._epoch is None:
            self._epoch = int(now) + 1
        if assertion.issued < self._epoch:
            return Claimed.LOST
        name = (assertion.issuer, assertion.name)
        if self._used.get(name, 0) > now:
            return Claimed.USED
        self._used[name] = now + seconds
        return Claimed.FIRST

    def lose_everything(self) -> None:
        """As when the store was emptied."""
        self._used.clear()
        self._epoch = None
