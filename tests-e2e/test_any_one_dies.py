"""Each server and service is replicated; any single one dies under load (FD-01, FD-05, FD-08, FD-11).

``PORTICO_TEST_DRILL_SECONDS=60`` sets the wait after each failure; run with ``-s`` to see the table, and with
``PORTICO_TEST_RECORD=1`` to record it in the guide.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

import pytest
from portico_contracts.catalogue import OPERATOR
from portico_contracts.events import STREAM
from portico_harness.eventually import HANGS, eventually
from portico_runtime.bus.nats_client import NatsClient
from portico_scenarios import drill_table
from portico_scenarios.steady_load import SteadyLoad
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import Profile, StackOptions
from portico_stack.assembly.replicas import Replicas
from portico_stack.servers.mongo_names import ADMIN
from pymongo import AsyncMongoClient
from redis.asyncio import Redis

pytestmark = [pytest.mark.e2e, pytest.mark.long]

SECONDS: Final = float(os.environ.get("PORTICO_TEST_DRILL_SECONDS", "5"))
"""Between two failures."""


@pytest.fixture(scope="module")
async def several(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """Three MongoDB, nine Redis, three NATS, two replicas of each service."""
    options = StackOptions(tmp_path_factory.mktemp("several"), port=0, replicas=Replicas(2), profile=Profile.HA)
    async with started(options) as world:
        yield world


async def mongo_primary(world: World) -> str:
    layout, passwords = world.stack.layout, world.stack.installation.mongo_passwords
    client: AsyncMongoClient[dict[str, Any]] = AsyncMongoClient(
        layout.mongo.url, username=ADMIN, password=passwords[ADMIN], serverSelectionTimeoutMS=10_000
    )
    async with client:
        primary = str((await client.admin.command("hello"))["primary"])
    return f"mongo-{_number(layout.mongo, int(primary.rpartition(':')[2]))}"


async def redis_master(world: World) -> str:
    cluster, passwords = world.stack.layout.redis, world.stack.installation.redis_passwords
    for number, port in enumerate(getattr(cluster, "ports", ()), 1):
        url = f"redis://127.0.0.1:{port}"
        try:
            async with Redis.from_url(url, username="token", password=passwords["token"], socket_timeout=1) as client:
                if (await client.execute_command("ROLE"))[0] == b"master":  # type: ignore[no-untyped-call]
                    return f"redis-{number}"
        except OSError:
            continue
    raise AssertionError("no master answers")


async def nats_leader(world: World) -> str:
    shared = world.stack.layout.shared
    client = NatsClient(shared.bus_url, OPERATOR, shared.bus_passwords[OPERATOR])
    try:
        await client.connect_once(seconds=HANGS)
        stream = await client.jetstream().stream_info(STREAM)
    finally:
        await client.close()
    assert stream.cluster is not None
    assert stream.cluster.leader is not None
    return f"nats-{stream.cluster.leader.rpartition('-')[2]}"


def _number(server: Any, port: int) -> int:
    return list(server.ports).index(port) + 1


def part(name: str) -> Callable[[World], Awaitable[str]]:
    async def named(_world: World) -> str:
        return name

    return named


DEATHS: Final = {
    "the primary of MongoDB": mongo_primary,
    "a master of Redis": redis_master,
    "the leader of NATS": nats_leader,
    "a replica of authz": part("authz-1"),
    "a replica of token": part("token-1"),
    "a replica of users": part("users-1"),
    "a replica of keys": part("keys-1"),
    "a replica of login-ui": part("login-ui-1"),
}


async def test_any_single_failure_is_survived(several: World) -> None:
    """Whichever part dies, no response is wrong, no acknowledged write is lost, and the others take over."""
    load = SteadyLoad(several)
    await load.prepare()
    rows: list[drill_table.Row] = []
    async with load:
        for what, find in DEATHS.items():
            name = await find(several)
            died, before = time.monotonic(), load.outcome.asked
            # Not restarted meanwhile: an immediate restart would hide the failure.
            await asyncio.gather(*(process.stop(0) for process in several.stack.processes(name)))
            assert await eventually(load.works, bool), f"nothing works without {what}"
            await asyncio.sleep(max(died + SECONDS - time.monotonic(), 0))  # allow fixed-wait: how long it is dead
            outcome = load.outcome
            last, failed = outcome.last_failure_after(died), outcome.failed_after(died)
            rows.append(drill_table.Row(f"{what} dies", outcome.asked - before, failed, last))
            await several.stack.start_part(name)
    lost = await load.lost()
    drill_table.report("deaths", drill_table.table(load, rows, len(lost), SECONDS))

    assert load.outcome.wrong == []
    assert lost == []
