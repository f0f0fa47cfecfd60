"""Tests of a Redis Cluster of nine nodes: commands find their node, also after one died, and are not repeated
(decision 0065).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from portico_harness.eventually import eventually
from portico_harness.loop_thread import LoopThread
from portico_oauth.errors import Kind, ServiceError
from portico_runtime.redis.client import RedisClient
from portico_runtime.redis.nodes import node
from portico_runtime.redis.nodes.history import BUCKETS, GENERATION, History
from portico_runtime.settings.sections.redis import RedisSection
from portico_stack.machine.ports import free_pair
from portico_stack.processes.programs import Process
from portico_stack.servers.redis_cluster import BUS, NODES, RedisCluster
from pydantic import SecretStr

pytestmark = pytest.mark.servers

PASSWORD = "a-password-of-tests"
_ADD = "return redis.call('INCRBY', KEYS[1], amount)"


class Running:
    def __init__(self, data: Path, loop: LoopThread) -> None:
        self.server = RedisCluster(
            data, [free_pair(None, BUS) for _ in range(NODES)], {"token": PASSWORD, "users": PASSWORD}, PASSWORD
        )
        self._loop = loop
        self._nodes = [Process(program, data / "logs", print) for program in self.server.programs()]

    def start(self, *numbers: int) -> None:
        for number in numbers or range(1, NODES + 1):
            self._loop.run(self._nodes[number - 1].start())

    def stop(self, *numbers: int) -> None:
        for number in numbers or range(1, NODES + 1):
            self._loop.run(self._nodes[number - 1].stop(0))

    def client(self, history: History | None = None) -> RedisClient:
        """Returns a cluster client that requires one replica for each write."""
        settings = RedisSection(
            redis_url=self.server.url, redis_password=SecretStr(PASSWORD), redis_timeout=1.5, redis_wait_replicas=1
        )
        return RedisClient(settings, "token", history)


@contextmanager
def running(data: Path) -> Iterator[Running]:
    loop = LoopThread()
    cluster = Running(data, loop)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
        loop.close()


@pytest.fixture(name="cluster", scope="module")
def _cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture(name="client")
async def _client(cluster: Running) -> AsyncIterator[RedisClient]:
    client = cluster.client(History("token", recalled=True))
    await client.start()
    await eventually(lambda: answers(client), bool)
    yield client
    await client.close()


async def answers(client: RedisClient) -> bool:
    """Reports whether every bucket can be written."""
    results = await asyncio.gather(*(add(client, bucket, 0) for bucket in BUCKETS), return_exceptions=True)
    return not any(isinstance(result, Exception) for result in results)


async def add(client: RedisClient, bucket: str, amount: int = 1) -> int:
    return int(await client.run(client.script(_ADD, arguments=("amount",)), [f"token:{{{bucket}}}:sum"], amount=amount))


async def test_every_bucket_is_at_the_node_of_its_slot(client: RedisClient) -> None:
    """Concurrent commands go to three masters, and a command without key goes to all of them."""
    before = [int(await client.read("GET", f"token:{{{bucket}}}:sum") or 0) for bucket in BUCKETS]
    sums = await asyncio.gather(*(add(client, bucket, 5) for bucket in BUCKETS))

    assert sums == [one + 5 for one in before]
    assert len(await client.ask_each_node("PING")) == 3
    assert len(await client.times()) == 3


async def test_client_learns_the_slots_from_any_node(cluster: Running) -> None:
    """The address of one replica is enough, and the first command may precede discovery."""
    settings = RedisSection(
        redis_url=f"redis+cluster://127.0.0.1:{cluster.server.ports[7]}", redis_password=SecretStr(PASSWORD)
    )

    async def first_command() -> bool:
        client = RedisClient(settings, "token")
        try:
            return await add(client, "0a", 0) >= 0
        except ServiceError:  # a busy machine may let a replica become master just then
            return False
        finally:
            await client.close()

    assert await eventually(first_command, bool)


async def test_acknowledged_writes_survive_a_master(cluster: Running, client: RedisClient) -> None:
    """After a failover acknowledged writes exist, unacknowledged ones were 503, and none is applied twice."""
    acknowledged = dict.fromkeys(BUCKETS, 0)
    refused = dict.fromkeys(BUCKETS, 0)
    kinds: set[Kind] = set()
    before = {bucket: await add(client, bucket, 0) for bucket in BUCKETS}
    generations = [client._history and client._history.reset_number(bucket) for bucket in BUCKETS]

    async def write(bucket: str) -> None:
        try:
            await add(client, bucket)
            acknowledged[bucket] += 1
        except ServiceError as error:
            kinds.add(error.kind)
            refused[bucket] += 1

    async def write_everywhere() -> bool:
        failed = sum(refused.values())
        await asyncio.gather(*(write(bucket) for bucket in BUCKETS))
        return sum(refused.values()) == failed

    await write_everywhere()
    await asyncio.to_thread(cluster.stop, 1)
    await write_everywhere()
    await eventually(write_everywhere, bool)
    after = {bucket: await add(client, bucket, 0) for bucket in BUCKETS}
    await asyncio.to_thread(cluster.start, 1)

    assert sum(refused.values()) > 0
    assert kinds == {Kind.UNAVAILABLE}
    assert len(await client.ask_each_node("PING")) == 3
    for bucket in BUCKETS:
        # A refused write may have been applied before its reply was lost.
        assert acknowledged[bucket] <= after[bucket] - before[bucket] <= acknowledged[bucket] + refused[bucket]
    assert [client._history and client._history.reset_number(bucket) for bucket in BUCKETS] == generations


async def test_bucket_with_data_loss_is_reset_in_a_cluster(
    cluster: Running, client: RedisClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each bucket is checked at its node, and buckets of other nodes stay."""
    await asyncio.gather(add(client, "00"), add(client, "7f"))
    settings = RedisSection(redis_url=cluster.server.url, redis_password=SecretStr(PASSWORD))
    past = RedisClient(settings, "token")
    await past.run(past.script("return redis.call('SET', KEYS[1], '0')"), ["token:{7f}:mark"])
    await past.close()
    monkeypatch.setattr(node, "COMPARE_SECONDS", 0.0)

    assert await client.read("GET", "token:{7f}:sum") is None
    assert int(await client.read("GET", "token:{00}:sum")) > 0
    assert client._history is not None
    assert [client._history._marks["7f"] // GENERATION, client._history.reset_number("00")] == [1, 0]
