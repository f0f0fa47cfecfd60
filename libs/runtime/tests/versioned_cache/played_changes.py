from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Protocol

from portico_fakes.clock import FrozenClock
from portico_fakes.memory_versions import MemoryVersions
from portico_fakes.randomness import seeded_bytes
from portico_runtime.redis.client import RedisClient
from portico_runtime.versioned_cache import keys
from portico_runtime.versioned_cache.keys import VersionKey
from portico_runtime.versioned_cache.versions import RedisVersions, Versions, new_change

_random = seeded_bytes(39)


class Store(Protocol):
    @property
    def versions(self) -> Versions: ...

    async def text(self, fact: VersionKey) -> str: ...

    async def lose(self, fact: VersionKey) -> None: ...

    async def age(self, fact: VersionKey, seconds: int) -> None: ...


class InMemory:
    def __init__(self, clock: FrozenClock) -> None:
        self.versions = MemoryVersions(clock)
        self._clock = clock

    async def text(self, fact: VersionKey) -> str:
        return self.versions.text_of(fact)

    async def lose(self, fact: VersionKey) -> None:
        for other in [one for one in self.versions.stored if one.slot == fact.slot]:
            del self.versions.stored[other]

    async def age(self, fact: VersionKey, seconds: int) -> None:
        self._clock.tick(seconds)


class InRedis:
    def __init__(self, redis: RedisClient) -> None:
        self.versions = RedisVersions(redis, _random)
        self._redis = redis

    async def text(self, fact: VersionKey) -> str:
        return await self._redis.read("HGET", keys.versions(fact.slot), fact.field) or ""

    async def lose(self, fact: VersionKey) -> None:
        await self._redis.run(self._redis.script("return redis.call('DEL', KEYS[1])"), [keys.versions(fact.slot)])

    async def age(self, fact: VersionKey, seconds: int) -> None:
        older = self._redis.script(
            "local text = string.gsub(redis.call('HGET', KEYS[1], ARGV[1]), '@(%d+)',"
            " function(since) return '@' .. string.format('%d', since - ARGV[2]) end)"
            " redis.call('HSET', KEYS[1], ARGV[1], text) return 1"
        )
        await self._redis.run(older, [keys.versions(fact.slot)], [fact.field, seconds])


def is_version(text: str) -> bool:
    return bool(text) and text[0] not in "~?"


@dataclass
class Play:
    """Executes concurrent changes of a user, named by letters, and a settlement, step by step.

    Attributes:
        committed: the version in the owner's store.
    """

    stored: Store
    fact: VersionKey
    committed: str = "version-0"
    changes: dict[str, str] = field(default_factory=dict)
    entered: asyncio.Event = field(default_factory=asyncio.Event)
    may_read: asyncio.Event = field(default_factory=asyncio.Event)
    has_read: asyncio.Event = field(default_factory=asyncio.Event)
    may_set: asyncio.Event = field(default_factory=asyncio.Event)
    settling: asyncio.Task[None] | None = None

    async def step(self, step: str) -> None:
        who, _, what = step.partition("-")
        change = self.changes.setdefault(who, new_change(_random))
        match what or who:
            case "begin":
                await self.stored.versions.begin(change, [self.fact])
            case "commit":
                self.committed = f"version-{who}"
            case "finish":
                await self.stored.versions.finish(change, {self.fact: f"version-{who}"})
            case "withdraw":
                await self.stored.versions.finish(change, {self.fact: ""})
            case "lose":
                await self.stored.lose(self.fact)
            case "settle":
                seen = await self.stored.text(self.fact)
                self.settling = asyncio.create_task(self.stored.versions.settle(self.fact, seen, self._read))
                await self._until(self.entered)
            case "read":
                self.may_read.set()
                await self._until(self.has_read)
            case "set":
                assert self.settling
                self.may_set.set()
                await self.settling

    async def _until(self, event: asyncio.Event) -> None:
        """Waits for a step of the settlement, which may have been refused."""
        assert self.settling
        waiting = asyncio.create_task(event.wait())
        await asyncio.wait((waiting, self.settling), return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()

    async def _read(self) -> str:
        self.entered.set()
        await self.may_read.wait()
        found = self.committed
        self.has_read.set()
        await self.may_set.wait()
        return found
