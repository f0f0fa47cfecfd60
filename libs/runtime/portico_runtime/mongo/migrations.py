"""Long-running changes of stored records, in batches, while services of both releases run (decision 0078).

Due records are found by their old schema, so the records themselves are the progress: an aborted run restarts
and finds the remaining ones. Every write names the schema it replaces, so a concurrent change is not
overwritten and the record is found again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, Protocol

from motor.motor_asyncio import AsyncIOMotorCollection
from portico_contracts.migrations import BatchMigrated, ListMigrations, MigrateBatch, MigrationState, MigrationStates
from pymongo import UpdateOne

from portico_runtime.mongo.client import guarded
from portico_runtime.mongo.schema_version import StoredSchema

PORTION: Final = 500

Collection = AsyncIOMotorCollection[dict[str, Any]]


class Batch(NamedTuple):
    changed: int
    failed: int
    after: str | None


class Migration(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def text(self) -> str: ...

    async def count_left(self) -> int: ...

    async def carry(self, after: str) -> Batch:
        """Rewrites the next records in the order of their ids. Raises `unavailable`; completed writes remain."""
        ...


@dataclass(frozen=True, slots=True)
class Migrations:
    """`form` is the schema version of the records, None without one; `migrations` is in execution order."""

    form: StoredSchema | None
    migrations: Sequence[Migration]

    async def list(self, _request: ListMigrations) -> MigrationStates:
        if refused := await self._refused():
            return MigrationStates(refused=refused)
        return MigrationStates(
            migrations=tuple(
                [MigrationState(name=one.name, text=one.text, left=await one.count_left()) for one in self.migrations]
            )
        )

    async def carry(self, request: MigrateBatch) -> BatchMigrated:
        if refused := await self._refused():
            return BatchMigrated(refused=refused)
        found = next((one for one in self.migrations if one.name == request.name), None)
        if found is None:
            return BatchMigrated(refused=f"there is no migration {request.name} in the release that runs")
        changed, failed, after = await found.carry(request.after)
        return BatchMigrated(changed=changed, failed=failed, after=after)

    async def _refused(self) -> str:
        return await self.form.find_incompatibility() if self.form else ""


class ById(ABC):
    name: ClassVar[str]
    text: ClassVar[str]

    @property
    @abstractmethod
    def rows(self) -> Collection:
        pass

    @property
    @abstractmethod
    def due(self) -> dict[str, Any]:
        pass

    @abstractmethod
    def change(self, row: dict[str, Any]) -> UpdateOne | None:
        """Returns the write for one record, which names the schema it replaces; None where it cannot be rewritten."""

    async def count_left(self) -> int:
        async with guarded():
            return await self.rows.count_documents(self.due)

    async def carry(self, after: str) -> Batch:
        async with guarded():
            found: list[dict[str, Any]] = (
                await self.rows.find({**self.due, "_id": {"$gt": after}}).sort("_id", 1).limit(PORTION).to_list(PORTION)
            )
            writes = [write for write in map(self.change, found) if write is not None]
            changed = (await self.rows.bulk_write(writes, ordered=False)).modified_count if writes else 0
        return Batch(changed, len(found) - len(writes), found[-1]["_id"] if len(found) == PORTION else None)
