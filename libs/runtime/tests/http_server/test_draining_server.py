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
from portico_runtime.http_server.bounded_http import BoundedHttp
from portico_runtime.http_server.draining_server import DrainingServer
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from uvicorn import Config

pytestmark = pytest.mark.asyncio(loop_scope="module")
REQUEST = b"POST /here HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"


class Running:
    """A listening server with its clients' blocking sockets, so that the event loop does not run meanwhile."""

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
        self._server.ends_first.append(self._end_other_port)
        await self._server.startup([self._listener])

    async def begin_and_end(self) -> bool:
        """Stops the server while it starts; returns whether it was started in the end."""
        starting = asyncio.create_task(self.start())
        await asyncio.sleep(0)
        self._server.should_exit = True
        async with asyncio.timeout(HANGS):
            await starting
        return self._server.started

    async def stop(self) -> None:
        """Stops the server, beginning in this turn of the event loop."""
        await self._server.shutdown([self._listener])

    def asked(self) -> socket.socket:
        """Opens a connection with a request that the server has not accepted yet."""
        client = socket.create_connection(self._address, timeout=HANGS)
        client.sendall(REQUEST)
        return client

    async def used(self) -> socket.socket:
        """Opens a connection on which a response was already received."""
        client = self.asked()
        client.setblocking(False)
        answer = await asyncio.get_running_loop().sock_recv(client, 4096)
        assert answer.endswith(b"abc")
        assert b"connection: close" not in answer
        client.settimeout(HANGS)
        return client

    async def _echo(self, request: Request) -> PlainTextResponse:
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
    """Returns uvloop's policy, as in the services; its handling of sockets differs from asyncio's."""
    policy: asyncio.AbstractEventLoopPolicy = uvloop.EventLoopPolicy()
    return policy


@pytest_asyncio.fixture(loop_scope="module")
async def running() -> Running:
    made = Running()
    await made.start()
    return made


def all_of(client: socket.socket) -> bytes:
    with client:
        return b"".join(iter(lambda: client.recv(4096), b""))


def assert_last_answer(said: bytes) -> None:
    """Checks for one response that announces the end of the connection (RFC 9112, section 9.6)."""
    assert said.startswith(b"HTTP/1.1 200 OK")
    assert b"\r\nconnection: close\r\n" in said
    assert said.endswith(b"abc")


async def test_accepted_connection_is_served_at_shutdown(running: Running) -> None:
    """A connection accepted by the kernel is served, because no other replica will answer its request (FD-12)."""
    clients = [running.asked() for _ in range(3)]
    await running.stop()

    for client in clients:
        assert_last_answer(all_of(client))


async def test_request_on_an_idle_connection_is_answered(running: Running) -> None:
    """A request that arrived before shutdown is answered although the server had not read it yet (FD-12)."""
    clients = [await running.used() for _ in range(3)]
    for client in clients:
        client.sendall(REQUEST)
    await running.stop()

    for client in clients:
        assert_last_answer(all_of(client))


async def test_request_soon_after_shutdown_begins_is_answered(running: Running) -> None:
    """A client with an idle connection notices the shutdown a little later than the server (FD-12)."""
    client = await running.used()
    stopping = asyncio.create_task(running.stop())
    await asyncio.sleep(0)
    client.sendall(REQUEST)
    await stopping

    assert_last_answer(all_of(client))


async def test_response_in_progress_announces_the_close(running: Running) -> None:
    """The response has `Connection: close`, so that the client sends no further request."""
    running.may_answer.clear()
    client = running.asked()
    await asyncio.wait_for(running.at_work.wait(), HANGS)
    stopping = asyncio.create_task(running.stop())
    await asyncio.sleep(0)
    running.may_answer.set()
    await stopping

    assert_last_answer(all_of(client))


async def test_idle_connections_do_not_delay_shutdown(running: Running) -> None:
    client = await running.used()
    await running.stop()

    assert all_of(client) == b""
    with pytest.raises(ConnectionRefusedError):
        running.asked()


async def test_aborted_connection_harms_no_other_caller(running: Running) -> None:
    """A connection aborted before it was accepted does not affect the others (RX-12)."""
    broken, other = running.asked(), running.asked()
    broken.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    broken.close()
    await running.stop()

    assert_last_answer(all_of(other))


async def test_second_port_closes_before_the_parts(running: Running) -> None:
    """The second port still needs the parts for its last responses (FD-12)."""
    await running.stop()

    assert running.ended == ["other port", "parts"]


async def test_unfinished_start_does_not_block_shutdown() -> None:
    """A part that waits for another release ends at a signal, while one that starts in time starts."""
    waiting, starting = Running(), Running()
    waiting.may_start.clear()

    assert [await waiting.begin_and_end(), await starting.begin_and_end()] == [False, True]
    await starting.stop()
