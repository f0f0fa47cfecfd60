from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any, cast

import pytest
from portico_runtime.http_server.bounded_http import (
    LINGER_SECONDS,
    MAX_HEAD,
    MAX_MESSAGE,
    REQUEST_SECONDS,
    BoundedHttp,
)
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from uvicorn import Config
from uvicorn.server import ServerState

GET = b"GET /here HTTP/1.1\r\nHost: x\r\n"
POST = b"POST /here HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n"
CHUNKED = b"POST /here HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


class Loop:
    """The running loop with a simulated clock; `pass_time` runs delayed calls."""

    def __init__(self) -> None:
        self.now = 100.0
        self._running = asyncio.get_running_loop()
        self._later: list[tuple[float, Callable[[], None], asyncio.TimerHandle]] = []

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(self.now + delay, callback, (), self._running)
        self._later.append((self.now + delay, callback, handle))
        return handle

    def call_soon(self, callback: Callable[[], None]) -> asyncio.Handle:
        return self._running.call_soon(callback)

    def create_task(self, coroutine: Any) -> asyncio.Task[Any]:
        return self._running.create_task(coroutine)

    def pass_time(self, seconds: float) -> None:
        end = self.now + seconds
        while due := sorted((entry for entry in self._later if entry[0] <= end), key=lambda entry: entry[0]):
            self._later.remove(due[0])
            self.now = due[0][0]
            if not due[0][2].cancelled():
                due[0][1]()
        self.now = end


class Wire(asyncio.Transport):
    def __init__(self) -> None:
        self.ours, self.theirs = socket.socketpair()
        super().__init__({"socket": self.ours})
        self.written = b""
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += bytes(data)

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


class Connection:
    """A protocol with an application that answers with the header names and the body."""

    def __init__(self) -> None:
        self.loop, self.wire = Loop(), Wire()
        self.protocol = BoundedHttp(
            Config(
                self._app,
                interface="asgi3",
                lifespan="off",
                timeout_keep_alive=30,
                proxy_headers=False,
                log_config=None,
            ),
            ServerState(),
            {},
            cast("asyncio.AbstractEventLoop", self.loop),
        )
        self.protocol.connection_made(self.wire)

    async def say(self, *pieces: bytes) -> bytes:
        """Sends pieces and lets the application run; returns everything written so far."""
        for piece in pieces:
            if not self.wire.closed:
                self.protocol.data_received(piece)
        for _ in range(10):
            await asyncio.sleep(0)
        return self.wire.written

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            body = await request.body() if scope["method"] == "POST" else b""
        except ClientDisconnect:
            return
        names = " ".join(name.decode() for name, _ in scope["headers"])
        await PlainTextResponse(f"{names}:{body.decode()}")(scope, receive, send)


@pytest.fixture
async def connection() -> AsyncIterator[Connection]:
    made = Connection()
    yield made
    made.protocol.connection_lost(None)
    await made.say()
    made.wire.ours.close()
    made.wire.theirs.close()


def _status(written: bytes) -> int:
    assert written.count(b"HTTP/1.1 ") == 1
    return int(written.split(b" ")[1])


async def test_requests_within_limits_are_answered(connection: Connection) -> None:
    await connection.say(GET + b"\r\n", POST, b"abc")
    written = await connection.say(GET + b"\r\n")

    assert written.count(b"HTTP/1.1 200 OK") == 3
    assert b"host content-length:abc" in written
    assert not connection.wire.closed


OFFER = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n"
OFFERED = {
    "length": [POST.replace(b"\r\n\r\n", b"\r\n" + OFFER + b"\r\n") + b"abc"],
    "length in pieces": [POST.replace(b"\r\n\r\n", b"\r\n" + OFFER[:50]), OFFER[50:] + b"\r\n", b"a", b"bc"],
    "chunks": [CHUNKED.replace(b"\r\n\r\n", b"\r\n" + OFFER + b"\r\n") + b"3\r\nabc\r\n0\r\n\r\n"],
    "WebSocket": [
        POST.replace(b"\r\n\r\n", b"\r\nconnection: keep-alive\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"),
        b"abc",
    ],
}


@pytest.mark.parametrize("pieces", OFFERED.values(), ids=OFFERED.keys())
async def test_upgrade_offer_is_ignored(connection: Connection, pieces: list[bytes]) -> None:
    """The application does not see the Upgrade offer, the request keeps its body, and the connection stays open."""
    await connection.say(*pieces)
    written = await connection.say(POST, b"def")

    assert written.count(b"HTTP/1.1 200 OK") == 2
    assert b":abc" in written
    assert b"host content-length:def" in written
    assert b"upgrade" not in written
    assert b"http2-settings" not in written
    assert not connection.wire.closed


async def test_pipelined_requests_with_upgrade_are_answered_in_order(connection: Connection) -> None:
    """A thousand pipelined requests with an Upgrade offer and a body are answered in order (IN-01)."""
    one = GET.replace(b"GET", b"POST") + OFFER + b"Content-Length: 4\r\n\r\n%04d"
    connection.protocol.data_received(b"".join(one % number for number in range(1_000)))
    bodies: list[bytes] = []
    while len(bodies) < 1_000:
        bodies = [answer.rsplit(b":", 1)[1] for answer in (await connection.say()).split(b"HTTP/1.1 200 OK")[1:]]

    assert bodies == [b"%04d" % number for number in range(1_000)]


