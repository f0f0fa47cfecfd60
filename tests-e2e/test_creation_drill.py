"""Users are created while the bus and the database are killed: acknowledged users exist, with one email each.

``PORTICO_TEST_CREATIONS=10000`` makes the drill long; run with ``-s`` to see the figures.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpcore
import pytest
from portico_harness.eventually import eventually
from portico_scenarios.administrator import Administrator, administrator_of
from portico_scenarios.mailbox import recipients
from portico_scenarios.replica_clients import ReplicaClient, ReplicaClients
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import StackOptions
from portico_stack.assembly.replicas import Replicas

pytestmark = [pytest.mark.e2e, pytest.mark.long]

ADD = "portico.user.v2.UserService.AddHumanUser"
GET = "portico.user.v2.UserService.GetUserByID"

CREATIONS = int(os.environ.get("PORTICO_TEST_CREATIONS", "150"))
KILLS = ("nats", "mongo", "nats", "mongo") if CREATIONS < 1_000 else ("nats", "mongo") * 6
IN_FLIGHT = 16

MAIL_SECONDS = 150.0
"""An email whose claim was lost waits for the end of its lease of a minute."""


@pytest.fixture(scope="module")
async def shaken(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """A stack with two replicas of each service, whose servers are killed."""
    async with started(StackOptions(tmp_path_factory.mktemp("shaken"), port=0, replicas=Replicas(2))) as two:
        yield two


@dataclass
class Drill:
    """Creations in progress.

    Attributes:
        heard: number of each response.
        there: users with an acknowledged creation.
        given_up: users whose creation was refused once, and not retried.
    """

    admin: Administrator
    heard: Counter[str] = field(default_factory=Counter)
    there: list[str] = field(default_factory=list)
    given_up: list[str] = field(default_factory=list)
    begun: int = 0

    def body(self, number: int) -> dict[str, Any]:
        """A user with an unverified email address and without a password, whose hashing would take time."""
        email = {"email": self.address(number), "sendCode": {}}
        body = self.admin.human(self._name(number), email=email)
        return {name: value for name, value in body.items() if name != "password"}

    def address(self, number: int) -> str:
        return f"{self._name(number)}-{self.admin.tag}@mail.example.test"

    def id(self, number: int) -> str:
        return f"{self._name(number)}-{self.admin.tag}"

    def _name(self, number: int) -> str:
        return f"drilled{number}"

    async def create(self, client: ReplicaClient) -> None:
        """Creates the next user; every fifth refused creation is given up, all others are retried."""
        number, self.begun = self.begun, self.begun + 1
        post = self.admin.prepared(ADD, self.body(number))

        async def is_settled() -> bool:
            said = await self._send(client, post)
            self.heard[said] += 1
            # A retry finds that an earlier attempt, whose response was lost, had succeeded.
            if said in {"200", "409 already_exists"}:
                self.there.append(self.id(number))
                return True
            if number % 5 == 0:
                self.given_up.append(self.id(number))
                return True
            return False

        await eventually(is_settled, bool)

    async def _send(self, client: ReplicaClient, post: Any) -> str:
        try:
            answer = await client.send(post)
        except (httpcore.NetworkError, httpcore.ProtocolError) as error:
            return type(error).__name__
        return "200" if answer.status == 200 else f"{answer.status} {answer.json().get('code', '')}"

    async def so_far(self) -> int:
        return len(self.there)


async def _kill(world: World, part: str) -> None:
    world.stack.kill(part)
    await world.stack.wait_until_ready(part)


async def test_acknowledged_users_exist_with_one_email_each(shaken: World) -> None:
    """Under failures only success and 503 are answered, and each user gets exactly one email (FD-05, FD-08)."""
    drill = Drill(await administrator_of(shaken))
    gateway = urlsplit(shaken.issuer).netloc
    began = time.perf_counter()
    async with ReplicaClients([gateway], IN_FLIGHT) as replica_clients:
        running = asyncio.create_task(replica_clients.race(drill.create, CREATIONS))
        for number, part in enumerate(KILLS, 1):
            await eventually(drill.so_far, (CREATIONS * number // (len(KILLS) + 2)).__le__, 600)
            await _kill(shaken, part)
        await running
        took = time.perf_counter() - began
        states = await _states(replica_clients, drill)
    there = {drill.address(number) for number, state in enumerate(states) if state == 200}

    async def mails() -> Counter[str]:
        return await recipients(shaken.mails)

    sent = await eventually(mails, lambda seen: there <= set(seen), MAIL_SECONDS)
    print(  # noqa: T201 - figures to read
        f"{CREATIONS} creations in {took:.1f} s with {len(KILLS)} kills: {dict(drill.heard)}; {len(there)} users, "
        f"{sum(sent.values())} mails, {len(drill.given_up)} given up; mails after {time.perf_counter() - began:.1f} s"
    )

    assert set(drill.heard) <= {"200", "409 already_exists", "503 unavailable"}
    # Counters, because 404 may not occur.
    assert Counter(states) == Counter({200: len(there), 404: CREATIONS - len(there)})
    assert {drill.id(number) for number, state in enumerate(states) if state == 404} <= set(drill.given_up)
    assert {address: count for address, count in sent.items() if drill.admin.tag in address} == dict.fromkeys(there, 1)


async def _states(replica_clients: ReplicaClients, drill: Drill) -> list[int]:
    posts = [drill.admin.prepared(GET, {"userId": drill.id(number)}) for number in range(CREATIONS)]
    numbers = iter(range(CREATIONS))
    states = [0] * CREATIONS

    async def read(client: ReplicaClient) -> None:
        number = next(numbers)
        states[number] = (await client.send(posts[number])).status

    await replica_clients.race(read, CREATIONS)
    return states
