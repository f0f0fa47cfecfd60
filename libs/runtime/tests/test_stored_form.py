"""Releases beside and after each other: each knows whether it can work with what is stored (decision 0073, FD-28)."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from typing import Any

import pytest
from portico_harness.eventually import HANGS, eventually
from portico_harness.servers import RunningMongo
from portico_runtime.health import NotReady
from portico_runtime.mongo import MongoClient
from portico_runtime.stored_form import COLLECTION, Form, StoredForm

pytestmark = pytest.mark.servers

FIRST = Form(writes=1, reads=1, read_by=1)
SECOND = Form(writes=2, reads=1, read_by=1)
"""It adds something that the first release passes over."""
THIRD = Form(writes=3, reads=2, read_by=3)
"""It breaks with the first two: neither reads what it writes."""


class Records:
    """The records of one service."""

    def __init__(self, client: MongoClient) -> None:
        self._client = client
        self._service = secrets.token_hex(6)

    def release(self, form: Form) -> StoredForm:
        """A release that starts."""
        return StoredForm(self._client.database, self._service, form)

    async def set(self, **members: Any) -> None:
        """Changes what is noted."""
        await self._client.database[COLLECTION].update_one({"_id": self._service}, {"$set": members}, upsert=True)

    async def note(self) -> dict[str, Any] | None:
        """What is noted."""
        found = await self._client.database[COLLECTION].find_one({"_id": self._service}, {"_id": 0})
        return dict(found) if found else None


@pytest.fixture(name="stored")
async def _stored(mongo_server: RunningMongo) -> AsyncIterator[Records]:
    client = MongoClient(mongo_server.section("users"), "users")
    yield Records(client)
    await client.close()


async def start(release: StoredForm) -> None:
    """Starts a release that may work."""
    async with asyncio.timeout(HANGS):
        await release.start()
    await release.check()


async def waits(release: StoredForm) -> str:
    """Why a release does not begin to work."""
    starting = asyncio.create_task(release.start())

    async def reason() -> str:
        with pytest.raises(NotReady) as refused:
            await release.check()
        return str(refused.value)

    found = await eventually(reason, lambda reason: "not known" not in reason)
    assert not starting.done()
    starting.cancel()
    return found


async def test_releases_run_side_by_side(stored: Records) -> None:
    """A release that only adds notes its form; the one before goes on, is started again, and takes nothing back."""
    await start(stored.release(FIRST))
    assert await stored.note() == {"form": 1, "readBy": 1}
    await start(stored.release(SECOND))
    await start(stored.release(FIRST))

    assert await stored.note() == {"form": 2, "readBy": 1}


async def test_a_release_that_cannot_read_waits(stored: Records) -> None:
    """The release before the break is not ready and states why, and notes nothing; the one after it works."""
    await start(stored.release(SECOND))
    await start(stored.release(THIRD))

    assert "newer release wrote records of schema version 3" in await waits(stored.release(SECOND))
    assert await stored.note() == {"form": 3, "readBy": 3}


async def test_a_release_cannot_be_left_out(stored: Records) -> None:
    """Records that are too old for a release are not touched by it: the release between comes first."""
    await start(stored.release(FIRST))

    assert "upgrade to a release in between first" in await waits(stored.release(THIRD))
    assert await stored.note() == {"form": 1, "readBy": 1}
    await start(stored.release(SECOND))
    await start(stored.release(THIRD))


async def test_half_a_backup_is_not_worked_with(stored: Records) -> None:
    """While a backup is put back, and after that was broken off, no release begins to work; it does once it is complete."""
    await stored.set(restoring=True)

    assert "a restore is in progress" in await waits(stored.release(FIRST))
    await stored.set(restoring=False)
    await start(stored.release(FIRST))


async def test_a_store_that_is_away_is_waited_for(mongo_server: RunningMongo, stored: Records) -> None:
    """The service starts without it, is not ready, and is ready once the store answered."""
    client = MongoClient(mongo_server.section("users", timeout=0.3), "users")
    release = StoredForm(client.database, stored._service, FIRST)
    await asyncio.to_thread(mongo_server.pause)
    try:
        await release.start()
        with pytest.raises(NotReady, match="not known"):
            await release.check()
    finally:
        await asyncio.to_thread(mongo_server.resume)
    await eventually(stored.note, bool)
    await release.close()
    await client.close()
