from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from portico_harness.servers import RunningRedis, running_redis
from portico_runtime.redis.client import RedisClient

from .replica import Installation


@pytest.fixture
async def redis_of_token(redis_server: RunningRedis) -> AsyncIterator[RedisClient]:
    client = RedisClient(redis_server.section("token"), "token")
    yield client
    await client.close()


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    with running_redis(tmp_path / "redis") as server:
        yield Installation(server, tmp_path / "redis")
