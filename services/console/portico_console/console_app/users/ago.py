from __future__ import annotations

from datetime import datetime
from typing import Final, NamedTuple

_UNITS: Final = (("year", 31_536_000), ("month", 2_592_000), ("day", 86_400), ("hour", 3_600), ("minute", 60))


class Ago(NamedTuple):
    """A time before now; the unit of less than a minute is empty."""

    number: int
    unit: str


def ago(now: float, text: str) -> Ago:
    """`now` is in unix seconds, `text` a time of the API."""
    seconds = max(now - datetime.fromisoformat(text).timestamp(), 0)
    unit, size = next((one for one in _UNITS if seconds >= one[1]), ("", 1))
    return Ago(int(seconds // size) if unit else 0, unit)
