"""Time, passed in rather than read, so that tests can hold it still."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Where the time comes from."""

    def now(self) -> float:
        """Unix time in seconds."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> float:
        """Unix time in seconds."""
        return time.time()  # noqa: TID251 - the one place that asks the machine
