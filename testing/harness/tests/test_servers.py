"""The servers of the test run."""

from __future__ import annotations

from typing import Any

import pytest
from portico_harness.servers import RunningMongo
from portico_stack.servers.mongo import ADMIN
from pymongo import AsyncMongoClient

pytestmark = pytest.mark.servers


async def test_mongo_forgets_nothing_by_its_own_clock(mongo_server: RunningMongo) -> None:
    """What a test stores for an hour of its frozen clock is there as long as the test takes."""
    client: AsyncMongoClient[dict[str, Any]] = AsyncMongoClient(
        mongo_server.url, username=ADMIN, password=mongo_server.password(ADMIN)
    )
    async with client:
        answer = await client.admin.command({"getParameter": 1, "ttlMonitorEnabled": 1})

    assert answer["ttlMonitorEnabled"] is False
