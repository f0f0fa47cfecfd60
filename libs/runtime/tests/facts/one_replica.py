"""A replica that remembers names of people, its lease, and users."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import msgspec
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_versions import MemoryVersions
from portico_oauth.errors import UNAVAILABLE
from portico_runtime.facts import keys
from portico_runtime.facts.dated import Dated
from portico_runtime.facts.lease import Lease
from portico_runtime.facts.remembered import BETWEEN, Remembered

ORG = keys.organization("acme")


class Name(msgspec.Struct):
    """Facts of a person."""

    text: str


@dataclass
class Users:
    """Answers questions about people, whose facts are their names, as `answers` is set.

    Attributes:
        people: name and version by user id.
        asked: keys and the versions they were asked with.
        confirmed: what was to be confirmed.
    """

    people: dict[str, tuple[str, str]]
    asked: list[tuple[str, str]] = field(default_factory=list)
    confirmed: list[dict[str, str]] = field(default_factory=list)
    answers: asyncio.Event = field(default_factory=asyncio.Event)
    broken: bool = False

    async def ask(self, key: str, seen: str) -> Dated[Name]:
        """The facts about a key as they are when it is asked."""
        self.asked.append((key, seen))
        name, version = self.people.get(key.partition(BETWEEN)[0], ("", ""))
        await self.answers.wait()
        self._check()
        return Dated(Name(name), version, ORG.field)

    async def confirm(self, versions: Mapping[str, str]) -> Iterable[str]:
        """Which people have another version."""
        self.confirmed.append(dict(versions))
        self._check()
        return [id for id, version in versions.items() if self.people.get(id, ("", ""))[1] != version]

    def _check(self) -> None:
        if self.broken:
            raise UNAVAILABLE.error(retry_after=1, part="users")


@dataclass
class World:
    """A replica, its lease and users."""

    clock: FrozenClock
    versions: MemoryVersions
    lease: Lease
    users: Users
    names: Remembered[Name]

    async def get(self, key: str, version: str) -> str:
        """The name of a key, with a lease that holds, and whether users was asked."""
        await self.lease.poll()
        before = len(self.users.asked)
        name = (await self.names.get(key, version)).text
        return f"{name} asked" if len(self.users.asked) > before else name

    async def change_org(self, name: str = "c1") -> None:
        """Changes the organization of everybody."""
        await self.versions.begin(name, [ORG, keys.anything()])
        await self.versions.finish(name, {ORG: name, keys.anything(): name})


def world_of(clock: FrozenClock, most: int = 100) -> World:
    """A replica that remembers nothing yet."""
    versions = MemoryVersions(clock)
    lease = Lease(versions, clock, clock.now)
    users = Users({"ann": ("Ann", "v1"), "bob": ("Bob", "w1"), "eve": ("Eve", "x1")})
    users.answers.set()
    return World(clock, versions, lease, users, Remembered(Name, lease, users.ask, most=most, monotonic=clock.now))


async def settled() -> None:
    """Lets every task run until it waits."""
    for _ in range(4):
        await asyncio.sleep(0)
