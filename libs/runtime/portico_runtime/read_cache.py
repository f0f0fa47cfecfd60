"""A read cache that is never older than a second, and dropped at once when an event invalidates it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

from portico_runtime.clock import Clock

Value = TypeVar("Value")

MAX_AGE: Final = 1.0
MAX_ENTRIES: Final = 10_000


class ReadCache(Generic[Value]):
    """Remembers answers by text key; who asks while the same is being asked shares the answer.

    Without that, everybody who is at work when a second is over asks at once.
    """

    def __init__(self, clock: Clock, load: Callable[[str], Awaitable[Value]], *, max_age: float = MAX_AGE) -> None:
        self._clock = clock
        self._load = load
        self._max_age = max_age
        self._entries: dict[str, tuple[float, Value]] = {}
        self._loading: dict[str, tuple[float, asyncio.Task[Value]]] = {}
        self._dropped = float("-inf")

    async def get(self, key: str) -> Value:
        """The remembered answer, or a fresh one; failures are raised and not remembered."""
        now = self._clock.now()
        found = self._entries.get(key)
        if found and 0 <= now - found[0] < self._max_age:
            return found[1]
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
        if len(self._entries) >= MAX_ENTRIES:
            self._entries.clear()
        self._entries[key] = (began, value)

    def _is_wanted(self, key: str) -> bool:
        """This task's load is still the one that counts for the key."""
        loading = self._loading.get(key)
        return loading is not None and loading[1] is asyncio.current_task()
