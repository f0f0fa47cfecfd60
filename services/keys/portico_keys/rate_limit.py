"""So many requests a minute from one address, counted in memory, never in more than so many places."""

from __future__ import annotations

import math
from typing import Final

from portico_oauth.errors import Fact, Kind
from portico_runtime.clock import Clock

WINDOW: Final = 60
MAX_ADDRESSES: Final = 10_000

TOO_MANY = Fact(
    "KEYS-004",
    Kind.SLOW_DOWN,
    "The key set was asked for too often.",
    "Cache it for the max-age it names, and wait the seconds in Retry-After.",
)


class RateLimit:
    """Counts in whole minutes of the clock. Addresses beyond the ten thousandth of a minute share one counter."""

    def __init__(self, clock: Clock, per_minute: int) -> None:
        self._clock = clock
        self._limit = per_minute
        self._window = -1
        self._counts: dict[str, int] = {}

    def count(self, address: str) -> None:
        """Counts one request.

        Raises:
            Refusal: KEYS-004 when the address has had its share, with the seconds to the next minute.
        """
        now = self._clock.now()
        window = int(now // WINDOW)
        if window != self._window:
            self._window = window
            self._counts = {}
        if address not in self._counts and len(self._counts) >= MAX_ADDRESSES:
            address = ""
        count = self._counts.get(address, 0) + 1
        self._counts[address] = count
        if count > self._limit:
            raise TOO_MANY.refusal(retry_after=math.ceil((window + 1) * WINDOW - now), address=address)
