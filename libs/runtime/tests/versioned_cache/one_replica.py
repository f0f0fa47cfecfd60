from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import msgspec
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_versions import MemoryVersions
from portico_oauth.errors import UNAVAILABLE
from portico_runtime.versioned_cache import keys
from portico_runtime.versioned_cache.dated import Dated
from portico_runtime.versioned_cache.lease import Lease
from portico_runtime.versioned_cache.remembered import BETWEEN, Remembered

ORG = keys.organization("acme")


class Name(msgspec.Struct):
    text: str


@dataclass
class Users:
    """A fake of users whose answers wait for the event `answers`.

    Attributes:
        people: name and version by user id.
        asked: keys with the versions they were requested with.
        confirmed: keys sent for confirmation.
    """

    people: dict[str, tuple[str, str]]
    asked: list[tuple[str, str]] = field(default_factory=list)
    confirmed: list[dict[str, str]] = field(default_factory=list)
    answers: asyncio.Event = field(default_factory=asyncio.Event)
    broken: bool = False

    async def ask(self, key: str, seen: str) -> Dated[Name]:
        self.asked.append((key, seen))
        name, version = self.people.get(key.partition(BETWEEN)[0], ("", ""))
        await self.answers.wait()
        self._check()
        return Dated(Name(name), version, ORG.field)

    async def confirm(self, versions: Mapping[str, str]) -> Iterable[str]:
        self.confirmed.append(dict(versions))
        self._check()
        return [id for id, version in versions.items() if self.people.get(id, ("", ""))[1] != version]

    def _check(self) -> None:
        if self.broken:
            raise UNAVAILABLE.error(retry_after=1, part="users")


@dataclass
class World:
    clock: FrozenClock
    versions: MemoryVersions
    lease: Lease
    users: Users
    names: Remembered[Name]

    async def get(self, key: str, version: str) -> str:
        """Returns the name and whether users was called."""
        await self.lease.poll()
        before = len(self.users.asked)
        name = (await self.names.get(key, version)).text
        return f"{name} asked" if len(self.users.asked) > before else name

    async def change_org(self, name: str = "c1") -> None:
        await self.versions.begin(name, [ORG, keys.anything()])
        await self.versions.finish(name, {ORG: name, keys.anything(): name})


def world_of(clock: FrozenClock, most: int = 100) -> World:
    versions = MemoryVersions(clock)
    lease = Lease(versions, clock, clock.now)
    users = Users({"ann": ("Ann", "v1"), "bob": ("Bob", "w1"), "eve": ("Eve", "x1")})
    users.answers.set()
    return World(clock, versions, lease, users, Remembered(Name, lease, users.ask, most=most, monotonic=clock.now))


async def settled() -> None:
    """Lets every task run until it blocks."""
    for _ in range(4):
        await asyncio.sleep(0)
