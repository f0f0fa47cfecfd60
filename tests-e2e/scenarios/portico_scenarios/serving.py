"""A relying party for the tests, in this process."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from starlette.types import ASGIApp


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def serving(app: ASGIApp, listener: socket.socket) -> AsyncIterator[None]:
    server = _Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
    with listener:
        task = asyncio.create_task(server.serve([listener]))
        try:
            yield
        finally:
            server.should_exit = server.force_exit = True
            await task
