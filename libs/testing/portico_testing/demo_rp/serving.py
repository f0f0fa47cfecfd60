"""A relying party for one test, in this process."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn

from portico_testing.demo_rp.app import create_app
from portico_testing.demo_rp.settings import DemoRpSettings


class _Server(uvicorn.Server):
    """uvicorn that leaves the signals to the test run."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def serving(settings: DemoRpSettings) -> AsyncIterator[DemoRpSettings]:
    """Serves a relying party on the running loop until the block ends."""
    server = _Server(uvicorn.Config(create_app(settings), log_level="warning", lifespan="off"))
    with socket.create_server((settings.host, settings.port)) as listener:
        task = asyncio.create_task(server.serve([listener]))
        try:
            yield settings
        finally:
            server.should_exit = server.force_exit = True
            await task
