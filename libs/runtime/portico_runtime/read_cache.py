"""A read cache that is never older than a second, or while a lease proves it current than a minute.

It is dropped at once when an event invalidates it, or the lease sees a change.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

from portico_runtime.clock import Clock
from portico_runtime.facts.lease import Lease
from portico_runtime.facts.remembered import ASKED_SECONDS
from portico_runtime.store_metrics import CACHED

Value = TypeVar("Value")

MAX_AGE: Final = 1.0
MAX_ENTRIES: Final = 10_000


class ReadCache(Generic[Value]):
    """Remembers answers by text key; who asks while the same is being asked shares the answer.

    Without that, everybody who is at work when a second is over asks at once.
    """

    def __init__(
        self,
        clock: Clock,
        load: Callable[[str], Awaitable[Value]],
        *,
        max_age: float = MAX_AGE,
        lease: Lease | None = None,
        name: str = "other",
    ) -> None:
        """Remembers nothing yet.

        Args:
            name: of what is remembered, in metrics.
            max_age: seconds an answer is remembered without a lease.
            lease: on what the answers are made of; while it holds they are remembered longer.
        """
        self._clock = clock
        self._load = load
        self._max_age = max_age
        self._entries: dict[str, tuple[float, Value]] = {}
        self._loading: dict[str, tuple[float, asyncio.Task[Value]]] = {}
        self._dropped = float("-inf")
        self._lease = lease
        self._hits, self._misses = CACHED.labels(name, "memory"), CACHED.labels(name, "owner")
        if lease:
            lease.when_changed(self.drop_all)

    async def get(self, key: str) -> Value:
        """The remembered answer, or a fresh one; failures are raised and not remembered."""
        now = self._clock.now()
        found = self._entries.get(key)
        if found and 0 <= now - found[0] < self._longest_age():
            self._hits.inc()
            return found[1]
        self._misses.inc()
        loading = self._loading.get(key)
        if not loading or not 0 <= now - loading[0] < self._max_age:
            loading = now, asyncio.create_task(self._load_and_remember(key, now))
            self._loading[key] = loading
        # Shielded: one who stops waiting does not take the answer away from the others.
        return await asyncio.shield(loading[1])

    def remember(self, key: str, value: Value, *, asked: float) -> None:
        """Caches an answer that came with another one, unless something was dropped since it was requested."""
        if asked > self._dropped:
            self._keep(key, asked, value)

    def drop(self, key: str) -> None:
        """Forgets one answer, also one that is on its way: it may have been read before the change."""
        # Forgotten first: a guarded clock may have no time.
        self._entries.pop(key, None)
        self._loading.pop(key, None)
        self._dropped = self._clock.now()

    def drop_all(self) -> None:
        """Forgets everything."""
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
        """This task's load is still the one that counts for the key."""
        loading = self._loading.get(key)
        return loading is not None and loading[1] is asyncio.current_task()
