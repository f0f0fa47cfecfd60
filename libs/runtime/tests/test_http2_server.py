"""The second port: HTTP/2 without TLS and with trailers, started after the first port and ended with it."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc
import pytest
from portico_runtime.http2_server import Http2Server
from portico_runtime.settings import ServiceSection
from starlette.types import Receive, Scope, Send


async def _echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers a unary gRPC call with the bytes it was sent, and the status in trailers."""
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


def _port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def _call(port: int, data: bytes) -> bytes:
    options = [("grpc.enable_http_proxy", 0)]
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=options) as channel:
        call: Any = channel.unary_unary("/a.Service/Method")
        answer: bytes = await call(data, timeout=5, wait_for_ready=True)
        return answer


@contextlib.asynccontextmanager
async def _running(
    port: int, *, started: Callable[[], bool], fail: Callable[[], None] = lambda: None
) -> AsyncIterator[Http2Server]:
    settings = ServiceSection(drain_seconds=1)
    server = Http2Server(_echo, settings, port, started=started, fail=fail)
    await server.start()
    try:
        yield server
    finally:
        await server.close()


async def test_grpc_is_answered_with_trailers() -> None:
    """What an ordinary gRPC client needs."""
    port = _port()
    async with _running(port, started=lambda: True):
        answer = await _call(port, b"hello")

    assert answer == b"hello"


async def test_it_listens_only_once_the_first_port_does() -> None:
    """A replica that starts is not chosen too early (FD-12)."""
    port, ready = _port(), asyncio.Event()
    async with _running(port, started=ready.is_set):
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port)
        ready.set()
        answer = await _call(port, b"now")

    assert answer == b"now"


async def test_a_taken_port_ends_the_service() -> None:
    """Somebody is told, so that the process ends instead of serving half of what it should."""
    failed = asyncio.Event()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        async with _running(taken.getsockname()[1], started=lambda: True, fail=failed.set):
            await asyncio.wait_for(failed.wait(), 5)

    assert failed.is_set()
