"""Numbers that take long to count, kept for a while: an index of a million entries is counted in half a second."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from time import perf_counter
from typing import Final, Generic, NamedTuple, TypeVar

import pymongo
from portico_oauth.errors import UNAVAILABLE, ServiceError
from portico_runtime.mongo.client import guarded

from portico_users.storage.gathering import Gathering

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

SLOW_SECONDS: Final = 0.1
"""A count that took longer is used while the next one runs, so that no page waits for it."""

OLD_SECONDS: Final = 600.0
"""How old such a count may be."""

USED_TIMES: Final = 100
"""A count is used for so many times its duration, so that counting takes a hundredth of the time at most."""

WAIT_SECONDS: Final = 4.0
"""How long a caller waits for the first count, which goes on after that."""

COUNT_SECONDS: Final = 60.0
"""Time limit of a count. With that of other operations it would be given up, and begun again by each caller."""


class _Counted(NamedTuple, Generic[Value]):
    at: float
    took: float
    value: Value


class Remembered(Generic[Key, Value]):
    def __init__(
        self,
        count: Callable[[Key], Awaitable[Value]],
        now: Callable[[], float],
        *,
        seconds: float,
        most: int,
        is_kept: Callable[[Value], bool] = lambda _value: True,
        took: Callable[[], float] = perf_counter,
    ) -> None:
        """``seconds``: how long every count is used. The oldest of more than ``most`` are forgotten."""
        self._count = count
        self._now = now
        self._took = took
        self._seconds = seconds
        self._most = most
        self._is_kept = is_kept
        self._known: dict[Key, _Counted[Value]] = {}
        self._counting: Gathering[Key, Value] = Gathering(self._count_one, lane_of=lambda key: key)
        self._running: set[asyncio.Task[None]] = set()

    def known(self, key: Key) -> Value | None:
        """What is used without counting."""
        found = self._known.get(key)
        if found is None or not 0 <= (age := self._now() - found.at) < OLD_SECONDS:
            return None
        if age < max(self._seconds, USED_TIMES * found.took):
            return found.value
        if found.took < SLOW_SECONDS:
            return None
        self._begin(key)
        return found.value

    async def find(self, key: Key) -> Value | None:
        """Raises what counting raises, and `unavailable` after `WAIT_SECONDS`, unless a former count is used."""
        known = self.known(key)
        if known is not None:
            return known
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                return await self._counting.find(key)
        except TimeoutError:
            raise UNAVAILABLE.error(retry_after=1) from None

    def _begin(self, key: Key) -> None:
        task = asyncio.create_task(self._renew(key))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _renew(self, key: Key) -> None:
        try:
            async with guarded():
                await self._counting.find(key)
        except ServiceError:
            return  # the former count is used until it is too old

    async def _count_one(self, keys: Sequence[Key]) -> Mapping[Key, Value]:
        (key,) = keys
        began = self._took()
        with pymongo.timeout(COUNT_SECONDS):
            value = await self._count(key)
        self._known.pop(key, None)
        if self._is_kept(value):
            self._known[key] = _Counted(self._now(), self._took() - began, value)
        while len(self._known) > self._most:
            del self._known[next(iter(self._known))]
        return {key: value}
