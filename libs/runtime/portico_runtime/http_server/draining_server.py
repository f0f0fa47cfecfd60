"""A uvicorn server that shuts down without losing received requests (FD-12).

A client notices a stopping replica when its port refuses connections, and connects to another one; requests
sent before must be answered. uvicorn itself discards connections that the kernel has accepted and it has not,
and unread requests on keep-alive connections. `BoundedHttp.shutdown` handles the keep-alive connections.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Final

import structlog
import uvicorn.config

from portico_runtime.http_server.bounded_http import BoundedHttp
from portico_runtime.http_server.quiet_server import QuietServer

log = structlog.get_logger("portico.service")

# uvicorn's lifespan imports it from the package, which would load everything in it (decision 0044).
vars(uvicorn)["Config"] = uvicorn.config.Config

BACKLOG: Final = 2048

_START_SECONDS: Final = 1.0
"""How long a stopping server waits for a component that is still starting, for example one that waits for
another release.
"""


class DrainingServer(QuietServer):
    """One port of a process, served with a listening socket: ``serve([config.bind_socket()])``."""

    def __init__(self, config: uvicorn.config.Config) -> None:
        super().__init__(config, ends_at_signals=False)
        self.ends_first: list[Callable[[], Awaitable[None]]] = []
        """Stopped before the components of the application, for example another port."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
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

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
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
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:  # none is left; or the listener is closed
            return
        connection.settimeout(0)
        yield connection
