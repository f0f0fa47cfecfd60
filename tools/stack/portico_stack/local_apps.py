"""The demo application and the mail catcher of `portico up` in one process.

python -m portico_stack.local_apps DEMO-PORT [SMTP-PORT HTTP-PORT DIRECTORY HTTP-HOST]; 0 for no demo

The demo's libraries take more memory than all others here, so they are imported at its first request. Its settings
are in the environment.
"""

from __future__ import annotations

import asyncio
import importlib
import signal
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import uvicorn
from portico_runtime.http_server.quiet_server import QuietServer
from starlette.types import ASGIApp, Receive, Scope, Send

from portico_stack.mail_catcher.server import catching

_HOST: Final = "127.0.0.1"


class CreatedAtFirstRequest:
    """An ASGI application without lifespan."""

    def __init__(self, create: Callable[[], ASGIApp]) -> None:
        self._create = create
        self._app: ASGIApp | None = None
        self._creating = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._creating:
            if self._app is None:
                self._app = await asyncio.to_thread(self._create)
        await self._app(scope, receive, send)


def _create_demo() -> ASGIApp:
    settings = importlib.import_module("portico_demo_rp.settings").DemoRpSettings()
    app: ASGIApp = importlib.import_module("portico_demo_rp.app").create_app(settings)
    return app


async def main(demo_port: int, *mail: str) -> None:
    async with AsyncExitStack() as stack:
        servers = [_server(CreatedAtFirstRequest(_create_demo), _HOST, demo_port)] if demo_port else []
        if mail:
            smtp_port, http_port, directory, http_host = mail
            pages = await stack.enter_async_context(catching(Path(directory), int(smtp_port), _HOST))
            servers.append(_server(pages, http_host, int(http_port)))
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, _end, servers)
        await asyncio.gather(*(server.serve() for server in servers))


def _server(app: ASGIApp, host: str, port: int) -> QuietServer:
    config = uvicorn.Config(
        app, host=host, port=port, lifespan="off", log_level="warning", timeout_graceful_shutdown=1, date_header=False
    )
    return QuietServer(config, ends_at_signals=False)


def _end(servers: list[QuietServer]) -> None:
    for server in servers:
        server.should_exit = True


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), *sys.argv[2:]))
