"""Tests of Redis behind Sentinel (decision 0065)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from portico_harness.eventually import eventually
from portico_harness.watched_redis import Watched, watched_redis
from portico_oauth.errors import ServiceError
from portico_runtime.redis.client import RedisClient
from portico_runtime.redis.nodes.history import History

pytestmark = pytest.mark.servers

KEY = "token:{ab}:sum"


@pytest.fixture(name="watched")
def _watched(tmp_path: Path) -> Iterator[Watched]:
    with watched_redis(tmp_path) as watched:
        yield watched


async def test_new_master_is_followed(watched: Watched) -> None:
    """A promoted replica has all acknowledged writes; before that the answer is 503, and a former master is not
    used.
    """
    client = watched.client(History("token", recalled=True))
    add = client.script("return redis.call('INCR', KEYS[1])")

    async def written() -> bool:
        try:
            await client.run(add, [KEY])
        except ServiceError:
            return False
        return True

    await eventually(written, bool)
    both = watched.client(replicas=1)
    await eventually(lambda: is_written(both), bool)
    await both.close()
    before = int(await client.read("GET", KEY))
    await asyncio.to_thread(watched.stop, "one")
    refused = not await written()
    await eventually(written, bool)

    assert refused
    assert int(await client.read("GET", KEY)) == before + 1
    await client.close()


async def is_written(client: RedisClient) -> bool:
    """Reports whether the required number of replicas acknowledges a write."""
    try:
        await client.run(client.script("return redis.call('SET', KEYS[1], '1')"), ["token:{cd}:x"])
    except ServiceError:
        return False
    return True


async def test_missing_master_is_an_error(watched: Watched) -> None:
    client = watched.client()
    await asyncio.to_thread(watched.stop, "sentinel", "one")

    with pytest.raises(ServiceError):
        await client.read("GET", KEY)
    await client.close()
