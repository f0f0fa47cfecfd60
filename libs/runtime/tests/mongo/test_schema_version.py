"""Tests of schema versions: each release detects whether it can work with the stored records (decision 0073, FD-28)."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from typing import Any

import pytest
from portico_harness.eventually import HANGS, eventually
from portico_harness.servers import RunningMongo
from portico_runtime.mongo.client import MongoClient
from portico_runtime.mongo.schema_version import COLLECTION, SchemaVersion, StoredSchema
from portico_runtime.process.health import NotReady

pytestmark = pytest.mark.servers

FIRST = SchemaVersion(writes=1, reads=1, read_by=1)
SECOND = SchemaVersion(writes=2, reads=1, read_by=1)
"""Adds something that the first release ignores."""
THIRD = SchemaVersion(writes=3, reads=2, read_by=3)
"""Incompatible with the first two: neither reads what it writes."""


class Records:
    def __init__(self, client: MongoClient) -> None:
        self._client = client
        self._service = secrets.token_hex(6)

    def release(self, form: SchemaVersion) -> StoredSchema:
        """Returns a starting release with this schema version."""
        return StoredSchema(self._client.database, self._service, form)

    async def set(self, **members: Any) -> None:
        await self._client.database[COLLECTION].update_one({"_id": self._service}, {"$set": members}, upsert=True)

    async def note(self) -> dict[str, Any] | None:
        found = await self._client.database[COLLECTION].find_one({"_id": self._service}, {"_id": 0})
        return dict(found) if found else None


@pytest.fixture(name="stored")
async def _stored(mongo_server: RunningMongo) -> AsyncIterator[Records]:
    client = MongoClient(mongo_server.section("users"), "users")
    yield Records(client)
    await client.close()


async def start(release: StoredSchema) -> None:
    async with asyncio.timeout(HANGS):
        await release.start()
    await release.check()


async def waits(release: StoredSchema) -> str:
    """Returns why a release does not start."""
    starting = asyncio.create_task(release.start())

    async def reason() -> str:
        with pytest.raises(NotReady) as refused:
            await release.check()
        return str(refused.value)

    found = await eventually(reason, lambda reason: "not known" not in reason)
    assert not starting.done()
    starting.cancel()
    return found


async def test_compatible_releases_run_side_by_side(stored: Records) -> None:
    """A release that only adds fields records its schema version, and the previous one can still restart."""
    await start(stored.release(FIRST))
    assert await stored.note() == {"form": 1, "readBy": 1}
    await start(stored.release(SECOND))
    await start(stored.release(FIRST))

    assert await stored.note() == {"form": 2, "readBy": 1}


async def test_release_that_cannot_read_the_records_waits(stored: Records) -> None:
    """The older release is unready with a reason and records nothing, while the newer one works."""
    await start(stored.release(SECOND))
    await start(stored.release(THIRD))

    assert "newer release wrote records of schema version 3" in await waits(stored.release(SECOND))
    assert await stored.note() == {"form": 3, "readBy": 3}


async def test_release_cannot_be_skipped(stored: Records) -> None:
    """Records that are too old for a release are not touched, because an intermediate release must migrate them
    first.
    """
    await start(stored.release(FIRST))

    assert "upgrade to a release in between first" in await waits(stored.release(THIRD))
    assert await stored.note() == {"form": 1, "readBy": 1}
    await start(stored.release(SECOND))
    await start(stored.release(THIRD))


async def test_incomplete_restore_is_not_used(stored: Records) -> None:
    """While a backup is being restored, or after an aborted restore, no release starts."""
    await stored.set(restoring=True)

    assert "a restore is in progress" in await waits(stored.release(FIRST))
    await stored.set(restoring=False)
    await start(stored.release(FIRST))


async def test_unavailable_store_is_waited_for(mongo_server: RunningMongo, stored: Records) -> None:
    client = MongoClient(mongo_server.section("users", timeout=0.3), "users")
    release = StoredSchema(client.database, stored._service, FIRST)
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
