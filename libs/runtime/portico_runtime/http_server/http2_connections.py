"""The HTTP/2 connections of one port, served by Hypercorn and closed without losing a call (FD-12).

Hypercorn's own server resets calls that arrive after the shutdown signal, and clients do not repeat those.
Here clients receive GOAWAY first (RFC 9113, 6.8): they connect elsewhere, and their open requests are
answered.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import h11
from hypercorn.asyncio.tcp_server import TCPServer
from hypercorn.asyncio.worker_context import WorkerContext
from hypercorn.config import Config
from hypercorn.protocol import ProtocolWrapper
from hypercorn.protocol.h2 import H2Protocol
from hypercorn.protocol.h11 import H11Protocol
from hypercorn.typing import AppWrapper
from hyperframe.frame import GoAwayFrame

from portico_runtime.http_server.bounded_http import LINGER_SECONDS
from portico_runtime.http_server.ignored_upgrade import without_upgrade

_GOAWAY: Final = GoAwayFrame(last_stream_id=2**31 - 1).serialize()
"""No new calls on this connection; those in progress will be answered."""


class Http2Connections:
    def __init__(self, app: AppWrapper, config: Config) -> None:
        self._app = app
        self._config = config
        self._context = WorkerContext(None)
        self._open: dict[asyncio.Task[None], _Connection] = {}

    def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = _Connection(self._app, asyncio.get_running_loop(), self._config, self._context, {}, reader, writer)
        task = asyncio.create_task(connection.run())
        self._open[task] = connection
        task.add_done_callback(self._open.pop)

    async def end(self) -> None:
        """Sends GOAWAY to all clients, answers open requests, and closes within the configured time."""
        for connection in self._open.values():
            connection.send_goaway()
        await self._wait(LINGER_SECONDS)
        await self._context.terminated.set()
        await self._wait(self._config.graceful_timeout)
        for task in self._open:
            task.cancel()

    async def _wait(self, seconds: float) -> None:
        if self._open:
            await asyncio.wait(self._open, timeout=seconds)


class _Connection(TCPServer):
    _protocol: ProtocolWrapper

    @property
    def protocol(self) -> ProtocolWrapper:
        return self._protocol

    @protocol.setter
    def protocol(self, made: ProtocolWrapper) -> None:
        if isinstance(made.protocol, H11Protocol):
            made.protocol.connection = _NoOffers(
                h11.SERVER, max_incomplete_event_size=self.config.h11_max_incomplete_size
            )
        self._protocol = made

    def send_goaway(self) -> None:
        begun = getattr(self, "_protocol", None)
        if begun and isinstance(begun.protocol, H2Protocol):
            # Frames are written whole; nothing waits for a client that does not read.
            self.writer.write(_GOAWAY)


class _NoOffers(h11.Connection):
    """HTTP/1.1 without upgrades; otherwise Hypercorn would switch to HTTP/2 or WebSocket."""

    def next_event(self) -> Any:
        event = super().next_event()
        if not isinstance(event, h11.Request):
            return event
        return h11.Request(
            method=event.method,
            target=event.target,
            headers=without_upgrade(event.headers),
            http_version=event.http_version,
        )
