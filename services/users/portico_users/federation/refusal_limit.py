"""How many refusals of a provider the event log gets: visitors without an account can cause them, and a log is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_runtime.clock import Clock
from prometheus_client import Counter

PER_MINUTE: Final = 10
"""Of one provider and one reason, in each replica."""

_WINDOW: Final = 60.0
_MOST_WINDOWS: Final = 1_000
"""From so many on, those that are over are forgotten."""

_REFUSALS: Final = Counter(
    "portico_idp_sign_ins_refused_total",
    "Sign-ins refused at identity providers, by their place in the event log",
    ["event"],
)


@dataclass(slots=True)
class _Window:
    began: float
    count: int = 0
    left_out: int = 0


class RefusalLimit:
    """Counts in memory: a restart and each further replica permit as many again, which bounds the log all the same."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._windows: dict[tuple[str, str], _Window] = {}

    def count(self, idp_id: str, error_id: str) -> int | None:
        """Counts a refusal.

        Returns:
            how many the log left out since its last row of this provider and reason; None where it leaves out this one.
        """
        window = self._current(idp_id, error_id)
        if window.count >= PER_MINUTE:
            window.left_out += 1
            _REFUSALS.labels("left_out").inc()
            return None
        window.count += 1
        left_out, window.left_out = window.left_out, 0
        _REFUSALS.labels("logged").inc()
        return left_out

    def _current(self, idp_id: str, error_id: str) -> _Window:
        now, key = self._clock.now(), (idp_id, error_id)
        if len(self._windows) >= _MOST_WINDOWS and key not in self._windows:
            self._windows = {name: one for name, one in self._windows.items() if _is_open(one, now)}
        window = self._windows.setdefault(key, _Window(now))
        if not _is_open(window, now):
            window = self._windows[key] = _Window(now, left_out=window.left_out)
        return window


def _is_open(window: _Window, now: float) -> bool:
    # A clock that was set back begins another window.
    return 0 <= now - window.began < _WINDOW
