from __future__ import annotations

import os
from collections.abc import AsyncIterator

import pytest
from portico_harness.servers import RunningRedis
from portico_oauth.errors import UNAVAILABLE
from portico_oauth.opaque import b64url
from portico_runtime.redis.bounded_records import BoundedRecords
from portico_runtime.redis.client import RedisClient
from portico_runtime.redis.memory import maximum_memory
from portico_runtime.redis.nodes.history import BUCKETS

pytestmark = pytest.mark.servers

SIZE = 1_000
BESIDE = 512


class CountedStore:
    """Writes records of `SIZE` bytes and counts them, as a store does."""

    def __init__(self, redis: RedisClient, bounded: BoundedRecords) -> None:
        self.redis = redis
        self.bounded = bounded
        self._put = redis.script("return redis.call('HSET', KEYS[1], 'text', ARGV[1])")
        self._count_as_before = redis.script(
            "redis.call('ZADD', KEYS[2], 1e10, KEYS[1]) "
            "redis.call('HSET', KEYS[3], KEYS[1], 1000) return redis.call('HINCRBY', KEYS[3], 'total', 1000)"
        )
        self._prove = redis.script("return redis.call('HSET', KEYS[1], 'proven', '1')")

    async def create(self, key: str, owner: str = "", seconds: int = 60) -> None:
        await self.redis.run(self._put, [key], ["x"])
        await self.bounded.admit(key, SIZE, seconds, owner)

    async def create_as_before(self, key: str) -> None:
        """As releases did that knew only the end of a record."""
        await self.redis.run(self._put, [key], ["x"])
        await self.redis.run(self._count_as_before, [key, *self.bounded.index_keys(key)])

    async def prove(self, key: str) -> None:
        await self.redis.run(self._prove, [key])

    async def left(self, *keys: str) -> list[int]:
        """Returns the positions of the records that still exist."""
        return [at for at, key in enumerate(keys) if await self.redis.read("EXISTS", key)]


@pytest.fixture
async def redis(redis_server: RunningRedis) -> AsyncIterator[RedisClient]:
    client = RedisClient(redis_server.section("authz"), "authz")
    await client.start()
    yield client
    await client.close()


async def stored(redis: RedisClient, *, most: int = 1_000, records: float = 1_000) -> CountedStore:
    share = records * (SIZE + BESIDE) * len(BUCKETS) / await maximum_memory(redis)
    return CountedStore(redis, BoundedRecords(redis, "authz", most=most, share=share))


def unique(name: str) -> str:
    return f"{name}-{b64url(os.urandom(9))}"


def key_in(bucket: str) -> str:
    return f"authz:{{{bucket}}}:test:{unique('record')}"


async def test_oldest_record_of_an_owner_is_evicted(redis: RedisClient) -> None:
    """Above the owner's limit the oldest unproven record is evicted, and other owners' records stay."""
    store, owner = await stored(redis, most=3), unique("owner")
    keys = [key_in(bucket) for bucket in ("00", "01", "02", "03", "04", "05")]
    foreign = key_in("00")
    await store.create(foreign, unique("owner"))
    await store.create(keys[0], owner)
    await store.prove(keys[0])
    for key in keys[1:4]:
        await store.create(key, owner)
    before = await store.left(*keys)
    await store.bounded.forget(keys[2], owner)
    await store.create(keys[4], owner)
    forgotten = await store.left(*keys)
    await store.create(keys[5], owner)

    assert (before, forgotten) == ([0, 1, 2, 3], [0, 1, 2, 3, 4])
    assert await store.left(*keys) == [0, 2, 3, 4, 5]
    assert await store.left(foreign) == [0]


async def test_records_are_limited_to_a_share_of_memory(redis: RedisClient) -> None:
    """Each bucket evicts its own oldest record, regardless of its owner."""
    store = await stored(redis, records=3.5)
    elsewhere = key_in("a1")
    await store.create(elsewhere)
    keys = [key_in("a0") for _ in range(5)]
    for key in keys[:2]:
        await store.create(key)
    await store.prove(keys[0])
    for key in keys[2:]:
        await store.create(key)

    assert await store.left(*keys) == [0, 2, 3, 4]
    assert await store.left(elsewhere) == [0]


async def test_record_that_was_stored_first_is_evicted(redis: RedisClient) -> None:
    """Short records survive while older long ones exist, in the limit of an owner and in that of all."""
    of_all, of_owner, owner = await stored(redis, records=3.5), await stored(redis, most=3), unique("owner")
    all_keys, own_keys = [key_in("a2") for _ in range(5)], [key_in(f"c{at}") for at in range(5)]
    for at, seconds in enumerate((3_000, 2_000, 20, 600, 60)):
        await of_all.create(all_keys[at], seconds=seconds)
        await of_owner.create(own_keys[at], owner, seconds)

    assert await of_all.left(*all_keys) == [2, 3, 4]
    assert await of_owner.left(*own_keys) == [2, 3, 4]


async def test_records_of_an_earlier_release_are_evicted(redis: RedisClient) -> None:
    """Earlier releases counted records by their end alone."""
    store, keys = await stored(redis, records=2.5), [key_in("a3") for _ in range(4)]
    await store.create_as_before(keys[0])
    for key in keys[1:]:
        await store.create(key)
    await store.create_as_before(keys[0])
    lone = key_in("a4")
    await store.create_as_before(lone)
    store = await stored(redis, records=1)
    await store.create(key_in("a4"))

    assert await store.left(*keys) == [0, 3]
    assert await store.left(lone) == []


async def test_number_of_owners_is_limited(redis: RedisClient) -> None:
    """Any number of owners with one record each use no more keys than the limit."""
    store = await stored(redis, records=2)
    for _ in range(1_500):
        await store.create(key_in("b0"), unique("owner"))
    counted = {bucket: await redis.read("ZCOUNT", f"authz:{{{bucket}}}:open", 0, "+inf") for bucket in BUCKETS}

    assert counted.pop("b0") <= 4
    assert max(counted.values()) <= 2 * (SIZE + BESIDE) // (128 + BESIDE)


async def test_records_are_stored_while_a_node_is_away(redis: RedisClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of all nodes is measured each minute; where one does not answer, the budget stays as it was."""
    monkeypatch.setattr("portico_runtime.redis.bounded_records.MEASURE_SECONDS", 0.0)
    store = await stored(redis)
    first, second = key_in("aa"), key_in("aa")
    await store.create(first)

    async def unavailable(_redis: RedisClient) -> float:
        raise UNAVAILABLE.error()

    monkeypatch.setattr("portico_runtime.redis.bounded_records.maximum_memory", unavailable)
    await store.create(second)

    assert await store.left(first, second) == [0, 1]
