"""A relying party for the tests, in this process."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from starlette.types import ASGIApp


class _Server(uvicorn.Server):
    """uvicorn that leaves the signals to the test run."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def serving(app: ASGIApp, listener: socket.socket) -> AsyncIterator[None]:
    """Serves a relying party on the running loop until the block ends, and closes the listener."""
    server = _Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
    with listener:
        task = asyncio.create_task(server.serve([listener]))
        try:
            yield
        finally:
            server.should_exit = server.force_exit = True
            await task
