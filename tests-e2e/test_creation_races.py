"""Concurrent requests for one user name at two replicas of users.

``PORTICO_TEST_RACERS=1000`` sets the number of requests; run with ``-s`` to see the duration.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from portico_scenarios.administrator import Administrator, administrator_of
from portico_scenarios.replica_clients import ReplicaClient, ReplicaClients
from portico_scenarios.world import World

pytestmark = [pytest.mark.e2e, pytest.mark.long]

ADD = "portico.user.v2.UserService.AddHumanUser"
RACERS = min(int(os.environ.get("PORTICO_TEST_RACERS", "50")), 1_000)


@pytest.fixture(scope="module")
async def creator(doubled: World) -> Administrator:
    return await administrator_of(doubled)


@pytest.fixture(scope="module")
async def creators(doubled: World) -> AsyncIterator[ReplicaClients]:
    async with ReplicaClients(replica.address for replica in doubled.stack.replicas_of("users")) as lined_up:
        yield lined_up


Distinct = Callable[[Administrator, int], dict[str, Any]]


def _same_name(creator: Administrator, number: int) -> dict[str, Any]:
    # Case and width are ignored: it is one name (NFKC, case-folded).
    name = (f"Wanted-{creator.tag}", f"wANTED-{creator.tag}", f"Ｗanted-{creator.tag}")[number % 3]
    return creator.human(f"racer{number}", username=name, email=_mail(creator, f"racer{number}"))


def _same_id(creator: Administrator, number: int) -> dict[str, Any]:
    return creator.human(f"other{number}", userId=f"wanted-id-{creator.tag}", email=_mail(creator, f"other{number}"))


def _same_address(creator: Administrator, number: int) -> dict[str, Any]:
    body = creator.human(f"third{number}", email=_mail(creator, "wanted-mail"))
    return {name: value for name, value in body.items() if name != "username"}


def _mail(creator: Administrator, name: str) -> dict[str, Any]:
    return {"email": f"{name}-{creator.tag}@mail.example.test", "isVerified": True}


async def _changes(creator: Administrator) -> int:
    by_it = {"editorUserId": f"admin-{creator.tag}"}
    said = await creator.json("portico.management.v1.EventService.ListEvents", by_it)
    return int(said.body["details"].get("totalResult", "0"))


@pytest.mark.parametrize("alike", [_same_name, _same_id, _same_address], ids=["name", "id", "address as name"])
async def test_concurrent_creations_have_one_winner(
    creator: Administrator, creators: ReplicaClients, alike: Distinct
) -> None:
    """One request gets 200, all others ALREADY_EXISTS, and one user exists at the end (MG-08)."""
    numbers = iter(range(RACERS))
    heard: Counter[tuple[int, str]] = Counter()

    async def create(client: ReplicaClient) -> str:
        body = {name: value for name, value in alike(creator, next(numbers)).items() if name != "password"}
        answer = await client.send(creator.prepared(ADD, body))
        heard[answer.status, answer.json().get("code", "")] += 1
        return str(answer.json().get("userId", ""))

    before = await _changes(creator)
    began = time.perf_counter()
    made = [id for id in await creators.race(create, RACERS) if id]
    took = time.perf_counter() - began
    print(f"{RACERS} creations of one in {took:.1f} s: {dict(heard)}")  # noqa: T201 - figures to read
    found = await creator.json("portico.user.v2.UserService.GetUserByID", {}, path=f"/v2/users/{made[0]}")

    assert heard == {(200, ""): 1, (409, "already_exists"): RACERS - 1}
    assert found.body["user"]["userId"] == made[0]
    assert await _changes(creator) == before + 1
