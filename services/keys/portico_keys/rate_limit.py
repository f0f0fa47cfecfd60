from __future__ import annotations

import math
from typing import Final

from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.process.clock import Clock

WINDOW: Final = 60
MAX_ADDRESSES: Final = 10_000
_ROUNDING: Final = 1e-6

TOO_MANY = ErrorCode(
    "KEYS-004",
    Kind.TOO_MANY_REQUESTS,
    "Too many requests for the key set.",
    "Cache the key set for its max-age, and wait for the number of seconds in Retry-After.",
)


class RateLimit:
    """A sliding window: the count of this minute plus the part of the last minute's within the window.

    Rejected requests do not count. Addresses beyond the ten thousandth of a minute share one counter.
    """

    def __init__(self, clock: Clock, per_minute: int) -> None:
        self._clock = clock
        self._limit = per_minute
        self._window = -1
        self._counts: dict[str, int] = {}
        self._before: dict[str, int] = {}

    def count(self, address: str) -> None:
        """Raises KEYS-004, with the seconds until a request is allowed again."""
        now = self._clock.now()
        window = int(now // WINDOW)
        if window != self._window:
            self._before = self._counts if window == self._window + 1 else {}
            self._window, self._counts = window, {}
        if address not in self._counts and len(self._counts) >= MAX_ADDRESSES:
            address = ""
        count, before, passed = self._counts.get(address, 0), self._before.get(address, 0), now - window * WINDOW
        if count >= self._limit or count + before * (1 - passed / WINDOW) > self._limit + _ROUNDING:
            seconds = self._seconds_until(count, before) - passed
            raise TOO_MANY.error(retry_after=max(1, math.ceil(seconds)), address=address)
        self._counts[address] = count + 1

    def _seconds_until(self, count: int, before: int) -> float:
        """Returns the seconds from the start of this minute until a request is allowed again."""
        if count >= self._limit:
            return WINDOW
        # When enough of the last minute has left the window.
        return WINDOW * (1 - (self._limit - count) / before)
