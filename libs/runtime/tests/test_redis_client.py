"""What the stores rely on when Redis comes and goes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from portico_oauth.errors import Kind, Refusal
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


@pytest.fixture(name="redis")
async def _redis(redis_server: RunningRedis) -> AsyncIterator[RedisClient]:
    client = RedisClient(redis_server.section("authz"), "authz")
    yield client
    await client.close()


async def test_questions_of_one_turn_get_their_own_answers(redis: RedisClient) -> None:
    """However many are asked at once, each is answered with its own reply."""
    echo = redis.script("return ARGV[1]")
    numbers = [str(number) for number in range(200)]

    assert await asyncio.gather(*(redis.run(echo, ["authz:{00}:echo"], [number]) for number in numbers)) == numbers


async def test_a_refused_command_is_refused_alone(redis: RedisClient) -> None:
    """What Redis says no to does not spoil what was asked beside it."""
    answers: tuple[Any, ...] = await asyncio.gather(
        redis.read("PING"), redis.read("HGET", "authz:{00}:x"), redis.read("PING"), return_exceptions=True
    )

    assert isinstance(answers[1], Refusal)
    assert [answers[0], answers[1].kind, answers[2]] == ["PONG", Kind.UNAVAILABLE, "PONG"]


async def test_who_stops_waiting_takes_no_answer_away(redis: RedisClient) -> None:
    """A caller whose time is over leaves the others of its pipeline alone."""
    gone, stays = asyncio.create_task(redis.read("PING")), asyncio.create_task(redis.read("PING"))
    await asyncio.sleep(0)
    gone.cancel()

    assert await stays == "PONG"
    assert await redis.read("PING") == "PONG"


async def test_everybody_is_refused_when_redis_is_gone(redis_server: RunningRedis, redis: RedisClient) -> None:
    """Nobody waits for ever, and nobody gets a guess (FD-01)."""
    await redis.check()
    await asyncio.to_thread(redis_server.stop)
    answers: list[Any] = await asyncio.gather(*(redis.read("PING") for _ in range(20)), return_exceptions=True)
    await asyncio.to_thread(redis_server.start)

    assert {getattr(answer, "kind", None) for answer in answers} == {Kind.UNAVAILABLE}
    assert await redis.read("PING") == "PONG"
