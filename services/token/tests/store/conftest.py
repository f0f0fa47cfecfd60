from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from portico_harness.servers import RunningRedis
from portico_runtime.redis_client import RedisClient


@pytest.fixture
async def redis_of_token(redis_server: RunningRedis) -> AsyncIterator[RedisClient]:
    client = RedisClient(redis_server.section("token"), "token")
    yield client
    await client.close()
