"""What a replica remembers of users: the lease, the kinds of facts, and the work that keeps both current."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TypeVar

from portico_runtime.background import Background
from portico_runtime.clock import Clock
from portico_runtime.facts import keys
from portico_runtime.facts.dated import Dated
from portico_runtime.facts.lease import Lease, VersionReader
from portico_runtime.facts.remembered import Remembered, confirm_periodically
from portico_runtime.redis_client import RedisClient

Facts = TypeVar("Facts")


class RedisVersionReader:
    """Implements `VersionReader`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis

    async def read(self, user_id: str) -> str:
        """See `VersionReader.read`."""
        fact = keys.person(user_id)
        return await self._redis.read("HGET", keys.versions(fact.slot), fact.field) or ""

    async def read_any(self) -> str:
        """See `VersionReader.read_any`."""
        return await self._redis.read("HGET", keys.versions(keys.DIRECTORY), keys.ANY) or ""

    async def read_all(self) -> dict[str, str]:
        """See `VersionReader.read_all`."""
        pairs = await self._redis.read("HGETALL", keys.versions(keys.DIRECTORY))
        return dict(pairs) if isinstance(pairs, Mapping) else dict(zip(pairs[::2], pairs[1::2], strict=True))


class FactMemory:
    """Makes what remembers facts, all under one lease."""

    def __init__(
        self, reader: VersionReader | None, clock: Clock, *, most: int, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        """Remembers nothing yet.

        Args:
            reader: None where versions cannot be read: users is always asked.
            most: facts of one kind that are remembered.
            monotonic: seconds of a clock that is never set.
        """
        self.lease = Lease(reader, clock, monotonic)
        self._reader = reader
        self._most = most
        self._monotonic = monotonic
        self._kinds: list[Remembered[object]] = []

    def remember(self, kind: type[Facts], ask: Callable[[str, str], Awaitable[Dated[Facts]]]) -> Remembered[Facts]:
        """What remembers one kind of facts.

        Args:
            ask: asks users about a key, with the version that Redis has.
        """
        made = Remembered(kind, self.lease, ask, most=self._most, monotonic=self._monotonic)
        self._kinds.append(made)  # type: ignore[arg-type]  # nothing is put into it here
        return made

    async def version_of(self, user_id: str, read: str | None) -> str:
        """The version of a person's facts.

        Args:
            read: as the caller has read it since the request began; None where it has not.

        Raises:
            ServiceError: `unavailable`.
        """
        if read is not None:
            return read
        return await self._reader.read(user_id) if self._reader else ""

    def upkeep(self, confirm: Callable[[Mapping[str, str]], Awaitable[Iterable[str]]]) -> tuple[Background, ...]:
        """The work that keeps the lease and confirms facts, to start with the service.

        Args:
            confirm: see `Remembered.confirm_due`.
        """
        if self._reader is None:
            return ()
        return (
            Background("user-cache-versions", self.lease.poll_periodically),
            Background("user-cache-confirmation", lambda: confirm_periodically(self._kinds, confirm)),
        )
