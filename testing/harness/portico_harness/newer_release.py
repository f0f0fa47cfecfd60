"""A service whose records were stored by a newer release (decision 0073)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from portico_runtime.mongo.client import Database
from portico_runtime.mongo.schema_version import COLLECTION
from portico_runtime.process.health import Health
from starlette.types import ASGIApp

from portico_harness.asgi_life import alive
from portico_harness.eventually import eventually

_SECONDS = 20.0


@asynccontextmanager
async def waiting_for_a_newer_release(
    app: ASGIApp, health: Health, database: Database, service: str
) -> AsyncIterator[None]:
    """Starts a service over records of a newer schema version; it waits during the ``with`` block and works at
    its end.

    Raises:
        AssertionError: it does not wait.
        TimeoutError: it does not start once the schema version matches.
    """
    forms = database[COLLECTION]
    await forms.replace_one({"_id": service}, {"form": 9, "readBy": 9}, upsert=True)
    works = asyncio.Event()
    starting = asyncio.create_task(_live(app, works))
    try:
        state = await eventually(health.state, lambda state: "newer release" in state["form"])
        assert "newer release" in state["form"], state
        yield
        assert not works.is_set()
    finally:
        await forms.delete_one({"_id": service})
    async with asyncio.timeout(_SECONDS):
        await starting
    assert works.is_set()


async def _live(app: ASGIApp, works: asyncio.Event) -> None:
    async with alive(app):
        works.set()
