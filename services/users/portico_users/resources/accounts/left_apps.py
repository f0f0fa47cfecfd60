"""Applications that projects kept when they were removed, in releases up to 0.3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from portico_runtime.migrations import Batch
from portico_runtime.mongo import Database, guarded

from portico_users.kernel.entry import Document
from portico_users.kernel.journal import Journal
from portico_users.kernel.records import State
from portico_users.resources.apps.store import APPS, remove_app
from portico_users.resources.projects.store import PROJECTS

_AT_ONCE: Final = 64


@dataclass(frozen=True, slots=True)
class LeftApps:
    """A `portico_runtime.migrations.Migration`. Replicas may run it concurrently."""

    database: Database
    journal: Journal
    name: ClassVar[str] = "apps-of-removed-projects"
    text: ClassVar[str] = "applications of projects that were removed"

    async def count_left(self) -> int:
        async with guarded():
            return await self.database[APPS.name].count_documents(await self._due())

    async def carry(self, after: str) -> Batch:
        async with guarded():
            question = {**await self._due(), "_id": {"$gt": after}}
            rows = await self.database[APPS.name].find(question).sort("_id", 1).limit(_AT_ONCE).to_list(_AT_ONCE)
        entries = [remove_app(APPS.record(row)) for row in rows]
        if entries:
            await self.journal.commit(entries)
        return Batch(len(entries), 0, rows[-1]["_id"] if len(rows) == _AT_ONCE else None)

    async def _due(self) -> Document:
        removed = await self.database[PROJECTS.name].distinct("_id", {"state": State.DELETED.value})
        return {"projectId": {"$in": removed}, "listed": True}
