from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from portico_harness.servers import RunningRedis, running_redis
from portico_oauth.errors import Kind, ServiceError
from portico_runtime.redis.client import RedisClient
from portico_runtime.redis.memory import MAXIMUM, USED, RedisMemory

pytestmark = pytest.mark.servers


async def test_closed_connections_are_not_reused(redis_server: RunningRedis) -> None:
    """After a restart of Redis the first command succeeds, because pooled connections are checked before use
    (FD-01).
    """
    client = RedisClient(redis_server.section("authz"), "authz")
    await client.check()
    await asyncio.to_thread(redis_server.stop)
    await asyncio.to_thread(redis_server.start)

    await client.check()
    await client.close()


@pytest.fixture
async def small(tmp_path: Path) -> AsyncIterator[RedisClient]:
    """A client of a Redis whose maxmemory is little more than its own overhead."""
    with running_redis(tmp_path / "small", memory_mib=3) as server:
        client = RedisClient(server.section("authz"), "authz")
        yield client
        await client.close()


async def fill(redis: RedisClient) -> ServiceError:
    """Writes until Redis refuses; returns the error."""
    write = redis.script("return redis.call('SET', KEYS[1], string.rep('x', 100000), 'EX', 60)")
    for number in range(1000):
        try:
            await redis.run(write, [f"authz:{{00}}:{number}"])
        except ServiceError as error:
            return error
    raise AssertionError("it took everything")


async def test_full_redis_refuses_writes_and_evicts_nothing(small: RedisClient) -> None:
    """A write is `unavailable` (503), stored data stays readable, and free memory makes writes succeed again
    (FD-01).
    """
    delete = small.script("return redis.call('DEL', KEYS[1])")
    add = small.script("return redis.call('SET', KEYS[1], 'x', 'EX', 60)")
    error = await fill(small)
    first = await small.read("STRLEN", "authz:{00}:0")
    deleted = [await small.run(delete, [f"authz:{{00}}:{number}"]) for number in range(5)]

    assert (error.kind, error.retry_after) == (Kind.UNAVAILABLE, 1)
    assert first == 100_000
    assert deleted == [1] * 5
    assert await small.run(add, ["authz:{00}:again"]) == "OK"


async def test_metrics_show_memory_of_redis(small: RedisClient) -> None:
    """Used and maximum memory are readable with the rights of a service."""
    memory = RedisMemory(small)
    await memory.measure()
    before = USED._value.get()
    await fill(small)
    await memory.measure()

    assert 0 < before < USED._value.get()
    assert MAXIMUM._value.get() == 3 * 1024 * 1024


@pytest.fixture(name="redis")
async def _redis(redis_server: RunningRedis) -> AsyncIterator[RedisClient]:
    client = RedisClient(redis_server.section("authz"), "authz")
    yield client
    await client.close()


async def test_script_reads_arguments_by_name(redis: RedisClient) -> None:
    """Arguments are matched by the script's declared names, and additional ones follow them."""
    script = redis.script("return {client_id, scope, ARGV[3]}", arguments=("client_id", "scope"))

    assert await redis.run(script, ["authz:{00}:x"], ["rest"], scope="openid", client_id="shop") == [
        "shop",
        "openid",
        "rest",
    ]


async def test_names_in_the_script_are_the_declared_ones(redis: RedisClient) -> None:
    """The first line assigns each declared name its position in ARGV and keeps the line numbers of the body."""
    script = redis.script("return a\n-- second line", arguments=("a", "b", "c"))

    assert script.source == "local a, b, c = ARGV[1], ARGV[2], ARGV[3] return a\n-- second line"
    assert redis.script("return 1").source == "return 1"


@pytest.mark.parametrize(
    "named", [{}, {"client_id": "shop"}, {"client_id": "shop", "scop": "x"}, {"client_id": "a", "scope": "b", "c": "d"}]
)
async def test_call_names_exactly_the_declared_arguments(redis: RedisClient, named: dict[str, str]) -> None:
    """A missing, misspelled or further argument raises an error before anything is sent."""
    script = redis.script("return 1", arguments=("client_id", "scope"))

    with pytest.raises(TypeError, match="client_id"):
        await redis.run(script, ["authz:{00}:x"], **named)


async def test_pipelined_commands_get_their_own_replies(redis: RedisClient) -> None:
    echo = redis.script("return number", arguments=("number",))
    numbers = [str(number) for number in range(200)]

    assert await asyncio.gather(*(redis.run(echo, ["authz:{00}:echo"], number=number) for number in numbers)) == numbers


async def test_refused_command_fails_alone(redis: RedisClient) -> None:
    answers: tuple[Any, ...] = await asyncio.gather(
        redis.read("PING"), redis.read("HGET", "authz:{00}:x"), redis.read("PING"), return_exceptions=True
    )

    assert isinstance(answers[1], ServiceError)
    assert [answers[0], answers[1].kind, answers[2]] == ["PONG", Kind.UNAVAILABLE, "PONG"]


async def test_failed_reads_are_one_error(redis: RedisClient) -> None:
    """The errors of the others are not reported by asyncio."""
    reported: list[type] = []
    loop = asyncio.get_running_loop()
    # Garbage of other tests is collected too.
    loop.set_exception_handler(lambda _loop, problem: reported.append(type(problem.get("exception"))))
    try:
        with pytest.raises(ServiceError):
            await redis.read_each(("HGET", "authz:{00}:x"), ("HGET", "authz:{00}:x"))
        await redis.read("PING")
        gc.collect()
    finally:
        loop.set_exception_handler(None)

    assert ServiceError not in reported


async def test_cancelled_caller_does_not_affect_its_pipeline(redis: RedisClient) -> None:
    gone, stays = asyncio.create_task(redis.read("PING")), asyncio.create_task(redis.read("PING"))
    await asyncio.sleep(0)
    gone.cancel()

    assert await stays == "PONG"
    assert await redis.read("PING") == "PONG"


async def test_every_caller_fails_when_redis_is_down(redis_server: RunningRedis, redis: RedisClient) -> None:
    """No caller waits forever or gets a wrong answer (FD-01)."""
    await redis.check()
    await asyncio.to_thread(redis_server.stop)
    answers: list[Any] = await asyncio.gather(*(redis.read("PING") for _ in range(20)), return_exceptions=True)
    await asyncio.to_thread(redis_server.start)

    assert {getattr(answer, "kind", None) for answer in answers} == {Kind.UNAVAILABLE}
    assert await redis.read("PING") == "PONG"
