from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Final, cast

import structlog
from hypercorn.app_wrappers import ASGIWrapper
from hypercorn.config import Config
from hypercorn.typing import ASGIFramework
from portico_contracts.gateway import SECONDS
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from portico_runtime.http_server.draining_server import BACKLOG, waiting_at
from portico_runtime.http_server.http2_connections import Http2Connections
from portico_runtime.settings.sections.service import ServiceSection

log = structlog.get_logger("portico.http2")

_POLL: Final = 0.02
_MAX_BODY: Final = 4 * 1024 * 1024


class Http2Server:
    def __init__(
        self,
        app: ASGIApp,
        settings: ServiceSection,
        port: int,
        *,
        started: Callable[[], bool],
        fail: Callable[[], None],
    ) -> None:
        """Starts once `started` is true; `fail` is called when it ends by itself (a port in use)."""
        self._address = (settings.host, port)
        self._connections = Http2Connections(
            ASGIWrapper(cast("ASGIFramework", _with_whole_bodies(app))), http2_config(settings)
        )
        self._started = started
        self._fail = fail
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._task = asyncio.create_task(self._serve())

    async def close(self) -> None:
        self._stop.set()
        if self._task:
            await asyncio.gather(self._task, return_exceptions=True)

    async def _serve(self) -> None:
        while not self._started():
            if self._stop.is_set():
                return
            await asyncio.sleep(_POLL)
        family = socket.AF_INET6 if ":" in self._address[0] else socket.AF_INET
        both = family is socket.AF_INET6 and socket.has_dualstack_ipv6()  # as uvicorn's port
        try:
            listener = socket.create_server(self._address, family=family, backlog=BACKLOG, dualstack_ipv6=both)
        except OSError as error:
            log.error("the port for gRPC cannot be used", cause=str(error))
            self._fail()
            return
        server = await asyncio.start_server(self._connections.serve, sock=listener, backlog=BACKLOG)
        await self._stop.wait()
        taken = list(waiting_at(listener))
        server.close()
        for connection in taken:
            self._connections.serve(*await asyncio.open_connection(sock=connection))
        await self._connections.end()


def http2_config(settings: ServiceSection) -> Config:
    config = Config()
    config.accesslog = config.errorlog = None
    config.include_server_header = False
    config.graceful_timeout = max(1.0, settings.drain_seconds)
    config.keep_alive_timeout = SECONDS.proxy
    config.keep_alive_max_requests = 100_000
    config.h2_max_concurrent_streams = 100
    config.h2_max_header_list_size = 64 * 1024
    config.read_timeout = 60
    return config


def _with_whole_bodies(app: ASGIApp) -> ASGIApp:
    async def call(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await app(scope, await _with_whole_body(receive), send)

    return call


async def _with_whole_body(receive: Receive) -> Receive:
    """Reads the whole body before the application can respond.

    Data for a stream that was answered already makes Hypercorn close the whole connection with all its calls,
    and the gateway uses one connection for all. Data over the limit is discarded; the application rejects the
    request.
    """
    body = bytearray()
    message = await receive()
    while message["type"] == "http.request":
        body += message.get("body", b"")[: max(0, _MAX_BODY - len(body))]
        if not message.get("more_body", False):
            break
        message = await receive()
    first: list[Message] = [message if message["type"] != "http.request" else {**message, "body": bytes(body)}]

    async def again() -> Message:
        return first.pop() if first else await receive()

    return again
