"""A Redis that went back in time: what was acknowledged and is lost ends its bucket (decision 0065)."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from portico_harness.servers import RunningRedis, running_redis
from portico_oauth.errors import Kind, ServiceError
from portico_runtime.redis_client import RedisClient
from portico_runtime.redis_nodes.history import BUCKETS, GENERATION, History
from redis.asyncio import Redis

pytestmark = pytest.mark.servers

LOST, KEPT = "token:{ab}:grant:one", "token:{cd}:grant:two"
_WRITE = "redis.call('SET', KEYS[1], ARGV[1], 'EX', 600) return 'written'"

MakeClient = Callable[..., Awaitable[RedisClient]]


@pytest.fixture(name="server", scope="module")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningRedis]:
    with running_redis(tmp_path_factory.mktemp("past")) as server:
        yield server


@pytest.fixture(name="raw")
async def _raw(server: RunningRedis) -> AsyncIterator[Redis]:
    """What sees the keys as they are, and plays the past."""
    async with Redis.from_url(
        server.url, username="token", password=server.password("token"), decode_responses=True
    ) as redis:
        for bucket in BUCKETS:
            await redis.delete(f"token:{{{bucket}}}:mark", *(f"token:{{{bucket}}}{n}:grant:one" for n in ("", 1, 2)))
        yield redis


@pytest.fixture(name="client")
async def _client(server: RunningRedis, raw: Redis) -> AsyncIterator[MakeClient]:
    async with AsyncExitStack() as stack:

        async def make(history: History | None = None, *, seconds: float = 1.5) -> RedisClient:
            section = server.section("token", timeout=seconds)
            client = RedisClient(section, "token", history or History("token", recalled=True))
            await client.start()
            stack.push_async_callback(client.close)
            return client

        yield make


async def write(client: RedisClient, key: str, value: str = "x") -> str:
    """Writes one key as a store does."""
    return str(await client.run(client.script(_WRITE), [key], [value]))


async def lose_connections(client: RedisClient, raw: Redis) -> None:
    """Every connection ends, as when Redis is restarted or replaced."""
    for node in client._placement.nodes():
        node.renew()
    await asyncio.sleep(0)


async def begun_anew_by_one_of_two(client: MakeClient, raw: Redis) -> tuple[RedisClient, RedisClient]:
    """Two replicas after a loss that only the first one has noticed so far."""
    one, other = await client(), await client()
    await write(one, LOST)
    await other.check()
    await raw.decr("token:{ab}:mark")
    await lose_connections(one, raw)
    await one.check()
    return one, other


async def refused(work: Awaitable[Any]) -> bool:
    """Whether it is answered with 503."""
    try:
        await work
    except ServiceError as error:
        return error.kind is Kind.UNAVAILABLE
    return False


async def test_each_write_raises_the_mark_of_its_bucket(client: MakeClient, raw: Redis) -> None:
    """One more for each pipeline that writes; what only reads raises nothing."""
    redis = await client()
    await write(redis, LOST)
    first = int(await raw.get("token:{ab}:mark") or 0)
    await write(redis, LOST)
    await redis.read("GET", LOST)

    assert await raw.mget("token:{ab}:mark", "token:{cd}:mark") == [str(first + 1), None]


async def test_a_bucket_that_lost_something_is_begun_anew(client: MakeClient, raw: Redis) -> None:
    """What it has is out of reach at once, under its old name too; the other buckets stay as they are."""
    redis = await client()
    await write(redis, LOST, "before")
    await write(redis, KEPT, "before")
    await raw.decr("token:{ab}:mark")
    await lose_connections(redis, raw)

    assert [await redis.read("GET", LOST), await redis.read("GET", KEPT)] == [None, "before"]
    await write(redis, LOST, "after")
    assert await redis.read("GET", LOST) == "after"
    assert await raw.mget("token:{ab}:grant:one", "token:{ab}1:grant:one") == ["before", "after"]


async def test_replicas_that_never_wrote_adopt_the_generation(client: MakeClient, raw: Redis) -> None:
    """A replica that notices nothing itself reads and writes under the new names within its next look at Redis."""
    one, other = await begun_anew_by_one_of_two(client, raw)
    await other.compare()

    await write(one, LOST, "anew")
    assert await other.read("GET", LOST) == "anew"


async def test_a_write_under_the_older_name_is_refused(client: MakeClient, raw: Redis) -> None:
    """A replica that does not know of the new generation yet is answered 503 for what no replica would find again."""
    one, other = await begun_anew_by_one_of_two(client, raw)

    assert await refused(write(other, LOST, "nowhere"))
    assert await one.read("GET", LOST) is None
    assert await write(other, LOST, "found") == "written"
    assert await one.read("GET", LOST) == "found"


async def test_a_write_notices_without_a_lost_connection(client: MakeClient, raw: Redis) -> None:
    """Behind a proxy no connection ends: the mark that comes back with a write is not more than it was."""
    redis = await client()
    for _ in range(3):
        await write(redis, LOST)
    await raw.set("token:{ab}:mark", 1)

    assert await refused(write(redis, LOST, "lost"))
    assert await redis.read("GET", LOST) is None


async def test_what_has_no_mark_is_not_acknowledged(client: MakeClient, raw: Redis) -> None:
    """Where the mark cannot be raised the write is refused: a loss of it would not be noticed."""
    redis = await client()
    await write(redis, LOST, "first")
    await raw.set("token:{ab}:mark", 2**63 - 1)

    assert await refused(write(redis, LOST, "second"))
    assert await write(redis, KEPT) == "written"


async def test_a_full_redis_still_deletes(tmp_path: Path) -> None:
    """Out of memory it raises no mark: what ends something is acknowledged all the same, what begins something is refused."""
    with running_redis(tmp_path, memory_mib=4) as server:
        redis = RedisClient(server.section("token"), "token", History("token", recalled=True))
        delete = redis.script("return redis.call('DEL', KEYS[1])")
        await write(redis, LOST)
        filled = 0
        while not await refused(write(redis, f"token:{{cd}}:{filled}", "x" * 100_000)):
            filled += 1

        assert await redis.run(delete, [LOST]) == 1
        assert await refused(write(redis, LOST, "x" * 100_000))
        await redis.close()


async def test_reading_alone_notices_within_a_second(client: MakeClient, raw: Redis) -> None:
    """The marks are compared once a second also where nothing is written and no connection is lost."""
    redis = await client()
    await write(redis, LOST)
    await raw.delete("token:{ab}:mark")
    await redis.compare()

    assert await redis.read("GET", LOST) is None


@pytest.mark.parametrize(("remembered", "found"), [(4, None), (3, "x"), (2, "x")])
async def test_a_new_process_knows_what_was_remembered(
    client: MakeClient, raw: Redis, remembered: int, found: str | None
) -> None:
    """Where more is remembered than Redis has it went back while no process ran, and where as much or less nothing was lost."""
    before = await client()
    for _ in range(3):
        await write(before, LOST)
    history = History("token")
    later = await client(history)
    history.recall({"ab": remembered, "no bucket": 99})
    await later.check()

    assert await later.read("GET", LOST) == found


async def test_nothing_is_read_before_the_past_is_known(client: MakeClient, raw: Redis) -> None:
    """What has no keys is answered, everything else waits for the marks, and is 503 where they do not come in time."""
    history = History("token")
    redis = await client(history, seconds=0.3)

    await redis.check()
    assert await redis.time() > 0
    assert await refused(redis.read("GET", LOST))
    assert await refused(write(redis, LOST))
    waiting = [asyncio.ensure_future(write(redis, LOST)), asyncio.ensure_future(redis.read("GET", "token:{01}:none"))]
    for _ in range(3):
        await redis.check()
    assert not any(one.done() for one in waiting)
    history.recall({})
    assert await asyncio.gather(*waiting) == ["written", None]


async def test_a_number_of_a_generation_is_never_used_again(client: MakeClient, raw: Redis) -> None:
    """A Redis that went back to before its first new beginning gets the number after the largest there ever was."""
    redis = await client()
    await write(redis, LOST)
    for mark, generation in ((0, 1), (1, 2), (GENERATION, 3)):
        await raw.set("token:{ab}:mark", mark)
        await lose_connections(redis, raw)
        await redis.check()
        assert await raw.get("token:{ab}:mark") == str(generation * GENERATION)


async def test_what_was_raised_is_remembered_once(client: MakeClient, raw: Redis) -> None:
    """Only what this process wrote, and new beginnings; and what could not be remembered is there the next time."""
    history = History("token", recalled=True)
    redis = await client(history)
    await write(redis, LOST)
    await write(redis, KEPT)
    raised = history.take_raised()
    await redis.read("GET", LOST)

    assert (raised, history.take_raised()) == ({"ab": 1, "cd": 1}, {})
    await write(redis, LOST)
    history.put_back(raised)
    assert history.take_raised() == {"ab": 2, "cd": 1}
    await raw.delete("token:{ab}:mark")
    await lose_connections(redis, raw)
    await redis.check()
    assert history.take_raised() == {"ab": GENERATION}


async def test_busy_replicas_notice_nothing_where_nothing_was_lost(client: MakeClient, raw: Redis) -> None:
    """Replies to marks come in any order over several connections of several replicas: none is taken for the past."""
    replicas = [await client() for _ in range(3)]

    async def many(redis: RedisClient) -> list[str]:
        return [await write(redis, LOST) for _ in range(200)]

    answers = await asyncio.gather(*(many(redis) for redis in replicas for _ in range(8)))
    assert {text for batch in answers for text in batch} == {"written"}
    assert int(await raw.get("token:{ab}:mark") or 0) <= 3 * 8 * 200


async def test_facts_in_memory_end_with_a_bucket(client: MakeClient, raw: Redis) -> None:
    """What remembers something under the marks of Redis is notified, as of a lost connection."""
    redis = await client()
    notified: list[str] = []
    redis.when_lost(lambda: notified.append("lost"))
    await write(redis, LOST)
    assert not notified
    await raw.delete("token:{ab}:mark")
    await redis.compare()

    assert notified


def copy_what_is_stored(of: Path, to: Path) -> None:
    """A file until Redis 6.2, a folder from 7 on."""
    to.mkdir(exist_ok=True)
    for path in of.glob("appendonly*"):
        if path.is_dir():
            shutil.copytree(path, to / path.name, dirs_exist_ok=True)
        else:
            shutil.copy(path, to)


async def test_an_older_copy_is_put_back(tmp_path: Path) -> None:
    """With the files of a real Redis: what was deleted after the copy does not come back with it."""
    with running_redis(tmp_path / "redis") as server:
        client = RedisClient(server.section("token"), "token", History("token", recalled=True))
        await write(client, LOST, "revoked later")
        await asyncio.to_thread(server.stop)
        copy_what_is_stored(tmp_path / "redis", tmp_path / "copy")
        await asyncio.to_thread(server.start)
        await client.run(client.script("return redis.call('DEL', KEYS[1])"), [LOST])
        await asyncio.to_thread(server.stop)
        copy_what_is_stored(tmp_path / "copy", tmp_path / "redis")
        await asyncio.to_thread(server.start)

        await client.check()
        assert await client.read("GET", LOST) is None
        await client.close()
