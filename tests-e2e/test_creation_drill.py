"""Users are created while the bus and the database are killed: what was acknowledged is there, with one email each.

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
from portico_journeys.administrator import Administrator, administrator_of
from portico_journeys.mailbox import recipients
from portico_journeys.replica_clients import ReplicaClient, ReplicaClients
from portico_journeys.world import World, started
from portico_stack.layout import StackOptions
from portico_stack.replicas import Replicas

pytestmark = [pytest.mark.e2e, pytest.mark.long]

ADD = "portico.user.v2.UserService.AddHumanUser"
GET = "portico.user.v2.UserService.GetUserByID"

CREATIONS = int(os.environ.get("PORTICO_TEST_CREATIONS", "150"))
KILLS = ("nats", "mongo", "nats", "mongo") if CREATIONS < 1_000 else ("nats", "mongo") * 6
IN_FLIGHT = 16

MAIL_SECONDS = 150.0
"""An email whose claim got lost waits for the end of its lease, which is a minute."""


@pytest.fixture(scope="module")
async def shaken(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """A stack with two replicas of each service, whose servers are killed."""
    async with started(StackOptions(tmp_path_factory.mktemp("shaken"), port=0, replicas=Replicas(2))) as two:
        yield two


@dataclass
class Drill:
    """Creations under way.

    Attributes:
        heard: how often each answer came.
        there: users whose creation was acknowledged.
        given_up: users whose creation was refused once, and not tried again.
    """

    admin: Administrator
    heard: Counter[str] = field(default_factory=Counter)
    there: list[str] = field(default_factory=list)
    given_up: list[str] = field(default_factory=list)
    begun: int = 0

    def body(self, number: int) -> dict[str, Any]:
        """A user with an address to be verified, and without a password, whose hash would take its time."""
        email = {"email": self.address(number), "sendCode": {}}
        body = self.admin.human(self._name(number), email=email)
        return {name: value for name, value in body.items() if name != "password"}

    def address(self, number: int) -> str:
        """Where the email goes."""
        return f"{self._name(number)}-{self.admin.tag}@mail.example.test"

    def id(self, number: int) -> str:
        """Of the user."""
        return f"{self._name(number)}-{self.admin.tag}"

    def _name(self, number: int) -> str:
        return f"drilled{number}"

    async def create(self, client: ReplicaClient) -> None:
        """Creates the next user; every fifth of those who were refused is given up, all others are tried again."""
        number, self.begun = self.begun, self.begun + 1
        post = self.admin.prepared(ADD, self.body(number))

        async def is_settled() -> bool:
            said = await self._send(client, post)
            self.heard[said] += 1
            # Another try finds that an earlier one, whose answer was lost, had come through.
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
        """How many users are there."""
        return len(self.there)


async def _kill(world: World, part: str) -> None:
    world.stack.kill(part)
    await world.stack.wait_until_ready(part)


async def test_nothing_acknowledged_is_lost_and_no_email_is_sent_twice(shaken: World) -> None:
    """Killed again and again: no answer but success and 503; one email for each user, none else (FD-05, FD-08)."""
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
    # Counters: where every creation came through at once there is no 404 to count.
    assert Counter(states) == Counter({200: len(there), 404: CREATIONS - len(there)})
    assert {drill.id(number) for number, state in enumerate(states) if state == 404} <= set(drill.given_up)
    assert {address: count for address, count in sent.items() if drill.admin.tag in address} == dict.fromkeys(there, 1)


async def _states(replica_clients: ReplicaClients, drill: Drill) -> list[int]:
    """Whether each user can be read."""
    posts = [drill.admin.prepared(GET, {"userId": drill.id(number)}) for number in range(CREATIONS)]
    numbers = iter(range(CREATIONS))
    states = [0] * CREATIONS

    async def read(client: ReplicaClient) -> None:
        number = next(numbers)
        states[number] = (await client.send(posts[number])).status

    await replica_clients.race(read, CREATIONS)
    return states
