"""When a mail that could not be delivered is tried again."""

from __future__ import annotations

from typing import Final

LONGEST: Final = 60.0
"""Seconds between two attempts; they grow no further, so that mails are soon out after a failure of any length."""


def retry_after(attempts: int) -> float:
    """Seconds to wait after so many failed attempts: 2, doubling."""
    return min(LONGEST, 2.0 ** min(attempts, 10))
