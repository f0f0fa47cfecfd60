"""A service starts to listen once it is ready, so that a starting replica is not selected too early (FD-12)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from portico_runtime.process.health import Health, is_ready

AT_MOST: Final = 3.0
"""Maximum seconds to wait. Afterwards the service listens anyway and answers 503 itself."""

_POLL: Final = 0.02


class StartupGate:
    def __init__(self, app: ASGIApp, health: Health, *, stopping: Callable[[], bool], at_most: float = AT_MOST) -> None:
        """Waits for `health` at most `at_most` seconds, or until `stopping`."""
        self._app = app
        self._health = health
        self._stopping = stopping
        self._at_most = at_most

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] != "lifespan":
            return self._app(scope, receive, send)

        async def send_when_ready(message: Message) -> None:
            if message["type"] == "lifespan.startup.complete":
                await self._wait()
            await send(message)

        return self._app(scope, receive, send_when_ready)

    async def _wait(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._at_most):
                while True:
                    states = await self._health.state()
                    if self._stopping() or is_ready(states):
                        return
                    await asyncio.sleep(_POLL)