async def test_upgrade_hides_no_second_length(connection: Connection) -> None:
    """A request with ambiguous framing is refused with an Upgrade offer as without one (IN-01)."""
    written = await connection.say(POST.replace(b"\r\n\r\n", b"\r\n" + OFFER + b"Content-Length: 4\r\n\r\nabcd"))

    assert _status(written) == 400
    assert connection.wire.closed


async def test_head_with_upgrade_is_limited(connection: Connection) -> None:
    """An Upgrade offer does not bypass the limits of a request head (RX-06)."""
    written = await connection.say(GET + OFFER + b"X: a\r\n" * 40_000 + b"\r\n")

    assert _status(written) == 431
    assert connection.wire.closed


ENDLESS = {
    "one piece": [GET + b"".join(b"X-%d: a\r\n" % n for n in range(10_000)) + b"\r\n"],
    "address in one piece": [b"GET /" + b"a" * (MAX_HEAD + 1) + b" HTTP/1.1\r\nHost: x\r\n\r\n"],
    "header in pieces": [GET + b"X: ", *[b"a" * 1_000] * 70],
    "headers in pieces": [GET, *[b"X: a\r\n" * 200] * 60],
    "address in pieces": [b"GET /", *[b"a" * 1_000] * 70],
}


@pytest.mark.parametrize("pieces", ENDLESS.values(), ids=ENDLESS.keys())
async def test_long_head_is_refused(connection: Connection, pieces: list[bytes]) -> None:
    """Address and headers are limited, however they are split into packets (RX-06)."""
    written = await connection.say(*pieces)

    assert _status(written) in (400, 431)
    assert b'"error":"invalid_request"' in written
    assert b"X-Content-Type-Options: nosniff" in written
    assert b"X-Request-Id: " in written
    assert connection.wire.closed


async def test_body_may_be_larger_than_a_head(connection: Connection) -> None:
    size = MAX_HEAD * 2
    written = await connection.say(POST.replace(b"3", b"%d" % size) + b"a" * size)

    assert _status(written) == 200


async def test_endless_message_is_cut(connection: Connection) -> None:
    """A body that no endpoint reads is not received forever (RX-01)."""
    await connection.say(CHUNKED.replace(b"POST", b"PUT"))
    await connection.say(*[b"10000\r\n" + b"a" * 0x10000 + b"\r\n"] * (MAX_MESSAGE // 0x10000 + 1))

    assert connection.wire.closed


@pytest.mark.parametrize("pieces", [[], [b"\r\n"], [GET], [POST], [POST, b"a"], [CHUNKED, b"1\r\na\r\n"]])
async def test_incomplete_request_times_out(connection: Connection, pieces: list[bytes]) -> None:
    """Head and body share one deadline from the first byte on, and a silent connection is closed (RX-03)."""
    await connection.say(*pieces)
    connection.loop.pass_time(REQUEST_SECONDS - 1)
    open_before = not connection.wire.closed
    connection.loop.pass_time(2)

    assert open_before
    assert connection.wire.closed
    assert [_status(connection.wire.written)] == [408] if pieces else connection.wire.written == b""


async def test_slow_bytes_do_not_move_the_deadline(connection: Connection) -> None:
    """Single bytes now and then do not extend the deadline (RX-03)."""
    await connection.say(POST.replace(b"3", b"1000"))
    for _ in range(20):
        await connection.say(b"a")
        connection.loop.pass_time(1)

    assert _status(connection.wire.written) == 408


async def test_later_request_has_its_own_deadline(connection: Connection) -> None:
    for _ in range(3):
        await connection.say(GET + b"\r\n")
        connection.loop.pass_time(REQUEST_SECONDS - 1)
    served = not connection.wire.closed
    await connection.say(GET)
    connection.loop.pass_time(REQUEST_SECONDS + 1)

    assert served
    assert connection.wire.closed


async def test_trailers_are_not_headers(connection: Connection) -> None:
    """Trailer fields after the body are not added to the request headers (IN-01)."""
    written = await connection.say(CHUNKED, b"1\r\na\r\n0\r\n", b"Authorization: Basic eA==\r\n\r\n")

    assert b"host transfer-encoding:a" in written
    assert b"authorization" not in written


async def test_request_never_has_two_responses(connection: Connection) -> None:
    """Invalid framing after the response closes the connection without another response (IN-01)."""
    await connection.say(CHUNKED.replace(b"POST", b"PUT"))
    written = await connection.say(b"zz\r\n")

    assert _status(written) == 200
    assert connection.wire.closed


async def test_idle_connection_closes_shortly_after_shutdown_begins(connection: Connection) -> None:
    """An idle connection stays open briefly, because its client notices the shutdown later (FD-12)."""
    await connection.say(GET + b"\r\n")
    connection.protocol.shutdown()
    at_once = connection.wire.closed
    connection.loop.pass_time(LINGER_SECONDS)

    assert not at_once
    assert connection.wire.closed


@pytest.mark.parametrize("arrived", [b"", POST[:10]], ids=["unread", "half read"])
async def test_connection_with_a_request_is_not_closed(connection: Connection, arrived: bytes) -> None:
    """At shutdown a request that has begun to arrive is answered first (FD-12)."""
    await connection.say(GET + b"\r\n", arrived)
    if not arrived:
        connection.wire.theirs.send(POST)
    connection.protocol.shutdown()
    connection.loop.pass_time(LINGER_SECONDS)
    closed_before = connection.wire.closed
    written = await connection.say(POST[10:] if arrived else connection.wire.ours.recv(4096), b"abc")

    assert not closed_before
    assert written.count(b"HTTP/1.1 200 OK") == 2
    assert connection.wire.closed
