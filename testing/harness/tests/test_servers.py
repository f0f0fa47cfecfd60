from __future__ import annotations

from typing import Any

import pytest
from portico_harness.servers import RunningMongo, RunningRedis
from portico_stack.servers.mongo_names import ADMIN
from pymongo import AsyncMongoClient
from redis.asyncio import Redis
from redis.exceptions import ClusterCrossSlotError

pytestmark = pytest.mark.servers


async def test_mongo_ttl_monitor_is_off(mongo_server: RunningMongo) -> None:
    """MongoDB does not delete test data by its own clock, because the tests' clocks are frozen."""
    client: AsyncMongoClient[dict[str, Any]] = AsyncMongoClient(
        mongo_server.url, username=ADMIN, password=mongo_server.password(ADMIN)
    )
    async with client:
        answer = await client.admin.command({"getParameter": 1, "ttlMonitorEnabled": 1})

    assert answer["ttlMonitorEnabled"] is False


async def test_redis_refuses_script_with_keys_of_two_slots(redis_server: RunningRedis) -> None:
    """The shared Redis refuses calls with keys of several slots, as a Redis Cluster does."""
    async with Redis.from_url(redis_server.url, username="token", password=redis_server.password("token")) as redis:
        await redis.eval("return 1", 2, "token:{0a}:one", "token:{0a}:two")
        with pytest.raises(ClusterCrossSlotError):
            await redis.eval("return 1", 2, "token:{0a}:one", "token:{0b}:one")
