"""A clock that moves only when a test moves it."""

from __future__ import annotations


class FrozenClock:
    """A clock that shows a fixed time."""

    def __init__(self, now: float = 1_790_000_000.0) -> None:
        self._now = now

    def now(self) -> float:
        """Unix time in seconds."""
        return self._now

    def tick(self, seconds: float) -> None:
        """Moves on (or back)."""
        self._now += seconds
