"""Memory that was freed is given back to the system.

The C library keeps what was freed for the next allocation: after one sign-in the 19 MiB of its password hash for each
hashing thread, after a large import everything the import held (decision 0044).
"""

from __future__ import annotations

import asyncio
import ctypes
from typing import Any, Final

FIRST_SECONDS: Final = 5.0
"""After the start, which needs more than the service does afterwards."""

SECONDS: Final = 60.0
"""Between two times. In between freed memory is at hand for the next request, which costs less than new memory."""

_malloc_trim: Final[Any] = getattr(ctypes.CDLL(None), "malloc_trim", None)
"""Of glibc; other C libraries have none."""


def return_free_memory() -> None:
    """Gives the system back every page that holds nothing; takes milliseconds."""
    if _malloc_trim:
        _malloc_trim(0)


async def return_free_memory_periodically() -> None:
    """Does so for ever."""
    pause = FIRST_SECONDS
    while True:
        await asyncio.sleep(pause)
        return_free_memory()
        pause = SECONDS
