"""Tests of the detection that the clock of Redis was ahead and went back (decision 0091)."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import pytest
from portico_fakes.clock import FrozenClock
from portico_harness.servers import RunningRedis, running_redis
from portico_oauth.clock_leeway import CLOCK_LEEWAY
from portico_runtime.process.clock import SystemClock
from portico_runtime.redis.client import RedisClient
from portico_runtime.redis.nodes.history import History
from portico_token.store import keys
from portico_token.store.redis_clock import RECORD_SECONDS, RedisClock
from portico_token.store.redis_epochs import RedisEpochs

pytestmark = pytest.mark.servers

AHEAD = 3_600


@pytest.fixture(name="server", scope="module")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningRedis]:
    with running_redis(tmp_path_factory.mktemp("clock")) as server:
        yield server


class ShiftedRedis(RedisClient):
    shifts: tuple[float, ...] = (0,)
    """Of each node."""

    before: tuple[float, ...] = ()
    """Those of the next reading, if it differs."""

    def read_once(self, *shifts: float) -> None:
        self.before = shifts

    async def times(self) -> list[float]:
        now, shifts = await self.time(), self.before or self.shifts
        self.before = ()
        return [now + shift for shift in shifts]


@dataclass
class Process:
    """A replica of token; its monotonic clock is moved by hand."""

    redis: ShiftedRedis
    monotonic: FrozenClock = field(default_factory=lambda: FrozenClock(0))

    def __post_init__(self) -> None:
        self.clock = RedisClock(
            self.redis, RedisEpochs(self.redis, History("token")), SystemClock(), self.monotonic.now
        )

    async def sees(self, *shifts: float) -> float:
        self.redis.shifts = shifts
        return await self.clock.time()

    async def epochs(self) -> list[int]:
        found = await asyncio.gather(*(self.redis.read("GET", keys.epoch(bucket)) for bucket in keys.BUCKETS))
        return [int(epoch) for epoch in found]

    async def set_epochs(self, epoch: int) -> None:
        await asyncio.gather(*(self.redis.read("SET", keys.epoch(bucket), epoch) for bucket in keys.BUCKETS))


@pytest.fixture(name="start")
async def _start(server: RunningRedis) -> AsyncIterator[Callable[[], Process]]:
    """Starts processes on a Redis whose clock was never seen, and whose epochs are long ago."""
    async with AsyncExitStack() as stack:

        def start() -> Process:
            redis = ShiftedRedis(server.section("token"), "token")
            stack.push_async_callback(redis.close)
            return Process(redis)

        process = start()
        await process.redis.read("DEL", keys.clock())
        await process.set_epochs(1)
        yield start


async def test_step_back_renews_every_epoch(start: Callable[[], Process]) -> None:
    """Whatever was issued before the clock went back is refused: the record of its use may have expired early."""
    process = start()
    for shift in (0, AHEAD):
        await process.sees(shift)
    before, now = await process.epochs(), await process.redis.time()
    await process.sees(0)

    assert before == [1] * len(keys.BUCKETS)
    assert min(await process.epochs()) >= now


async def test_step_back_while_no_process_runs(start: Callable[[], Process]) -> None:
    """The highest time is stored in Redis, so a process that starts after the step detects it."""
    await start().sees(AHEAD)
    process = start()
    now = await process.redis.time()
    await process.sees(0)

    assert min(await process.epochs()) >= now


async def test_one_step_counts_once(start: Callable[[], Process]) -> None:
    """Other processes that see the same step leave the epochs alone: what was issued since stays valid."""
    one, other = start(), start()
    for process in (one, other):
        await process.sees(AHEAD)
    epoch = math.ceil(await one.sees(0)) + 3
    await one.set_epochs(epoch)
    for process in (other, one, start()):
        await process.sees(5)

    assert await one.epochs() == [epoch] * len(keys.BUCKETS)


async def test_second_step_counts_again(start: Callable[[], Process]) -> None:
    """After a step the highest time is that after it, so a smaller jump ahead is detected as well."""
    process = start()
    for shift in (AHEAD, 0):
        await process.sees(shift)
    await process.set_epochs(1)
    await process.sees(60)
    await process.sees(0)

    assert min(await process.epochs()) > 1


async def test_lost_data_after_a_step(start: Callable[[], Process]) -> None:
    """A Redis that lost its data, the last step included, is observed from then on."""
    process = start()
    for shift in (AHEAD, 0):
        await process.sees(shift)
    await process.redis.read("DEL", keys.clock())
    await process.set_epochs(1)
    for shift in (60, 0):
        await process.sees(shift)

    assert min(await process.epochs()) > 1


async def test_step_is_confirmed(start: Callable[[], Process]) -> None:
    """A process that was suspended after it read the time reads it again before anything is refused."""
    process = start()
    await process.sees(0)
    process.redis.read_once(-60)
    process.monotonic.tick(RECORD_SECONDS)
    await process.sees(0)

    assert not process.redis.before
    assert await process.epochs() == [1] * len(keys.BUCKETS)


@pytest.mark.parametrize("ahead", [CLOCK_LEEWAY - 1, -AHEAD])
async def test_small_or_forward_steps_change_nothing(start: Callable[[], Process], ahead: float) -> None:
    """Records are stored longer than needed by the leeway, and a clock that was behind let nothing expire early."""
    process = start()
    await process.sees(ahead)
    await process.sees(0)
    await start().sees(0)

    assert await process.epochs() == [1] * len(keys.BUCKETS)


async def test_nodes_with_different_clocks(start: Callable[[], Process]) -> None:
    """Nodes of a cluster may differ by the leeway; the one that differs most from the replica is compared."""
    process = start()
    for _ in range(2):
        time = await process.sees(-4, 5)
    theirs = await process.redis.time()

    assert await process.epochs() == [1] * len(keys.BUCKETS)
    assert time == pytest.approx(theirs + 5, abs=1)


async def test_failover_to_a_node_that_is_behind(start: Callable[[], Process]) -> None:
    """The node before was ahead of the new one, so its keys expired early."""
    process = start()
    await process.sees(0, AHEAD)
    now = await process.redis.time()
    await process.sees(0)

    assert min(await process.epochs()) >= now


async def test_even_clock_is_rarely_written(start: Callable[[], Process]) -> None:
    """While the clock runs evenly only `TIME` is asked, and the highest time is stored every 30 s."""
    process = start()
    stored = set()
    for _ in range(4):
        await process.sees(0)
        stored.add(await process.redis.read("HGET", keys.clock(), "highest"))
    rare = len(stored)
    process.monotonic.tick(RECORD_SECONDS)
    await process.sees(RECORD_SECONDS)
    stored.add(await process.redis.read("HGET", keys.clock(), "highest"))

    assert (rare, len(stored)) == (1, 2)
