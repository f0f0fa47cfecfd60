from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prometheus_client.metrics import Counter

FAILURES: Final = Counter("portico_event_publish_failures_total", "Events that the stream did not acknowledge.")
TOO_OLD_SECONDS: Final = 60.0
"""A failure that did not recur for this long is not the present state."""

_LONGEST_REASON: Final = 120


class Publishing:
    """Outcomes of publishing over one connection; failures are reported after `degraded_seconds`."""

    def __init__(self, degraded_seconds: float, monotonic: Callable[[], float]) -> None:
        self._degraded_seconds = degraded_seconds
        self._monotonic = monotonic
        self._first_failure: float | None = None
        self._last_failure = 0.0
        self._reason = ""

    def reset(self) -> None:
        self._first_failure = None

    def failed(self, error: BaseException) -> None:
        FAILURES.inc()
        self._last_failure = self._monotonic()
        if self._first_failure is None:
            self._first_failure = self._last_failure
        self._reason = (getattr(error, "description", None) or type(error).__name__)[:_LONGEST_REASON]

    def degradation(self) -> str:
        """Returns since when publishing fails and why; empty when it works or has not failed long enough."""
        if self._first_failure is None or self._monotonic() - self._last_failure > TOO_OLD_SECONDS:
            return ""
        failing = self._last_failure - self._first_failure
        if failing < self._degraded_seconds:
            return ""
        return f"no event could be published for {failing:.0f} s ({self._reason})"
