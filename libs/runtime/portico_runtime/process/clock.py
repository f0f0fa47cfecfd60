from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    def now(self) -> float: ...


class SystemClock:
    now = staticmethod(time.time)  # noqa: TID251 - the one place that asks the machine
