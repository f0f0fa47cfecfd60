"""The versions of facts: marked before a commit, set after it, settled where they are unknown.

A version is random text that is stored with the record itself, new with each change. Facts that were read with a version
are current while Redis has the same one. While a change is under way Redis has a mark instead, and nothing where it lost
data: then the owner is asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final, Protocol

from portico_oauth.opaque import RandomBytes

from portico_runtime.facts import keys
from portico_runtime.facts.keys import MARK_SECONDS, VersionKey
from portico_runtime.facts.lua import source
from portico_runtime.redis_client import RedisClient

KEPT_SECONDS: Final = 86_400
"""How long the versions of a bucket are stored after the last change of one of them."""


class Versions(Protocol):
    """What the owner of facts writes."""

    async def begin(self, change: str, facts: Iterable[VersionKey]) -> None:
        """Marks facts as changing, before the commit; again for the same change does nothing more.

        Args:
            change: names the change; see `new_change`.

        Raises:
            ServiceError: `unavailable`: then the change must not be committed.
        """
        ...

    async def finish(self, change: str, facts: Mapping[VersionKey, str]) -> None:
        """Sets the new versions, by fact, after the commit; an empty one where nothing was committed.

        Raises:
            ServiceError: `unavailable`: the marks count on, and the owner is asked until it settles the versions.
        """
        ...

    async def settle(self, fact: VersionKey, seen: str, read: Callable[[], Awaitable[str]]) -> None:
        """Sets a version that is missing or wrong, unless a change is under way or begins meanwhile.

        Args:
            seen: what was found in its place; where anything else is there by now, it is left as it is.
            read: the version the owner's store has now.

        Raises:
            ServiceError: `unavailable`.
        """
        ...


def new_change(random: RandomBytes) -> str:
    """The name of a change or settling: 96 random bits in hexadecimal digits, which the scripts can search for."""
    return random(12).hex()


class RedisVersions:
    """Implements `Versions`."""

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
        """See `Versions.begin`."""
        await asyncio.gather(
            *(
                self._redis.run(self._begin, [keys.versions(slot)], fields, change=change, kept_seconds=KEPT_SECONDS)
                for slot, fields in _by_slot((fact, (fact.field,)) for fact in facts).items()
            )
        )

    async def finish(self, change: str, facts: Mapping[VersionKey, str]) -> None:
        """See `Versions.finish`."""
        await asyncio.gather(
            *(
                self._redis.run(self._finish, [keys.versions(slot)], pairs, change=change, mark_seconds=MARK_SECONDS)
                for slot, pairs in _by_slot((fact, (fact.field, facts[fact])) for fact in facts).items()
            )
        )

    async def settle(self, fact: VersionKey, seen: str, read: Callable[[], Awaitable[str]]) -> None:
        """See `Versions.settle`."""
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
    """The arguments about the facts of each slot."""
    slots: dict[str, list[str]] = {}
    for fact, arguments in facts:
        slots.setdefault(fact.slot, []).extend(arguments)
    return slots
