"""Tests of loading and storing the watermarks of Redis (decision 0065)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
from portico_contracts.users.redis_watermarks import RECALL_MARKS, REMEMBER_MARKS
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_watermarks import MemoryWatermarks
from portico_fakes.wrong_clock import SkewedReplica
from portico_harness.eventually import eventually
from portico_harness.servers import RunningRedis, running_redis
from portico_oauth.errors import UNAVAILABLE, Kind, ServiceError
from portico_runtime.process.health import NotReady
from portico_runtime.redis.client import RedisClient
from portico_runtime.redis.nodes.history import GENERATION, History
from portico_runtime.redis.remembered_history import RememberedHistory

KEY = "token:{ab}:grant:one"


class Process:
    def __init__(self, server: RunningRedis) -> None:
        self.bus = MemoryBus()
        self.users = MemoryWatermarks(self.bus)
        self.history = History("token")
        self.redis = RedisClient(server.section("token"), "token", self.history)
        self.replica = SkewedReplica()
        self.remembered = RememberedHistory(self.history, self.bus, self.replica.guard)

    async def write(self) -> None:
        await self.redis.run(self.redis.script("redis.call('SET', KEYS[1], '1', 'EX', 60) return 1"), [KEY])


@pytest.fixture(name="server", scope="module")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningRedis]:
    with running_redis(tmp_path_factory.mktemp("remembered")) as server:
        yield server


@pytest.fixture(name="process")
async def _process(server: RunningRedis) -> AsyncIterator[Process]:
    process = Process(server)
    yield process
    await process.redis.close()


async def test_process_is_ready_once_watermarks_are_loaded() -> None:
    """While users is unavailable the process is not ready, and it repeats the request."""
    bus, history = MemoryBus(), History("token")
    users = MemoryWatermarks(bus)
    users.marks["token"] = {"ab": 2 * GENERATION}
    remembered = RememberedHistory(history, bus)
    bus.down = True
    await remembered.start()
    with pytest.raises(NotReady, match="not loaded"):
        await remembered.check()
    bus.down = False

    await eventually(lambda: asyncio.sleep(0, history.recalled), bool)
    await remembered.check()
    assert history.reset_number("ab") == 2
    await remembered.close()


@pytest.mark.servers
async def test_watermarks_are_stored_in_the_background(process: Process) -> None:
    """The first write is reported at once, later ones together after a second, and the last at shutdown."""
    marks = process.users.marks
    await process.remembered.start()
    await eventually(lambda: asyncio.sleep(0, process.history.recalled), bool)
    await process.write()
    await eventually(lambda: asyncio.sleep(0, bool(marks.get("token"))), bool)
    for _ in range(50):
        await process.write()
    before = process.bus.called.count(REMEMBER_MARKS.subject)
    await process.remembered.close()

    assert before <= 2
    assert marks["token"] == {"ab": max(marks["token"].values())}
    assert marks["token"]["ab"] >= 51


@pytest.mark.servers
async def test_lost_connection_reloads_the_watermarks(server: RunningRedis, process: Process) -> None:
    """Writes acknowledged to other processes count before the next answer, and without users there is no answer."""
    await process.remembered.recall()
    await process.write()
    await asyncio.to_thread(server.stop)
    process.users.marks["token"] = {"ab": 10_000}
    await asyncio.to_thread(server.start)
    process.bus.silent = {RECALL_MARKS.subject}
    with pytest.raises(ServiceError) as refused:
        await process.redis.read("GET", KEY)
    process.bus.silent = set()

    assert refused.value.kind is Kind.UNAVAILABLE
    assert await process.redis.read("GET", KEY) is None
    assert process.history.reset_number("ab") == 1


async def test_connections_wait_for_the_watermarks() -> None:
    """Connections opened at the same time share one load, which is repeated if it fails."""
    history, answered = History("token", recalled=True), asyncio.Event()
    calls: list[int] = []

    async def recall() -> None:
        calls.append(len(calls))
        await answered.wait()
        if len(calls) == 1:
            raise UNAVAILABLE.error(part="users")

    history.recall_by(recall)
    history.lose()
    waiting = [asyncio.create_task(history.catch_up()) for _ in range(3)]
    await asyncio.sleep(0)
    assert not any(task.done() for task in waiting)
    answered.set()
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)

    assert [type(outcome) for outcome in outcomes] == [ServiceError, type(None), type(None)]
    assert calls == [0, 1]


@pytest.mark.servers
@pytest.mark.parametrize("is_first", [True, False])
async def test_replies_compare_the_clock_with_users(process: Process, is_first: bool) -> None:
    """Each reply is a comparison, repeated by readiness while the clocks differ, until users agrees or is unsure."""
    guard, mine = process.replica.guard, process.replica.clock.now()
    if not is_first:
        await process.remembered.recall()
        await process.write()
    process.users.now = mine + 60
    await (process.remembered.recall() if is_first else process.remembered.remember())
    with pytest.raises(NotReady, match=r"60.0 s behind the one of users"):
        await guard.check()
    with pytest.raises(ServiceError):
        guard.now()
    process.users.now = 0 if is_first else mine
    await guard.check()

    assert guard.now() == mine


def test_epoch_begun_by_another_process_renames_keys() -> None:
    """Commands that wait for the new connection have the old key names, and must not be sent with them."""
    history, notified = History("token", recalled=True), list[str]()
    history.when_begun_anew(lambda: notified.append("begun"))
    before = history.version
    history.recall({"ab": 7})
    unchanged = history.version
    history.recall({"ab": GENERATION})
    history.recall({"ab": GENERATION + 7})

    assert (unchanged, history.version, history.reset_number("ab")) == (before, before + 1, 1)
    assert notified == ["begun"]
