"""uvicorn that ends without losing a request which has reached it (FD-12).

A client notices that a replica ends when its port refuses, and connects to another one. What was sent before that is
ours to answer: uvicorn itself throws away connections that the kernel has accepted and it has not, and requests that
arrived on a kept connection and were not read yet. `BoundedHttp.shutdown` sees to the kept connections.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

import structlog
import uvicorn

from portico_runtime.bounded_http import BoundedHttp

log = structlog.get_logger("portico.service")

BACKLOG: Final = 2048
"""Connections the kernel accepts before we do."""

_START_SECONDS: Final = 1.0
"""How long a server that must end waits for a part that is still starting, such as one that waits for another release."""

_DATE_SECONDS: Final = 1.0
"""How often the Date of answers is set."""


class DrainingServer(uvicorn.Server):
    """One port of a process, served with the socket it listens on: ``serve([config.bind_socket()])``."""

    def __init__(self, config: uvicorn.Config) -> None:
        self._ending = asyncio.Event()
        super().__init__(config)
        self.ends_first: list[Callable[[], Awaitable[None]]] = []
        """What has to end before the application's parts do, for example another port."""

    @property
    def should_exit(self) -> bool:
        """The server ends, or has ended; setting it ends the server at once."""
        return self._ending.is_set()

    @should_exit.setter
    def should_exit(self, value: bool) -> None:
        if value:
            self._ending.set()
        else:
            self._ending.clear()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts the application's parts and listens; without that it returns when the server must end and a part does not start."""
        ending: asyncio.Task[None] | None = None
        try:
            async with asyncio.timeout(None) as limit:
                ending = asyncio.create_task(self._give_up(limit))
                await super().startup(sockets)
        except TimeoutError:
            if not limit.expired():
                raise
            log.warning("stopped before startup finished")
        finally:
            if ending:
                ending.cancel()

    async def _give_up(self, limit: asyncio.Timeout) -> None:
        await self._ending.wait()
        limit.reschedule(asyncio.get_running_loop().time() + _START_SECONDS)

    async def main_loop(self) -> None:
        """Waits for the end, and sets the Date of answers.

        uvicorn looks ten times a second whether it should end, on each port of each replica: a process that wakes up
        has lost its caches, so that most of what an idle replica cost were these looks.
        """
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                async with asyncio.timeout(_DATE_SECONDS):
                    await self._ending.wait()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Captures none: two servers share one process, and it sees to them."""
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Refuses new connections, takes those that were made before, and ends them all in order."""
        taken = [connection for listener in sockets or [] for connection in waiting_at(listener)]
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        await self._serve_connections(taken)
        for end in self.ends_first:
            await end()
        await super().shutdown(sockets)

    async def _serve_connections(self, taken: Sequence[socket.socket]) -> None:
        loop = asyncio.get_running_loop()
        for connection in taken:
            await loop.connect_accepted_socket(self._last_request, connection)

    def _last_request(self) -> BoundedHttp:
        protocol = BoundedHttp(self.config, self.server_state, self.lifespan.state)
        protocol.shutdown()
        return protocol


def waiting_at(listener: socket.socket) -> Iterator[socket.socket]:
    """The connections that wait to be accepted."""
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:  # none is left; or the listener is closed
            return
        connection.settimeout(0)
        yield connection
