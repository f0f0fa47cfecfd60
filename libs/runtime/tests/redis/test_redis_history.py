"""Tests of the detection of a Redis rollback: a bucket that lost acknowledged writes is reset (decision 0065)."""

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
from portico_runtime.redis.client import RedisClient
from portico_runtime.redis.nodes import node
from portico_runtime.redis.nodes.history import BUCKETS, GENERATION, History
from redis.asyncio import Redis

pytestmark = pytest.mark.servers

LOST, KEPT = "token:{ab}:grant:one", "token:{cd}:grant:two"
_WRITE = "redis.call('SET', KEYS[1], ARGV[1], 'EX', 600) return 'written'"

MakeClient = Callable[..., Awaitable[RedisClient]]


@pytest.fixture(name="server", scope="module")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningRedis]:
    with running_redis(tmp_path_factory.mktemp("past")) as server:
        yield server


@pytest.fixture(autouse=True)
def compare_always(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Watermarks are compared on new connections only, and before every pipeline from the call on."""
    monkeypatch.setattr(node, "COMPARE_SECONDS", float("inf"))
    return lambda: monkeypatch.setattr(node, "COMPARE_SECONDS", 0.0)


@pytest.fixture(name="raw")
async def _raw(server: RunningRedis) -> AsyncIterator[Redis]:
    """Opens a client that sees the real keys and can simulate a rollback."""
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
    return str(await client.run(client.script(_WRITE), [key], [value]))


async def lose_connections(client: RedisClient, raw: Redis) -> None:
    """Closes every connection, as when Redis restarts or is replaced."""
    for one in client._placement.nodes():
        one.renew()
    await asyncio.sleep(0)


async def begun_anew_by_one_of_two(client: MakeClient, raw: Redis) -> tuple[RedisClient, RedisClient]:
    """Returns two replicas after a data loss that only the first one has detected."""
    one, other = await client(), await client()
    await write(one, LOST)
    await other.check()
    await raw.decr("token:{ab}:mark")
    await lose_connections(one, raw)
    await one.check()
    return one, other


async def refused(work: Awaitable[Any]) -> bool:
    """Reports whether the answer is 503."""
    try:
        await work
    except ServiceError as error:
        return error.kind is Kind.UNAVAILABLE
    return False


async def test_each_write_raises_the_watermark_of_its_bucket(client: MakeClient, raw: Redis) -> None:
    """A pipeline with a write raises the watermark by one, and a read-only pipeline does not."""
    redis = await client()
    await write(redis, LOST)
    first = int(await raw.get("token:{ab}:mark") or 0)
    await write(redis, LOST)
    await redis.read("GET", LOST)

    assert await raw.mget("token:{ab}:mark", "token:{cd}:mark") == [str(first + 1), None]


async def test_bucket_with_data_loss_is_reset(client: MakeClient, raw: Redis) -> None:
    """Data of a reset bucket is unreachable at once, under its old key name too, and other buckets stay."""
    redis = await client()
    await write(redis, LOST, "before")
    await write(redis, KEPT, "before")
    await raw.decr("token:{ab}:mark")
    await lose_connections(redis, raw)

    assert [await redis.read("GET", LOST), await redis.read("GET", KEPT)] == [None, "before"]
    await write(redis, LOST, "after")
    assert await redis.read("GET", LOST) == "after"
    assert await raw.mget("token:{ab}:grant:one", "token:{ab}1:grant:one") == ["before", "after"]


async def test_several_reads_use_the_names_of_a_reset_bucket(client: MakeClient, raw: Redis) -> None:
    """Reads that were named before the reset are repeated with the new name."""
    redis = await client()
    await write(redis, LOST, "before")
    await write(redis, KEPT, "before")
    await raw.decr("token:{ab}:mark")
    await lose_connections(redis, raw)

    assert await redis.read_each(("GET", LOST), ("STRLEN", KEPT)) == [None, 6]


async def test_idle_replicas_adopt_the_epoch(
    client: MakeClient, raw: Redis, compare_always: Callable[[], None]
) -> None:
    """A replica that detects nothing itself uses the new epoch after its next check."""
    one, other = await begun_anew_by_one_of_two(client, raw)
    compare_always()

    await write(one, LOST, "anew")
    assert await other.read("GET", LOST) == "anew"


async def test_write_under_an_old_epoch_is_refused(client: MakeClient, raw: Redis) -> None:
    """A replica that does not know the new epoch yet gets 503."""
    one, other = await begun_anew_by_one_of_two(client, raw)

    assert await refused(write(other, LOST, "nowhere"))
    assert await one.read("GET", LOST) is None
    assert await write(other, LOST, "found") == "written"
    assert await one.read("GET", LOST) == "found"


async def test_write_detects_data_loss_without_a_lost_connection(client: MakeClient, raw: Redis) -> None:
    """Behind a proxy, the watermark returned by a write reveals the data loss."""
    redis = await client()
    for _ in range(3):
        await write(redis, LOST)
    await raw.set("token:{ab}:mark", 1)

    assert await refused(write(redis, LOST, "lost"))
    assert await redis.read("GET", LOST) is None


async def test_write_without_watermark_is_not_acknowledged(client: MakeClient, raw: Redis) -> None:
    redis = await client()
    await write(redis, LOST, "first")
    await raw.set("token:{ab}:mark", 2**63 - 1)

    assert await refused(write(redis, LOST, "second"))
    assert await write(redis, KEPT) == "written"


async def test_full_redis_still_deletes(tmp_path: Path) -> None:
    """Out of memory, a deletion is acknowledged without raising the watermark, and other writes are refused."""
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


async def test_idle_process_detects_data_loss_within_a_second(
    client: MakeClient, raw: Redis, compare_always: Callable[[], None]
) -> None:
    """Watermarks older than a second are compared before the next command, without writes or lost connections."""
    redis = await client()
    await write(redis, LOST, "before")
    await raw.delete("token:{ab}:mark")
    assert await redis.read("GET", LOST) == "before"
    compare_always()

    assert await redis.read("GET", LOST) is None


@pytest.mark.parametrize(("ahead", "found"), [(1, None), (0, "x"), (-1, "x")])
async def test_new_process_compares_with_the_remembered_watermarks(
    client: MakeClient, raw: Redis, ahead: int, found: str | None
) -> None:
    """If Redis is behind the remembered watermark, it was rolled back while no process ran."""
    before = await client()
    for _ in range(3):
        await write(before, LOST)
    history = History("token")
    later = await client(history)
    history.recall({"ab": int(await raw.get("token:{ab}:mark") or 0) + ahead, "no bucket": 99})
    await later.check()

    assert await later.read("GET", LOST) == found


async def test_no_reads_before_the_watermarks_are_known(client: MakeClient, raw: Redis) -> None:
    """Commands without keys are answered; all others wait for the watermarks and fail with 503 after a timeout."""
    history = History("token")
    redis = await client(history, seconds=0.3)

    await redis.check()
    assert await redis.time() > 0
    assert await refused(redis.read("GET", LOST))
    assert await refused(redis.read_each(("GET", LOST)))
    assert await refused(write(redis, LOST))
    waiting = [asyncio.ensure_future(write(redis, LOST)), asyncio.ensure_future(redis.read("GET", "token:{01}:none"))]
    for _ in range(3):
        await redis.check()
    assert not any(one.done() for one in waiting)
    history.recall({})
    assert await asyncio.gather(*waiting) == ["written", None]


async def test_epoch_number_is_never_reused(client: MakeClient, raw: Redis) -> None:
    """After a rollback to before the first reset, the epoch is one more than the largest ever used."""
    redis = await client()
    await write(redis, LOST)
    for mark, reset_number in ((0, 1), (1, 2), (GENERATION, 3)):
        await raw.set("token:{ab}:mark", mark)
        await lose_connections(redis, raw)
        await redis.check()
        assert await raw.get("token:{ab}:mark") == str(reset_number * GENERATION)


async def test_raised_watermarks_are_remembered_once(client: MakeClient, raw: Redis) -> None:
    """Only watermarks raised by this process and resets are remembered, and a failed attempt is repeated."""
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


async def test_busy_replicas_detect_no_false_data_loss(client: MakeClient, raw: Redis) -> None:
    """Replies over several connections arrive in any order, and none is taken for a rollback."""
    replicas = [await client() for _ in range(3)]

    async def many(redis: RedisClient) -> list[str]:
        return [await write(redis, LOST) for _ in range(200)]

    answers = await asyncio.gather(*(many(redis) for redis in replicas for _ in range(8)))
    assert {text for batch in answers for text in batch} == {"written"}
    assert int(await raw.get("token:{ab}:mark") or 0) <= 3 * 8 * 200


async def test_reset_bucket_invalidates_cached_users(
    client: MakeClient, raw: Redis, compare_always: Callable[[], None]
) -> None:
    """A readiness check reads no data, and compares no watermarks; the next command for data does (decision 0089)."""
    redis = await client()
    notified: list[str] = []
    redis.when_lost(lambda: notified.append("lost"))
    await write(redis, LOST)
    assert not notified
    await raw.delete("token:{ab}:mark")
    compare_always()
    await redis.check()
    at_rest = list(notified)
    await redis.read("GET", KEPT)

    assert not at_rest
    assert notified


def copy_what_is_stored(of: Path, to: Path) -> None:
    """One file up to Redis 6.2, a directory from Redis 7 on."""
    to.mkdir(exist_ok=True)
    for path in of.glob("appendonly*"):
        if path.is_dir():
            shutil.copytree(path, to / path.name, dirs_exist_ok=True)
        else:
            shutil.copy(path, to)


async def test_restored_older_copy_is_detected(tmp_path: Path) -> None:
    """After the files of a real Redis are replaced by an older copy, data deleted since does not reappear."""
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
