"""A read cache that is never older than a second, and dropped at once when an event says so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

from portico_runtime.clock import Clock

Value = TypeVar("Value")

MAX_AGE: Final = 1.0
MAX_ENTRIES: Final = 10_000


class ReadCache(Generic[Value]):
    """Remembers answers by text key; one question is asked at a time per key only by luck, not by promise."""

    def __init__(self, clock: Clock, load: Callable[[str], Awaitable[Value]], *, max_age: float = MAX_AGE) -> None:
        self._clock = clock
        self._load = load
        self._max_age = max_age
        self._entries: dict[str, tuple[float, Value]] = {}

    async def get(self, key: str) -> Value:
        """The remembered answer, or a fresh one; failures are raised and not remembered."""
        now = self._clock.now()
        found = self._entries.get(key)
        if found and 0 <= now - found[0] < self._max_age:
            return found[1]
        value = await self._load(key)
        if len(self._entries) >= MAX_ENTRIES:
            self._entries.clear()
        self._entries[key] = (now, value)
        return value

    def drop(self, key: str) -> None:
        """Forgets one answer."""
        self._entries.pop(key, None)

    def drop_all(self) -> None:
        """Forgets everything."""
        self._entries.clear()
