from __future__ import annotations

from portico_contracts.users.redis_watermarks import (
    RECALL_MARKS,
    REMEMBER_MARKS,
    RecallWatermarks,
    RememberWatermarks,
    Watermarks,
    WatermarksRemembered,
)
from portico_runtime.bus.bus import Bus


class MemoryWatermarks:
    def __init__(self, bus: Bus) -> None:
        self.marks: dict[str, dict[str, int]] = {}
        self.now = 0.0
        """Time in the replies."""
        bus.respond(REMEMBER_MARKS, self.remember)
        bus.respond(RECALL_MARKS, self.recall)

    async def remember(self, request: RememberWatermarks) -> WatermarksRemembered:
        known = self.marks.setdefault(request.service, {})
        known |= {bucket: max(mark, known.get(bucket, 0)) for bucket, mark in request.marks.items()}
        return WatermarksRemembered(now=self.now)

    async def recall(self, request: RecallWatermarks) -> Watermarks:
        return Watermarks(marks=dict(self.marks.get(request.service, {})), now=self.now)
