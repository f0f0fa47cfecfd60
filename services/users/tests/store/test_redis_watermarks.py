"""Stored watermarks of Redis for other services, which only grow (decision 0065)."""

from __future__ import annotations

import secrets
from typing import Any

import pytest
from portico_contracts.users.redis_watermarks import RecallWatermarks, RememberWatermarks, Watermarks
from portico_users.kernel.redis_watermarks import RedisWatermarks

pytestmark = pytest.mark.servers


async def test_largest_watermark_is_stored(users_mongo: Any) -> None:
    """Reports of several replicas may arrive in any order; a lower one changes nothing, and each service has
    separate watermarks.
    """
    marks, service = RedisWatermarks(users_mongo.database), secrets.token_hex(4)
    for found in ({"ab": 7, "cd": 3_000_000_000_001}, {"ab": 5, "cd": 9}, {"ef": 1}, {}):
        await marks.remember(RememberWatermarks(service=service, marks=found))
    await marks.remember(RememberWatermarks(service=f"other-{service}", marks={"ab": 99}))

    assert await marks.recall(RecallWatermarks(service=service)) == Watermarks(
        marks={"ab": 7, "cd": 3_000_000_000_001, "ef": 1}
    )
    assert all(type(mark) is int for mark in (await marks.recall(RecallWatermarks(service=service))).marks.values())
    assert await marks.recall(RecallWatermarks(service=f"unknown-{service}")) == Watermarks()
