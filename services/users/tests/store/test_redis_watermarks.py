"""Stored watermarks of Redis for other services, which only grow (decision 0065)."""

from __future__ import annotations

import secrets
from typing import Any

import pytest
from portico_contracts.users.redis_watermarks import RecallWatermarks, RememberWatermarks, Watermarks
from portico_fakes.wrong_clock import SkewedReplica
from portico_runtime.process.clock_guard import MAX_DIFFERENCE
from portico_users.redis_watermarks import RedisWatermarks

pytestmark = pytest.mark.servers


@pytest.fixture(name="replica")
def _replica() -> SkewedReplica:
    return SkewedReplica()


async def test_largest_watermark_is_stored(users_mongo: Any, replica: SkewedReplica) -> None:
    """Reports of several replicas may arrive in any order; a lower one changes nothing, and each service has
    separate watermarks.
    """
    marks, service = RedisWatermarks(users_mongo.database, replica.guard), secrets.token_hex(4)
    await replica.skew(MAX_DIFFERENCE + 1)  # the replies have no time
    for found in ({"ab": 7, "cd": 3_000_000_000_001}, {"ab": 5, "cd": 9}, {"ef": 1}, {}):
        await marks.remember(RememberWatermarks(service=service, marks=found))
    await marks.remember(RememberWatermarks(service=f"other-{service}", marks={"ab": 99}))

    assert await marks.recall(RecallWatermarks(service=service)) == Watermarks(
        marks={"ab": 7, "cd": 3_000_000_000_001, "ef": 1}
    )
    assert all(type(mark) is int for mark in (await marks.recall(RecallWatermarks(service=service))).marks.values())
    assert await marks.recall(RecallWatermarks(service=f"unknown-{service}")) == Watermarks()


async def test_replies_have_the_time(users_mongo: Any, replica: SkewedReplica) -> None:
    """A replica whose clock differs from MongoDB's does not send its time."""
    marks, service = RedisWatermarks(users_mongo.database, replica.guard), secrets.token_hex(4)
    seen = []
    for skew in (0, MAX_DIFFERENCE + 1):
        await replica.skew(skew)
        seen.append((await marks.recall(RecallWatermarks(service=service))).now)
        seen.append((await marks.remember(RememberWatermarks(service=service))).now)

    assert seen == [replica.store.now(), replica.store.now(), 0, 0]
