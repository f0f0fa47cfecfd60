"""How far two clocks may differ, and the one rule for everything that has a lifetime when a clock goes back."""

from __future__ import annotations

from typing import Final

CLOCK_LEEWAY: Final = 10
"""Seconds by which a clock may be behind the one that issued something."""


def is_issued_ahead(issued: float, now: float) -> bool:
    """Whether something was issued later than now, beyond the leeway: a clock was set back since (FD-14).

    Its lifetime cannot be judged by a clock that is behind its issue, so it is refused as if it had expired.

    Args:
        issued: unix seconds of the issue.
        now: unix seconds.
    """
    return now < issued - CLOCK_LEEWAY
