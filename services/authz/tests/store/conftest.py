from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from portico_authz.domain.ports import Stores
from portico_authz.store import redis_stores
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_authz import memory_authz_stores
from portico_harness.servers import RunningRedis
from portico_runtime.redis.client import RedisClient


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.servers)])
async def authz_stores(request: pytest.FixtureRequest, clock: FrozenClock) -> AsyncIterator[Stores]:
    if request.param == "memory":
        yield memory_authz_stores(clock)
        return
    server: RunningRedis = request.getfixturevalue("redis_server")
    client = RedisClient(server.section("authz"), "authz")
    yield redis_stores(client)
    await client.close()
