from __future__ import annotations

import pytest
from portico_fakes.clock import FrozenClock
from portico_harness.servers import RunningMongo, RunningRedis
from portico_runtime.mongo.client import MongoClient
from portico_runtime.redis.client import RedisClient
from portico_runtime.versioned_cache.read_cache import ReadCache
from prometheus_client import REGISTRY


def count(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


@pytest.mark.servers
async def test_redis_latency_is_split_by_reads_and_writes(redis_server: RunningRedis) -> None:
    """A script that may write waits for the disk, so it is measured separately from reads."""
    client = RedisClient(redis_server.section("token"), "token")
    reads, writes = (count("portico_redis_seconds_count", kind=kind) for kind in ("read", "write"))
    await client.read("GET", "token:{timed}")
    await client.run(client.script("return redis.call('SET', KEYS[1], '1')"), ["token:{timed}"])
    await client.close()

    assert count("portico_redis_seconds_count", kind="read") == reads + 1
    assert count("portico_redis_seconds_count", kind="write") > writes


@pytest.mark.servers
async def test_mongodb_latency_is_measured(mongo_server: RunningMongo) -> None:
    client = MongoClient(mongo_server.section("users"), "users")
    before = count("portico_mongo_seconds_count")
    await client.time()
    await client.close()

    assert count("portico_mongo_seconds_count") == before + 1


async def test_cache_counts_hits_and_misses() -> None:
    async def load(key: str) -> str:
        return key

    cache = ReadCache(FrozenClock(), load, name="tried")
    await cache.get("a")
    await cache.get("a")

    assert count("portico_cache_answers_total", cache="tried", source="owner") == 1
    assert count("portico_cache_answers_total", cache="tried", source="memory") == 1
