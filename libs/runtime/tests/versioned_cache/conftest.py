from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import count

import pytest
from portico_fakes.clock import FrozenClock
from portico_harness.servers import RunningRedis
from portico_runtime.redis.client import RedisClient
from portico_runtime.versioned_cache import keys
from portico_runtime.versioned_cache.keys import VersionKey

from .one_replica import World, world_of
from .played_changes import InMemory, InRedis, Store

_numbers = count()


@pytest.fixture(name="redis_of_users")
async def _redis_of_users(redis_server: RunningRedis) -> AsyncIterator[RedisClient]:
    client = RedisClient(redis_server.section("users"), "users")
    yield client
    await client.close()


@pytest.fixture(name="stored", params=["memory", pytest.param("redis", marks=pytest.mark.servers)])
def _stored(request: pytest.FixtureRequest, clock: FrozenClock) -> Store:
    if request.param == "memory":
        return InMemory(clock)
    return InRedis(request.getfixturevalue("redis_of_users"))


@pytest.fixture(name="person")
def _person() -> VersionKey:
    return keys.user(f"person {next(_numbers)}")


@pytest.fixture(name="world")
def _world(clock: FrozenClock) -> World:
    return world_of(clock)
