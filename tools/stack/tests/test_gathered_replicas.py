"""HAProxy's choice among token's replicas: the first one with capacity, so that others may stay idle."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import httpx
import pytest
from portico_contracts.catalogue import SERVICES
from portico_harness.eventually import eventually
from portico_harness.gateway_alone import running
from portico_harness.plain_http import plain_http
from portico_stack.machine.ports import free_port
from portico_stack.servers.haproxy import HaproxyServer

pytestmark = pytest.mark.servers

ROOM = 24
"""Concurrent requests on one replica before the next one is used."""

PATH = "/oidc/v1/userinfo"


class WaitingReplica:
    """Responds with its name on command; counts the received requests."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.port = free_port()
        self.arrived = 0
        self.may_answer = asyncio.Event()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        async with await asyncio.start_server(self._answer, "127.0.0.1", self.port):
            yield

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                await reader.readuntil(b"\r\n\r\n")
                self.arrived += 1
                await self.may_answer.wait()
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(self.name) + self.name.encode())
        writer.close()


@pytest.fixture
def replicas() -> tuple[WaitingReplica, WaitingReplica]:
    """Two replicas of token, which do not listen yet."""
    return WaitingReplica("first"), WaitingReplica("second")


@pytest.fixture
async def client(
    replicas: tuple[WaitingReplica, WaitingReplica], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[httpx.AsyncClient]:
    data = tmp_path_factory.mktemp("gathering")
    upstreams: dict[str, tuple[str, ...]] = {service: (f"127.0.0.1:{free_port()}",) for service in SERVICES}
    upstreams["token"] = tuple(f"127.0.0.1:{replica.port}" for replica in replicas)
    server = HaproxyServer(data / "gateway", free_port(), free_port(), upstreams)
    limits = httpx.Limits(max_connections=200)
    async with (
        running(server, data / "logs"),
        plain_http(server.url, limits=limits) as http,
    ):
        yield http


async def test_few_requests_use_one_replica(
    client: httpx.AsyncClient, replicas: tuple[WaitingReplica, WaitingReplica]
) -> None:
    """While the first replica has capacity it gets all requests, and the second none."""
    first, second = replicas
    async with first.listening(), second.listening():
        asked = [asyncio.create_task(client.get(PATH)) for _ in range(ROOM)]
        await eventually(lambda: _value(first.arrived), lambda count: count == ROOM)
        first.may_answer.set()
        answers = [(await answer).text for answer in asked]

    assert answers == ["first"] * ROOM
    assert second.arrived == 0


async def test_further_requests_use_the_next_replica(
    client: httpx.AsyncClient, replicas: tuple[WaitingReplica, WaitingReplica]
) -> None:
    """A full or hanging replica does not hold further requests, and the next one answers them (RX-03)."""
    first, second = replicas
    second.may_answer.set()
    async with first.listening(), second.listening():
        stuck = [asyncio.create_task(client.get(PATH)) for _ in range(ROOM)]
        await eventually(lambda: _value(first.arrived), lambda count: count == ROOM)
        answers = [(await client.get(PATH)).text for _ in range(10)]
        first.may_answer.set()
        await asyncio.gather(*stuck)

    assert answers == ["second"] * 10
    assert first.arrived == ROOM


async def test_full_replicas_take_turns(
    client: httpx.AsyncClient, replicas: tuple[WaitingReplica, WaitingReplica]
) -> None:
    """When all replicas are full, requests alternate between them and are not queued."""
    first, second = replicas
    async with first.listening(), second.listening():
        asked = [asyncio.create_task(client.get(PATH)) for _ in range(2 * ROOM + 20)]
        await eventually(lambda: _value(first.arrived + second.arrived), lambda count: count == len(asked))
        shares = sorted(
            (first.arrived, second.arrived)
        )  # not half each: two threads of HAProxy may both see the last place
        first.may_answer.set()
        second.may_answer.set()
        await asyncio.gather(*asked)

    assert shares[0] >= ROOM


async def test_dead_first_replica_is_skipped(
    client: httpx.AsyncClient, replicas: tuple[WaitingReplica, WaitingReplica]
) -> None:
    """While the first replica is down every request is answered by the second."""
    _, second = replicas
    second.may_answer.set()
    async with second.listening():
        answers = [await client.get(PATH) for _ in range(8)]

    assert [(answer.status_code, answer.text) for answer in answers] == [(200, "second")] * 8


async def _value(number: int) -> int:
    return number
