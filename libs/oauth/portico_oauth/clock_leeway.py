from __future__ import annotations

from typing import Final

CLOCK_LEEWAY: Final = 10
"""Seconds by which a clock may be behind that of the issuer."""


def is_issued_ahead(issued: float, now: float) -> bool:
    """Reports whether a time (unix seconds) is in the future beyond the leeway: callers treat it as expired (FD-14)."""
    return now < issued - CLOCK_LEEWAY
