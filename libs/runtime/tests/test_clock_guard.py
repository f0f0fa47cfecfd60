"""A clock that is compared with the one of the store (FD-14)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import httpx
import pytest
from portico_fakes.clock import FrozenClock
from portico_harness.servers import RunningMongo, RunningRedis
from portico_oauth.errors import UNAVAILABLE, Kind, ServiceError
from portico_runtime.clock_guard import ClockGuard
from portico_runtime.health import Health
from portico_runtime.mongo import MongoClient
from portico_runtime.redis_client import RedisClient
from portico_runtime.service import internal_app

NOW = 1_790_000_000.0


class Store:
    """A store with a clock of its own, whose answers may take a while."""

    def __init__(self, mine: FrozenClock) -> None:
        self.mine = mine
        self.theirs = NOW
        self.there, self.back = 0.0, 0.0
        self.down = False

    async def time(self) -> float:
        """Its time, after the way there; the way back follows."""
        if self.down:
            raise UNAVAILABLE.error(retry_after=1)
        self.mine.tick(self.there)
        said = self.theirs + self.there
        self.mine.tick(self.back)
        return said


def shifted(seconds: float) -> tuple[ClockGuard, Store]:
    """A clock that is off by so much, and the store it is compared with."""
    clock = FrozenClock(NOW + seconds)
    store = Store(clock)
    return ClockGuard(clock, "redis", store.time), store


async def readiness(check: Callable[[], Awaitable[None]]) -> tuple[int, str]:
    """What /readyz answers with this check."""
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
async def test_readiness_reports_how_far_the_clock_is_off(seconds: float, expected: tuple[int, str]) -> None:
    """More than five seconds are too many, and the reason names the difference and the store (FD-14)."""
    guard, _ = shifted(seconds)

    assert await readiness(guard.check) == expected


@pytest.mark.parametrize("seconds", [-6, 6])
async def test_a_wrong_clock_gives_no_time(seconds: int) -> None:
    """Nothing is signed or decided by it: a caller that reads the time gets an error to try again (FD-14, P2)."""
    guard, _ = shifted(seconds)
    before = guard.now()
    with pytest.raises(ServiceError):
        await _compare_and_ask(guard)

    assert before == NOW + seconds


async def _compare_and_ask(guard: ClockGuard) -> float:
    await guard.compare()
    return guard.now()


async def test_the_error_is_temporary() -> None:
    """Unavailable, with the seconds after which to try again, and the reason for the log alone."""
    guard, _ = shifted(-6)
    with pytest.raises(ServiceError) as refused:
        await _compare_and_ask(guard)

    assert (refused.value.kind, refused.value.retry_after) == (Kind.UNAVAILABLE, 1)
    assert refused.value.private["cause"] == "the clock of this replica is 6.0 s behind the one of redis"
    assert "behind" not in refused.value.text


async def test_a_clock_that_is_put_right_is_ready_again() -> None:
    """The replica is ready again by the next comparison (FD-14)."""
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
async def test_the_way_of_the_request_counts(seconds: float, there: float, back: float, ready: bool) -> None:
    """A slow store is no wrong clock: what the round trip may explain is no difference (FD-14)."""
    guard, store = shifted(seconds)
    store.there, store.back = there, back

    assert ((await readiness(guard.check))[0] == 200) is ready


@pytest.mark.parametrize("seconds", [0, -6])
async def test_a_store_that_is_away_changes_nothing(seconds: int) -> None:
    """What was known of the clock stays, and the store's own check reports that it is away."""
    guard, store = shifted(seconds)
    before = await readiness(guard.check)
    store.down = True

    assert await readiness(guard.check) == before


@pytest.mark.servers
@pytest.mark.parametrize("seconds", [0, -60, 60])
async def test_the_time_of_redis(redis_server: RunningRedis, seconds: int) -> None:
    """Asked as the user of a service, with its rights (FD-14)."""
    client = RedisClient(redis_server.section("token"), "token")
    clock = FrozenClock(await client.time() + seconds)
    status, text = await readiness(ClockGuard(clock, "redis", client.time).check)
    await client.close()

    assert status == (503 if seconds else 200), text


@pytest.mark.servers
@pytest.mark.parametrize("seconds", [0, -60, 60])
async def test_the_time_of_mongo(mongo_server: RunningMongo, seconds: int) -> None:
    """Asked as the user of a service, with its rights (FD-14)."""
    client = MongoClient(mongo_server.section("users"), "users")
    clock = FrozenClock(await client.time() + seconds)
    status, text = await readiness(ClockGuard(clock, "mongo", client.time).check)
    await client.close()

    assert status == (503 if seconds else 200), text
