"""Turns: of the changes that rely on the same object, this replica tries one at a time.

The database lets one of several through and has the others try again (`ties.Hold`): many at once would use up their
attempts on each other. Other replicas are none of this; between those few, trying again is enough.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from weakref import WeakValueDictionary


class KeyedLocks:
    """Who is next, by what is relied on."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def acquire(self, ids: Iterable[str]) -> AsyncIterator[None]:
        """Waits until nobody else is at any of these objects."""
        async with AsyncExitStack() as stack:
            for id in sorted(set(ids)):  # in one order, so that no two wait for each other
                await stack.enter_async_context(self._locks.setdefault(id, asyncio.Lock()))
            yield
