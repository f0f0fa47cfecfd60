from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from itertools import product
from typing import Any

import grpc
import h2.connection
import h2.events
import pytest
from hyperframe.frame import Frame, GoAwayFrame, RstStreamFrame
from portico_harness.eventually import HANGS
from portico_harness.rows import row
from portico_runtime.http_server import http2_connections
from portico_runtime.http_server.http2_server import Http2Server
from portico_runtime.settings.sections.service import ServiceSection
from portico_stack.machine.ports import free_port
from starlette.types import ASGIApp, Receive, Scope, Send


async def _echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers a unary gRPC call with its own bytes and the status in trailers."""
    assert scope["type"] == "http"
    body = b""
    while True:
        message = await receive()
        body += message["body"]
        if not message["more_body"]:
            break
    headers = [(b"content-type", b"application/grpc")]
    await send({"type": "http.response.start", "status": 200, "headers": headers, "trailers": True})
    await send({"type": "http.response.body", "body": body, "more_body": False})
    await send({"type": "http.response.trailers", "headers": [(b"grpc-status", b"0")], "more_trailers": False})


async def _call(port: int, data: bytes, host: str = "127.0.0.1") -> bytes:
    options = [("grpc.enable_http_proxy", 0), ("grpc.initial_reconnect_backoff_ms", 100)]
    async with grpc.aio.insecure_channel(f"{host}:{port}", options=options) as channel:
        call: Any = channel.unary_unary("/a.Service/Method")
        answer: bytes = await call(data, timeout=HANGS, wait_for_ready=True)
        return answer


@contextlib.asynccontextmanager
async def _running(
    port: int,
    *,
    started: Callable[[], bool],
    fail: Callable[[], None] = lambda: None,
    app: ASGIApp = _echo,
    host: str = "127.0.0.1",
) -> AsyncIterator[Http2Server]:
    settings = ServiceSection(drain_seconds=1, host=host)
    server = Http2Server(app, settings, port, started=started, fail=fail)
    await server.start()
    try:
        yield server
    finally:
        await server.close()


@pytest.fixture
def without_lingering(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests whose clients send nothing at shutdown: Hypercorn keeps a connection that the client has closed."""
    monkeypatch.setattr(http2_connections, "LINGER_SECONDS", 0)


@pytest.mark.usefixtures("without_lingering")
async def test_grpc_is_answered_with_trailers() -> None:
    port = free_port()
    async with _running(port, started=lambda: True):
        answer = await _call(port, b"hello")

    assert answer == b"hello"


@pytest.mark.usefixtures("without_lingering")
async def test_every_address_is_of_ipv6_and_ipv4() -> None:
    """``::`` means the same as for the first port."""
    port = free_port()
    async with _running(port, started=lambda: True, host="::"):
        answers = [await _call(port, b"hello", host) for host in ("127.0.0.1", "[::1]")]

    assert answers == [b"hello", b"hello"]


@pytest.mark.usefixtures("without_lingering")
async def test_second_port_opens_after_the_first() -> None:
    """A starting replica gets no gRPC calls before its first port is open (FD-12)."""
    port, ready = free_port(), asyncio.Event()
    async with _running(port, started=ready.is_set):
        await asyncio.sleep(0)  # the server looks whether it may open its port
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port)
        ready.set()
        answer = await _call(port, b"now")

    assert answer == b"now"


async def test_occupied_port_stops_the_service() -> None:
    failed = asyncio.Event()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        async with _running(taken.getsockname()[1], started=lambda: True, fail=failed.set):
            await asyncio.wait_for(failed.wait(), HANGS)

    assert failed.is_set()


async def _hasty(_scope: Scope, _receive: Receive, send: Send) -> None:
    """Answers with an error without reading the body."""
    await send({"type": "http.response.start", "status": 415, "headers": []})
    await send({"type": "http.response.body", "body": b""})


class _Line:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._state = h2.connection.H2Connection()
        self._state.initiate_connection()

    def ask(self, stream: int, *, whole: bool) -> None:
        names = (":method", ":scheme", ":authority", ":path")
        self._state.send_headers(stream, list(zip(names, ("POST", "http", "a", "/x"), strict=True)), end_stream=whole)
        self._writer.write(self._state.data_to_send())

    def end(self, stream: int, data: bytes) -> None:
        self._state.send_data(stream, data, end_stream=True)
        self._writer.write(self._state.data_to_send())

    async def answered(self, stream: int) -> bool:
        """Waits for the end of a response; returns False if the connection ends first."""
        while data := await asyncio.wait_for(self._reader.read(65_536), HANGS):
            events = self._state.receive_data(data)
            self._writer.write(self._state.data_to_send())
            if any(isinstance(one, h2.events.StreamEnded) and one.stream_id == stream for one in events):
                return True
        return False


