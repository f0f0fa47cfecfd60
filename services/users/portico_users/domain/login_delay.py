"""How long somebody must wait after wrong passwords: never for good, so that no outsider locks anybody out."""

from __future__ import annotations

from typing import Final

FREE_ATTEMPTS: Final = 4
"""Attempts that cost no wait."""

LONGEST: Final = 900.0
"""Seconds; the delay grows no further."""

FORGET_AFTER: Final = 86_400.0
"""Seconds without an attempt after which failures are forgotten."""


def delay_after(failures: int) -> float:
    """Seconds to wait after so many failures: from the fifth on 1 s, doubling."""
    if failures <= FREE_ATTEMPTS:
        return 0.0
    return min(LONGEST, 2.0 ** min(failures - FREE_ATTEMPTS - 1, 10))
