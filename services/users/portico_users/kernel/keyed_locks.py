"""Locks by key: of the changes that rely on the same object, this replica attempts one at a time.

The database lets one of several succeed and has the others retry (`constraints.VersionGuard`): many at once would use up
their attempts on each other. Other replicas do not share the locks; between those few, retries are enough.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from weakref import WeakValueDictionary


class KeyedLocks:
    """Locks by the ids of the objects that changes rely on."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def acquire(self, ids: Iterable[str]) -> AsyncIterator[None]:
        """Waits until no other change of this replica holds the lock of any of these objects."""
        async with AsyncExitStack() as stack:
            for id in sorted(set(ids)):  # in one order, so that no two wait for each other
                await stack.enter_async_context(self._locks.setdefault(id, asyncio.Lock()))
            yield