async def test_accepted_connection_is_served_at_shutdown() -> None:
    """A connection accepted by the kernel is served, because no other replica will answer its request (FD-12)."""
    port = free_port()
    async with _running(port, started=lambda: True) as server:
        await _call(port, b"")
        with socket.create_connection(("127.0.0.1", port)) as client:  # in this turn of the loop it is not accepted
            client.sendall(_asked(1))
            await server.close()
            said = _frames(client.recv(65_536))

    assert [frame.stream_id for frame in said if "END_STREAM" in frame.flags] == [1]


def _asked(stream: int) -> bytes:
    state = h2.connection.H2Connection()
    state.initiate_connection()
    names = (":method", ":scheme", ":authority", ":path")
    state.send_headers(stream, list(zip(names, ("POST", "http", "a", "/x"), strict=True)), end_stream=True)
    return state.data_to_send()


async def test_request_during_shutdown_is_answered() -> None:
    """A request on an open connection is answered, and GOAWAY is sent before the connection closes (FD-12)."""
    port = free_port()
    async with _running(port, started=lambda: True) as server:
        await _call(port, b"")
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        line = _Line(reader, writer)
        line.ask(1, whole=True)
        await line.answered(1)
        ending = asyncio.create_task(server.close())
        await asyncio.sleep(0)
        line.ask(3, whole=True)
        said = _frames(await asyncio.wait_for(reader.read(), HANGS))
        await ending
        writer.close()

    assert GoAwayFrame in [type(frame) for frame in said]
    assert [frame.stream_id for frame in said if "END_STREAM" in frame.flags] == [3]
    assert RstStreamFrame not in [type(frame) for frame in said]


def _frames(data: bytes) -> list[Frame]:
    frames = []
    while data:
        frame, length = Frame.parse_frame_header(memoryview(data[:9]))
        frame.parse_body(memoryview(data[9 : 9 + length]))
        frames.append(frame)
        data = data[9 + length :]
    return frames


@pytest.mark.usefixtures("without_lingering")
async def test_late_body_does_not_end_other_calls() -> None:
    """The gateway uses one connection for all callers, so a body sent after its response must not close it
    (RX-11, RX-12).
    """
    port = free_port()
    async with _running(port, started=lambda: True, app=_hasty):
        await _call_refused(port)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        line = _Line(reader, writer)
        line.ask(1, whole=False)
        line.ask(3, whole=True)
        first = await line.answered(3)
        line.end(1, b"late")
        line.ask(5, whole=True)
        second = await line.answered(5)
        writer.close()

    assert (first, second) == (True, True)


async def _call_refused(port: int) -> None:
    """Returns once the server listens and answers, although not to a gRPC client."""
    with pytest.raises(grpc.aio.AioRpcError):
        await _call(port, b"")


@pytest.mark.usefixtures("without_lingering")
async def test_upgrade_offer_is_ignored() -> None:
    """An HTTP/1.1 request with an Upgrade offer is answered over HTTP/1.1 on the same connection."""
    port = free_port()
    async with _running(port, started=lambda: True, app=_responding):
        await _call_refused(port)
        for offer, (verb, rest, end) in product(
            (b"h2c", b"websocket"),
            (
                (b"GET", b"\r\n", b"host:!"),
                (b"POST", b"Content-Length: 3\r\n\r\nabc", b"host content-length:abc!"),
            ),
        ):
            head = b"%s /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\n" % verb
            head += b"Upgrade: %s\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n" % offer
            with row(offer, verb):
                answers = await _answers(port, head + rest)
                assert [(answer[:13], answer[-len(end) :]) for answer in answers] == [(b"HTTP/1.1 200 ", end)] * 2


async def _answers(port: int, request: bytes) -> list[bytes]:
    """Sends a request twice on one connection; each answer ends with an exclamation mark."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answers = []
    for _ in range(2):
        writer.write(request)
        answers.append(await asyncio.wait_for(reader.readuntil(b"!"), HANGS))
    writer.close()
    return answers


async def _responding(scope: Scope, receive: Receive, send: Send) -> None:
    body = (await receive())["body"]
    said = b" ".join(name for name, _ in scope["headers"]) + b":" + body + b"!"
    length = (b"content-length", b"%d" % len(said))
    await send({"type": "http.response.start", "status": 200, "headers": [length]})
    await send({"type": "http.response.body", "body": said})
