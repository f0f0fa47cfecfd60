"""What projects kept when they were removed, in releases up to 0.3."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from portico_runtime.mongo.client import Database, guarded
from portico_runtime.mongo.migrations import Batch

from portico_users.administrators.changes import remove_member
from portico_users.administrators.member import MEMBERS
from portico_users.administrators.permissions import Scope
from portico_users.applications.store import APPS, remove_app
from portico_users.journal.journal import Journal
from portico_users.projects.store import PROJECTS
from portico_users.storage.entry import Document, Entry, Table
from portico_users.values.records import Record, State

_AT_ONCE: Final = 64


@dataclass(frozen=True, slots=True)
class _LeftOfProjects(ABC):
    """A `portico_runtime.mongo.migrations.Migration`. Replicas may run it concurrently."""

    database: Database
    journal: Journal
    table: ClassVar[Table[Record]]

    @abstractmethod
    def _left_of(self, removed: Sequence[str]) -> Document:
        """The database filter of what these projects kept."""

    @abstractmethod
    def _removal_of(self, row: Document) -> Entry[Record]: ...

    async def count_left(self) -> int:
        async with guarded():
            return await self.database[self.table.name].count_documents(await self._due())

    async def carry(self, after: str) -> Batch:
        async with guarded():
            question = {**await self._due(), "_id": {"$gt": after}}
            found = self.database[self.table.name].find(question).sort("_id", 1).limit(_AT_ONCE)
            rows = await found.to_list(_AT_ONCE)
        entries = [self._removal_of(row) for row in rows]
        if entries:
            await self.journal.commit(entries)
        return Batch(len(entries), 0, rows[-1]["_id"] if len(rows) == _AT_ONCE else None)

    async def _due(self) -> Document:
        return self._left_of(await self.database[PROJECTS.name].distinct("_id", {"state": State.DELETED.value}))


class LeftMembers(_LeftOfProjects):
    name: ClassVar[str] = "members-of-removed-projects"
    text: ClassVar[str] = "members of projects that were removed"
    table = MEMBERS

    def _left_of(self, removed: Sequence[str]) -> Document:
        return {"scope": Scope.PROJECT.value, "scopeId": {"$in": removed}, "state": {"$ne": State.DELETED.value}}

    def _removal_of(self, row: Document) -> Entry[Record]:
        return remove_member(MEMBERS.record(row))


class LeftApps(_LeftOfProjects):
    name: ClassVar[str] = "apps-of-removed-projects"
    text: ClassVar[str] = "applications of projects that were removed"
    table = APPS

    def _left_of(self, removed: Sequence[str]) -> Document:
        return {"projectId": {"$in": removed}, "listed": True}

    def _removal_of(self, row: Document) -> Entry[Record]:
        return remove_app(APPS.record(row))
