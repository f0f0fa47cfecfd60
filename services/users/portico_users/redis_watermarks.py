"""Watermarks of Redis reported by other services, to detect a rollback of Redis (decision 0065)."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from portico_contracts.users.redis_watermarks import (
    RecallWatermarks,
    RememberWatermarks,
    Watermarks,
    WatermarksRemembered,
)
from portico_oauth.errors import ServiceError
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock_guard import ClockGuard

from portico_users.storage.entry import Document

COLLECTION: Final = "redis_marks"


class RedisWatermarks:
    """One document per service; watermarks only grow.

    The replies have the time, for services that cannot ask MongoDB (decision 0091).
    """

    def __init__(self, database: Database, guard: ClockGuard) -> None:
        self._marks = database[COLLECTION]
        self._guard = guard

    async def remember(self, request: RememberWatermarks) -> WatermarksRemembered:
        if request.marks:
            largest = {f"marks.{bucket}": mark for bucket, mark in request.marks.items()}
            async with guarded():
                await self._marks.update_one({"_id": request.service}, {"$max": largest}, upsert=True)
        return WatermarksRemembered(now=self._now())

    async def recall(self, request: RecallWatermarks) -> Watermarks:
        async with guarded():
            found: Document = await self._marks.find_one({"_id": request.service}) or {}
        return Watermarks(marks={bucket: int(mark) for bucket, mark in found.get("marks", {}).items()}, now=self._now())

    def _now(self) -> float:
        with suppress(ServiceError):
            return self._guard.now()
        return 0.0
