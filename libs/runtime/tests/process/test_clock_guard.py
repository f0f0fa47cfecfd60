"""Tests of the comparison of the local clock with the store's (FD-14)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import httpx
import pytest
from portico_fakes.clock import FrozenClock
from portico_harness.servers import RunningMongo, RunningRedis
from portico_oauth.errors import UNAVAILABLE, Kind, ServiceError
from portico_runtime.mongo.client import MongoClient
from portico_runtime.process.clock_guard import STEPPED, ClockGuard
from portico_runtime.process.health import Health
from portico_runtime.redis.client import RedisClient
from portico_runtime.service import internal_app

NOW = 1_790_000_000.0


class Store:
    def __init__(self, mine: FrozenClock) -> None:
        self.mine = mine
        self.theirs = NOW
        self.there, self.back = 0.0, 0.0
        self.down = False

    def tick(self, seconds: float) -> None:
        self.theirs += seconds

    async def time(self) -> float:
        """Returns the store's time; latency applies before and after it is read."""
        if self.down:
            raise UNAVAILABLE.error(retry_after=1)
        self.mine.tick(self.there)
        said = self.theirs + self.there
        self.mine.tick(self.back)
        return said


def shifted(seconds: float) -> tuple[ClockGuard, Store]:
    """Returns a guard whose clock is off by so many seconds, and its store."""
    clock = FrozenClock(NOW + seconds)
    store = Store(clock)
    return ClockGuard(clock, "redis", store.time), store


async def readiness(check: Callable[[], Awaitable[None]]) -> tuple[int, str]:
    health = Health()
    health.add("clock", check)
    transport = httpx.ASGITransport(internal_app(health))
    async with httpx.AsyncClient(transport=transport, base_url="http://inside.test") as client:
        answer = await client.get("/readyz")
    return answer.status_code, answer.json()["clock"]


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0, (200, "ok")),
        (-5, (200, "ok")),
        (5, (200, "ok")),
        (-6, (503, "the clock of this replica is 6.0 s behind the one of redis")),
        (5.1, (503, "the clock of this replica is 5.1 s ahead of the one of redis")),
        (300, (503, "the clock of this replica is 300.0 s ahead of the one of redis")),
    ],
)
async def test_readiness_reports_clock_skew(seconds: float, expected: tuple[int, str]) -> None:
    """More than five seconds are an error, and the reason names the difference and the store (FD-14)."""
    guard, _ = shifted(seconds)

    assert await readiness(guard.check) == expected


@pytest.mark.parametrize("seconds", [-6, 6])
async def test_wrong_clock_gives_no_time(seconds: int) -> None:
    """With a wrong clock nothing is signed or decided, and reading the time raises a temporary error (FD-14, P2)."""
    guard, _ = shifted(seconds)
    before = guard.now()
    with pytest.raises(ServiceError):
        await _compare_and_ask(guard)

    assert before == NOW + seconds


async def _compare_and_ask(guard: ClockGuard) -> float:
    await guard.compare()
    return guard.now()


async def test_clock_error_is_temporary() -> None:
    guard, _ = shifted(-6)
    with pytest.raises(ServiceError) as refused:
        await _compare_and_ask(guard)

    assert (refused.value.kind, refused.value.retry_after) == (Kind.UNAVAILABLE, 1)
    assert refused.value.private["cause"] == "the clock of this replica is 6.0 s behind the one of redis"
    assert "behind" not in refused.value.text


async def test_corrected_clock_is_ready_again() -> None:
    """The replica is ready again after the next comparison (FD-14)."""
    guard, store = shifted(-6)
    before = await readiness(guard.check)
    store.mine.tick(6)

    assert (before[0], await readiness(guard.check)) == (503, (200, "ok"))
    assert guard.now() == NOW


@pytest.mark.parametrize(
    ("seconds", "there", "back", "ready"),
    [
        (0, 12, 0, True),
        (0, 0, 12, True),
        (-6, 1, 1.2, True),
        (-6, 0.5, 0.5, False),
        (6, 0.5, 0.5, False),
        (60, 6, 6, False),
    ],
)
async def test_round_trip_time_is_tolerated(seconds: float, there: float, back: float, ready: bool) -> None:
    """A difference that the round trip to a slow store may explain is not reported (FD-14)."""
    guard, store = shifted(seconds)
    store.there, store.back = there, back

    assert ((await readiness(guard.check))[0] == 200) is ready


@pytest.mark.parametrize("seconds", [0, -6])
async def test_unavailable_store_keeps_the_last_comparison(seconds: int) -> None:
    guard, store = shifted(seconds)
    before = await readiness(guard.check)
    store.down = True

    assert await readiness(guard.check) == before


async def test_step_back_gives_no_time_until_compared() -> None:
    """The store may be on the same machine and have stepped back as well, so nothing is decided before it is asked."""
    guard, store = shifted(0)
    guard.now()
    for clock in (store.mine, store):
        clock.tick(-60)
    store.down = True
    with pytest.raises(ServiceError) as refused:
        guard.now()
    alone = await readiness(guard.check)
    store.down = False

    assert (refused.value.kind, alone) == (Kind.UNAVAILABLE, (503, STEPPED))
    assert await readiness(guard.check) == (200, "ok")
    assert guard.now() == NOW - 60


async def test_step_back_ends_a_good_readiness() -> None:
    """The comparison is not put off until the good state of the last check is two seconds old."""
    guard, store = shifted(0)
    health = Health()
    health.add("clock", guard.check)
    guard.now()
    await health.state()
    for clock in (store.mine, store):
        clock.tick(-60)
    with pytest.raises(ServiceError):
        guard.now()
    await health.state()

    assert guard.now() == NOW - 60


@pytest.mark.servers
@pytest.mark.parametrize("seconds", [0, -60, 60])
async def test_time_of_redis(redis_server: RunningRedis, seconds: int) -> None:
    """The time of Redis is readable with the rights of a service (FD-14)."""
    client = RedisClient(redis_server.section("token"), "token")
    clock = FrozenClock(await client.time() + seconds)
    status, text = await readiness(ClockGuard(clock, "redis", client.time).check)
    await client.close()

    assert status == (503 if seconds else 200), text


@pytest.mark.servers
@pytest.mark.parametrize("seconds", [0, -60, 60])
async def test_time_of_mongo(mongo_server: RunningMongo, seconds: int) -> None:
    """The time of MongoDB is readable with the rights of a service (FD-14)."""
    client = MongoClient(mongo_server.section("users"), "users")
    clock = FrozenClock(await client.time() + seconds)
    status, text = await readiness(ClockGuard(clock, "mongo", client.time).check)
    await client.close()

    assert status == (503 if seconds else 200), text
