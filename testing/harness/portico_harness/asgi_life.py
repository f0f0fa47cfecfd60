from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.types import ASGIApp

from portico_harness.eventually import HANGS


@asynccontextmanager
async def alive(app: ASGIApp) -> AsyncIterator[None]:
    to_app: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    from_app: asyncio.Queue[Any] = asyncio.Queue()
    running = asyncio.create_task(_run(app, to_app, from_app))
    await _step(to_app, from_app, "startup")
    try:
        yield
    finally:
        await _step(to_app, from_app, "shutdown")
        await running


async def _run(app: ASGIApp, to_app: asyncio.Queue[dict[str, Any]], from_app: asyncio.Queue[Any]) -> None:
    await app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, to_app.get, from_app.put)


async def _step(to_app: asyncio.Queue[dict[str, Any]], from_app: asyncio.Queue[Any], name: str) -> None:
    await to_app.put({"type": f"lifespan.{name}"})
    async with asyncio.timeout(HANGS):
        answer = await from_app.get()
    if answer["type"] != f"lifespan.{name}.complete":
        raise RuntimeError(answer.get("message", answer["type"]))
