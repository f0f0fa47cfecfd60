"""When an email that could not be delivered is retried."""

from __future__ import annotations

from typing import Final

LONGEST: Final = 60.0
"""Seconds between two attempts; they grow no further, so that emails are sent soon after a failure of any length."""


def retry_after(attempts: int) -> float:
    """Seconds to wait after so many failed attempts: 2, doubling."""
    return min(LONGEST, 2.0 ** min(attempts, 10))
