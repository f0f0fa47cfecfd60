"""A server that ends answers what has reached it."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio
import uvloop
from portico_harness.eventually import HANGS
from portico_runtime.bounded_http import BoundedHttp
from portico_runtime.draining_server import DrainingServer
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from uvicorn import Config

pytestmark = pytest.mark.asyncio(loop_scope="module")
REQUEST = b"POST /here HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"


class Running:
    """A server that listens, with its clients' ends: blocking sockets, so that the loop does not turn meanwhile."""

    def __init__(self) -> None:
        self.ended: list[str] = []
        self.may_start = asyncio.Event()
        self.may_start.set()
        app = Starlette(routes=[Route("/here", self._echo, methods=["POST"])], lifespan=self._parts)
        config = Config(app, interface="asgi3", host="127.0.0.1", port=0, http=BoundedHttp, log_config=None)
        config.load()
        self._listener = config.bind_socket()
        self._address = self._listener.getsockname()
        self._server = DrainingServer(config)
        self._server.lifespan = config.lifespan_class(config)
        self.at_work = asyncio.Event()
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def start(self) -> None:
        """Listens."""
        self._server.ends_first.append(self._end_other_port)
        await self._server.startup([self._listener])

    async def begin_and_end(self) -> bool:
        """Is to end while it starts; whether it was started in the end."""
        starting = asyncio.create_task(self.start())
        await asyncio.sleep(0)
        self._server.should_exit = True
        async with asyncio.timeout(HANGS):
            await starting
        return self._server.started

    async def stop(self) -> None:
        """Ends, beginning in this very turn of the loop."""
        await self._server.shutdown([self._listener])

    def asked(self) -> socket.socket:
        """A new connection with a request on it, which the server has not accepted yet."""
        client = socket.create_connection(self._address, timeout=HANGS)
        client.sendall(REQUEST)
        return client

    async def used(self) -> socket.socket:
        """A connection on which there was an answer already."""
        client = self.asked()
        client.setblocking(False)
        answer = await asyncio.get_running_loop().sock_recv(client, 4096)
        assert answer.endswith(b"abc")
        assert b"connection: close" not in answer
        client.settimeout(HANGS)
        return client

    async def _echo(self, request: Request) -> PlainTextResponse:
        """Answers with the body, once it may."""
        self.at_work.set()
        body = await request.body()
        await self.may_answer.wait()
        return PlainTextResponse(body)

    @asynccontextmanager
    async def _parts(self, _app: Starlette) -> AsyncIterator[None]:
        await self.may_start.wait()
        yield
        self.ended.append("parts")

    async def _end_other_port(self) -> None:
        await asyncio.sleep(0)
        self.ended.append("other port")


@pytest.fixture(scope="module")
def event_loop_policy() -> asyncio.AbstractEventLoopPolicy:
    """The loop of our services, which has its own ways with sockets."""
    policy: asyncio.AbstractEventLoopPolicy = uvloop.EventLoopPolicy()
    return policy


@pytest_asyncio.fixture(loop_scope="module")
async def running() -> Running:
    """It listens."""
    made = Running()
    await made.start()
    return made


def all_of(client: socket.socket) -> bytes:
    """What was sent until the connection ended."""
    with client:
        return b"".join(iter(lambda: client.recv(4096), b""))


def assert_last_answer(said: bytes) -> None:
    """One answer, which announces that the connection ends with it (RFC 9112, 9.6)."""
    assert said.startswith(b"HTTP/1.1 200 OK")
    assert b"\r\nconnection: close\r\n" in said
    assert said.endswith(b"abc")


async def test_connection_the_kernel_has_accepted_is_served(running: Running) -> None:
    """The client believes it is connected, and no other replica will answer its request (FD-12)."""
    clients = [running.asked() for _ in range(3)]
    await running.stop()

    for client in clients:
        assert_last_answer(all_of(client))


async def test_request_on_an_idle_connection_is_answered(running: Running) -> None:
    """It had arrived, although the server had not read it yet (FD-12)."""
    clients = [await running.used() for _ in range(3)]
    for client in clients:
        client.sendall(REQUEST)
    await running.stop()

    for client in clients:
        assert_last_answer(all_of(client))


async def test_request_soon_after_the_beginning_of_the_end_is_answered(running: Running) -> None:
    """A client with an idle connection notices the end a little later than the server does (FD-12)."""
    client = await running.used()
    stopping = asyncio.create_task(running.stop())
    await asyncio.sleep(0)
    client.sendall(REQUEST)
    await stopping

    assert_last_answer(all_of(client))


async def test_answer_under_way_is_the_last_of_its_connection(running: Running) -> None:
    """The answer announces it, and the client does not send the next request into a connection that is being closed."""
    running.may_answer.clear()
    client = running.asked()
    await asyncio.wait_for(running.at_work.wait(), HANGS)
    stopping = asyncio.create_task(running.stop())
    await asyncio.sleep(0)
    running.may_answer.set()
    await stopping

    assert_last_answer(all_of(client))


async def test_unused_connections_do_not_keep_the_server(running: Running) -> None:
    """An idle connection is closed, and new ones are refused."""
    client = await running.used()
    await running.stop()

    assert all_of(client) == b""
    with pytest.raises(ConnectionRefusedError):
        running.asked()


async def test_connection_that_was_broken_off_harms_no_caller(running: Running) -> None:
    """It waits to be accepted and is worth nothing any more; the others are served (RX-12)."""
    broken, other = running.asked(), running.asked()
    broken.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    broken.close()
    await running.stop()

    assert_last_answer(all_of(other))


async def test_another_port_ends_before_the_parts_do(running: Running) -> None:
    """What it still answers needs them (FD-12)."""
    await running.stop()

    assert running.ended == ["other port", "parts"]


async def test_a_part_that_never_starts_does_not_keep_the_server() -> None:
    """One that waits for another release ends at a signal, not only when it is killed; one that starts in time does."""
    waiting, starting = Running(), Running()
    waiting.may_start.clear()

    assert [await waiting.begin_and_end(), await starting.begin_and_end()] == [False, True]
    await starting.stop()
