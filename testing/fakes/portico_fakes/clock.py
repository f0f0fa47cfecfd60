from __future__ import annotations


class FrozenClock:
    def __init__(self, now: float = 1_790_000_000.0) -> None:
        self._now = now

    def now(self) -> float:
        return self._now

    def tick(self, seconds: float) -> None:
        """Advances the clock; negative seconds set it back."""
        self._now += seconds
