"""A read cache with a maximum age of a second, or of a minute while a lease proves it current."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

from portico_runtime.process.clock import Clock
from portico_runtime.process.store_metrics import CACHED
from portico_runtime.versioned_cache.lease import Lease
from portico_runtime.versioned_cache.remembered import ASKED_SECONDS

Value = TypeVar("Value")

MAX_AGE: Final = 1.0
MAX_ENTRIES: Final = 10_000


class ReadCache(Generic[Value]):
    """Concurrent requests for the same key share one load, which prevents a stampede at expiry."""

    def __init__(
        self,
        clock: Clock,
        load: Callable[[str], Awaitable[Value]],
        *,
        max_age: float = MAX_AGE,
        lease: Lease | None = None,
        name: str = "other",
    ) -> None:
        """`name`: in metrics. `max_age`: seconds without a lease."""
        self._clock = clock
        self._load = load
        self._max_age = max_age
        self._entries: dict[str, tuple[float, Value]] = {}
        self._loading: dict[str, tuple[float, asyncio.Task[Value]]] = {}
        self._dropped = float("-inf")
        self._lease = lease
        self._hits, self._misses = CACHED.of(name, "memory"), CACHED.of(name, "owner")
        if lease:
            lease.when_changed(self.drop_all)

    async def get(self, key: str) -> Value:
        """Returns a cached or fresh result; failures are raised and not cached."""
        now = self._clock.now()
        found = self._entries.get(key)
        if found and 0 <= now - found[0] < self._longest_age():
            self._hits.count += 1
            return found[1]
        self._misses.count += 1
        loading = self._loading.get(key)
        if not loading or not 0 <= now - loading[0] < self._max_age:
            loading = now, asyncio.create_task(self._load_and_remember(key, now))
            self._loading[key] = loading
        # Shielded: cancelling one caller must not cancel the load for the others.
        return await asyncio.shield(loading[1])

    def cached(self, key: str) -> Value | None:
        """Returns a cached result; None without one."""
        found = self._entries.get(key)
        if found is None or not 0 <= self._clock.now() - found[0] < self._longest_age():
            return None
        self._hits.count += 1
        return found[1]

    def remember(self, key: str, value: Value, *, asked: float) -> None:
        """Caches a result that came with another one, unless something was dropped since it was requested."""
        if asked > self._dropped:
            self._keep(key, asked, value)

    def drop(self, key: str) -> None:
        """Drops one entry, and any load in progress, which may have started before the change."""
        # Dropped first: a guarded clock may raise.
        self._entries.pop(key, None)
        self._loading.pop(key, None)
        self._dropped = self._clock.now()

    def drop_all(self) -> None:
        self._entries.clear()
        self._loading.clear()
        self._dropped = self._clock.now()

    async def _load_and_remember(self, key: str, began: float) -> Value:
        try:
            value = await self._load(key)
            if self._is_wanted(key):
                self._keep(key, began, value)
            return value
        finally:
            if self._is_wanted(key):
                del self._loading[key]

    def _keep(self, key: str, began: float, value: Value) -> None:
        self._entries.pop(key, None)
        if len(self._entries) >= MAX_ENTRIES:
            del self._entries[next(iter(self._entries))]
        self._entries[key] = (began, value)

    def _longest_age(self) -> float:
        return ASKED_SECONDS if self._lease and self._lease.holds else self._max_age

    def _is_wanted(self, key: str) -> bool:
        loading = self._loading.get(key)
        return loading is not None and loading[1] is asyncio.current_task()
