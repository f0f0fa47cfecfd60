from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TypeVar

from portico_runtime.process.background import Background
from portico_runtime.process.clock import Clock
from portico_runtime.redis.client import RedisClient
from portico_runtime.versioned_cache import keys
from portico_runtime.versioned_cache.dated import Dated
from portico_runtime.versioned_cache.derived import Derived
from portico_runtime.versioned_cache.lease import Lease, VersionReader
from portico_runtime.versioned_cache.remembered import Remembered, confirm_periodically

Facts = TypeVar("Facts")


class RedisVersionReader:
    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis

    async def read(self, user_id: str) -> str:
        fact = keys.user(user_id)
        return await self._redis.read("HGET", keys.versions(fact.slot), fact.field) or ""

    async def read_any(self) -> str:
        return await self._redis.read("HGET", keys.versions(keys.DIRECTORY), keys.ANY) or ""

    async def read_all(self) -> dict[str, str]:
        pairs = await self._redis.read("HGETALL", keys.versions(keys.DIRECTORY))
        return dict(pairs) if isinstance(pairs, Mapping) else dict(zip(pairs[::2], pairs[1::2], strict=True))


class VersionedCache:
    def __init__(
        self, reader: VersionReader | None, clock: Clock, *, most: int, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        """Without a `reader`, users is always queried; `most` limits the entries per kind."""
        self.lease = Lease(reader, clock, monotonic)
        self._reader = reader
        self._most = most
        self._monotonic = monotonic
        self._kinds: list[Remembered[object]] = []

    def remember(self, kind: type[Facts], ask: Callable[[str, str], Awaitable[Dated[Facts]]]) -> Remembered[Facts]:
        made = Remembered(kind, self.lease, ask, most=self._most, monotonic=self._monotonic)
        self._kinds.append(made)  # type: ignore[arg-type]  # nothing is put into it here
        return made

    def derive(self, kind: type[Facts]) -> Derived[Facts]:
        """What the caller computes from the other kinds."""
        made = Derived(kind, self.lease, most=self._most, monotonic=self._monotonic)
        self._kinds.append(made)  # type: ignore[arg-type]  # nothing is put into it here
        return made

    async def version_of(self, user_id: str, read: str | None) -> str:
        """Returns a user's version; `read` is one that the caller has read since the request started, or None."""
        if read is not None:
            return read
        return await self._reader.read(user_id) if self._reader else ""

    def upkeep(self, confirm: Callable[[Mapping[str, str]], Awaitable[Iterable[str]]]) -> tuple[Background, ...]:
        """The background work that renews the lease and confirms entries."""
        if self._reader is None:
            return ()
        return (
            Background("user-cache-versions", self.lease.poll_while_used),
            Background("user-cache-confirmation", lambda: confirm_periodically(self._kinds, confirm)),
        )
