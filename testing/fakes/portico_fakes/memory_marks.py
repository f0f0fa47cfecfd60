from __future__ import annotations

from portico_contracts.users.redis_marks import (
    RECALL_MARKS,
    REMEMBER_MARKS,
    Marks,
    MarksRemembered,
    RecallMarks,
    RememberMarks,
)
from portico_runtime.bus import Bus


class MemoryMarks:
    def __init__(self, bus: Bus) -> None:
        self.marks: dict[str, dict[str, int]] = {}
        bus.respond(REMEMBER_MARKS, self.remember)
        bus.respond(RECALL_MARKS, self.recall)

    async def remember(self, request: RememberMarks) -> MarksRemembered:
        known = self.marks.setdefault(request.service, {})
        known |= {bucket: max(mark, known.get(bucket, 0)) for bucket, mark in request.marks.items()}
        return MarksRemembered()

    async def recall(self, request: RecallMarks) -> Marks:
        return Marks(marks=dict(self.marks.get(request.service, {})))
