"""Returns memory that the C library retains to the system: 19 MiB per hashing thread (decision 0044)."""

from __future__ import annotations

import asyncio
import ctypes
from typing import Any, Final

FIRST_SECONDS: Final = 5.0
"""First run, after the start, which needs more memory than the service does later."""

SECONDS: Final = 60.0
"""Interval; in between freed memory is reused, which costs less than new memory."""

_malloc_trim: Final[Any] = getattr(ctypes.CDLL(None), "malloc_trim", None)
"""Only glibc has it."""


def return_free_memory() -> None:
    if _malloc_trim:
        _malloc_trim(0)


async def return_free_memory_periodically() -> None:
    pause = FIRST_SECONDS
    while True:
        await asyncio.sleep(pause)
        return_free_memory()
        pause = SECONDS
