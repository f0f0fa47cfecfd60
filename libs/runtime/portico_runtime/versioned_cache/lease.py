"""A lease on the cached organizations, applications and the like.

Their versions are not in a bucket that requests read anyway, so each replica polls all of them in one
command, and may rely on them for a second, which limits the delay of a change (decision 0039).
Polling stops while nothing uses the lease. The first use afterwards finds it over, as after a failure, and
begins it again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final, Protocol

from portico_runtime.process.clock import Clock
from portico_runtime.versioned_cache import keys
from portico_runtime.versioned_cache.keys import MARK, MARK_SECONDS

LEASE_SECONDS: Final = 1.0
POLL_SECONDS: Final = 0.4
UNUSED_SECONDS: Final = 10.0
"""Polling stops after this long without use."""

CHANGING: Final = -1
"""The epoch of an object that is being changed; cached entries never have it."""


class VersionReader(Protocol):
    """Reads versions; `memory.RedisVersionReader` implements it."""

    async def read(self, user_id: str) -> str:
        """Returns the version of a user, empty without one. Raises `unavailable`."""
        ...

    async def read_any(self) -> str:
        """Returns the version that changes with each of the others."""
        ...

    async def read_all(self) -> dict[str, str]:
        """Returns all versions by field, including that of `read_any`."""
        ...


class Lease:
    def __init__(
        self, versions: VersionReader | None, clock: Clock, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        """`versions` is None where they cannot be read: the lease is then never held."""
        self._versions = versions
        self._clock = clock
        self._monotonic = monotonic
        self._until = float("-inf")
        self._seen: dict[str, str] = {}
        self._generations: dict[str, int] = {}
        self._counter = 0
        self._used_at = monotonic()
        self._used = asyncio.Event()
        self._when_changed: list[Callable[[], None]] = []
        self._when_lost: list[Callable[[], None]] = []

    def when_changed(self, forget: Callable[[], None]) -> None:
        self._when_changed.append(forget)

    def when_lost(self, forget: Callable[[], None]) -> None:
        self._when_lost.append(forget)

    @property
    def holds(self) -> bool:
        return self.version_of(keys.ANY) != CHANGING

    @property
    def counter(self) -> int:
        return self._counter

    def version_of(self, field: str) -> int:
        """Returns the epoch of a field; `CHANGING` while it is being changed or the lease is over."""
        self._used_at = self._monotonic()
        if self._used_at < self._until:
            return self._generations.get(field, 0)
        self._used.set()
        return CHANGING

    def peek(self, field: str) -> int:
        """Returns the epoch of a field at the last poll, even if the lease is over. This does not count as a use."""
        return self._generations.get(field, 0)

    async def poll_while_used(self) -> None:
        """Polls until nothing has used the lease for a while, then waits for the next use."""
        while self._monotonic() - self._used_at < UNUSED_SECONDS:
            await self.poll()
            await asyncio.sleep(POLL_SECONDS)
        self._used.clear()
        await self._used.wait()

    async def poll(self) -> None:
        """Reads the versions and renews the lease. Raises `unavailable`; the lease continues until it expires."""
        if self._versions is None:
            return
        asked = self._monotonic()
        version = await self._versions.read_any()
        if version != self._seen.get(keys.ANY, "") or version.startswith(MARK) or not self._seen:
            self._compare({keys.ANY: version, **await self._versions.read_all()})
        self._until = asked + LEASE_SECONDS

    def end(self) -> None:
        """Ends the lease and all epochs: Redis may have been replaced or restored when it responds again."""
        self._until = float("-inf")
        self._counter += 1
        self._generations = dict.fromkeys(self._generations, self._counter)
        self._seen = {}
        _call_all(self._when_lost)
        _call_all(self._when_changed)

    def _compare(self, found: dict[str, str]) -> None:
        under_way = {field for field, text in found.items() if self._is_watermark(text)}
        changed = [
            field
            for field in {*found, *self._seen}
            if found.get(field, "") != self._seen.get(field, "")
            or (self._generations.get(field) == CHANGING and field not in under_way)
        ]
        if changed:
            self._counter += 1
        for field in changed:
            self._generations[field] = CHANGING if field in under_way else self._counter
        self._seen = found
        if changed:
            _call_all(self._when_changed)

    def _is_watermark(self, text: str) -> bool:
        """Returns whether a change is in progress; an older marker was left by a process that ended."""
        if not text.startswith(MARK):
            return False
        since = [int(mark.rpartition("@")[2]) for mark in text.split(MARK) if "@" in mark]
        return any(self._clock.now() - one < MARK_SECONDS for one in since)


def _call_all(functions: list[Callable[[], None]]) -> None:
    for function in functions:
        function()
