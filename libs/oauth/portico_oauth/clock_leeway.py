from __future__ import annotations

from typing import Final

CLOCK_LEEWAY: Final = 10
"""Seconds by which a clock may be behind that of the issuer."""


def is_issued_ahead(issued: float, now: float) -> bool:
    """Returns whether something was issued in the future, beyond the leeway: a clock was set back since (FD-14).

    Its lifetime cannot be determined by such a clock, so callers treat it as expired. Times are in unix seconds.
    """
    return now < issued - CLOCK_LEEWAY
