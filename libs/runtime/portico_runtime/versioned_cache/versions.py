"""Versions of users' data: marked before a commit, set after it, settled where unknown.

A version is random text stored in the record itself, new with each change. Data read with a version is
current while Redis has the same one. During a change Redis has a marker instead, and after data loss nothing:
then the owner is queried.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final, Protocol

from portico_oauth.opaque import RandomBytes

from portico_runtime.redis.client import RedisClient
from portico_runtime.versioned_cache import keys
from portico_runtime.versioned_cache.keys import MARK_SECONDS, VersionKey
from portico_runtime.versioned_cache.lease import LEASE_SECONDS
from portico_runtime.versioned_cache.lua import source

KEPT_SECONDS: Final = 86_400
"""Lifetime of a bucket's versions after the last change."""


_MARGIN_SECONDS: Final = 0.05


class Versions(Protocol):
    async def begin(self, change: str, facts: Iterable[VersionKey]) -> None:
        """Marks versions as changing; idempotent per change. On `unavailable` the change must not be committed."""
        ...

    async def finish(self, change: str, facts: Mapping[VersionKey, str]) -> None:
        """Sets the new versions after the commit; an empty one where nothing was committed.

        On `unavailable` the markers remain, and the owner is queried until it settles the versions.
        """
        ...

    async def settle(self, fact: VersionKey, seen: str, read: Callable[[], Awaitable[str]]) -> None:
        """Sets a missing or wrong version, unless a change is in progress or `seen` has changed since."""
        ...

    async def outlast_leases(self) -> None:
        """Returns when the versions that were written before are in force for every reader with a `Lease`."""
        ...


def new_change(random: RandomBytes) -> str:
    """Generates the id of a change: 96 random bits in hexadecimal, which the scripts can search for."""
    return random(12).hex()


class RedisVersions:
    def __init__(self, redis: RedisClient, random: RandomBytes) -> None:
        self._redis = redis
        self._random = random
        self._begin = redis.script(source("begin_change"), arguments=("change", "kept_seconds"))
        self._finish = redis.script(source("finish_change"), arguments=("change", "mark_seconds"))
        self._begin_settling = redis.script(
            source("begin_settling"), arguments=("field", "seen", "settling", "mark_seconds", "kept_seconds")
        )
        self._finish_settling = redis.script(source("finish_settling"), arguments=("field", "text", "version"))

    async def begin(self, change: str, facts: Iterable[VersionKey]) -> None:
        await asyncio.gather(
            *(
                self._redis.run(self._begin, [keys.versions(slot)], fields, change=change, kept_seconds=KEPT_SECONDS)
                for slot, fields in _by_slot((fact, (fact.field,)) for fact in facts).items()
            )
        )

    async def finish(self, change: str, facts: Mapping[VersionKey, str]) -> None:
        await asyncio.gather(
            *(
                self._redis.run(self._finish, [keys.versions(slot)], pairs, change=change, mark_seconds=MARK_SECONDS)
                for slot, pairs in _by_slot((fact, (fact.field, facts[fact])) for fact in facts).items()
            )
        )

    async def outlast_leases(self) -> None:
        # A lease of before counts from the request that renewed it. The clocks of two machines run at the same speed.
        await asyncio.sleep(LEASE_SECONDS + _MARGIN_SECONDS)

    async def settle(self, fact: VersionKey, seen: str, read: Callable[[], Awaitable[str]]) -> None:
        where = [keys.versions(fact.slot)]
        text = await self._redis.run(
            self._begin_settling,
            where,
            field=fact.field,
            seen=seen,
            settling=new_change(self._random),
            mark_seconds=MARK_SECONDS,
            kept_seconds=KEPT_SECONDS,
        )
        if text and (version := await read()):
            await self._redis.run(self._finish_settling, where, field=fact.field, text=text, version=version)


def _by_slot(facts: Iterable[tuple[VersionKey, tuple[str, ...]]]) -> dict[str, list[str]]:
    slots: dict[str, list[str]] = {}
    for fact, arguments in facts:
        slots.setdefault(fact.slot, []).extend(arguments)
    return slots
