"""The bars of the chart of sign-ins, in units of its view box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

WIDTH: Final = 600
HEIGHT: Final = 96


class Bar(NamedTuple):
    """A day: failures are drawn above the sign-ins. `x` is the left edge."""

    date: str
    sign_ins: int
    failed: int
    x: int
    sign_ins_top: float
    failed_top: float


def bars_of(days: Sequence[dict[str, Any]]) -> list[Bar]:
    numbers = [(day["date"], day.get("signIns", 0), day.get("failedSignIns", 0)) for day in days]
    scale = HEIGHT / max((sign_ins + failed for _, sign_ins, failed in numbers), default=0) if _any(numbers) else 0.0
    step = WIDTH // max(len(numbers), 1)
    return [
        Bar(date, ok, bad, place * step, round(HEIGHT - ok * scale, 1), round(HEIGHT - (ok + bad) * scale, 1))
        for place, (date, ok, bad) in enumerate(numbers)
    ]


def _any(numbers: Sequence[tuple[str, int, int]]) -> bool:
    return any(ok or bad for _, ok, bad in numbers)
