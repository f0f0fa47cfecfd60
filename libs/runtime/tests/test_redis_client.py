"""What the stores rely on when Redis comes and goes."""

from __future__ import annotations

import asyncio

import pytest
from portico_runtime.redis_client import RedisClient
from portico_testing.servers import RunningRedis

pytestmark = pytest.mark.servers


async def test_connections_redis_closed_are_not_used_again(redis_server: RunningRedis) -> None:
    """After a restart of Redis the first command succeeds: pooled connections are looked at before use (FD-01)."""
    client = RedisClient(redis_server.section("authz"), "authz")
    await client.check()
    await asyncio.to_thread(redis_server.stop)
    await asyncio.to_thread(redis_server.start)

    await client.check()
    await client.close()
