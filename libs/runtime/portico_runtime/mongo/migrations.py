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

WINDOW: Final = 5_000
"""Records that one query goes through. Among a million that are not due, it would meet its time limit."""

Row = dict[str, Any]
Collection = AsyncIOMotorCollection[Row]


class Batch(NamedTuple):
    changed: int
    failed: int
    after: str | None


class Due(NamedTuple):
    """Records that are due; ``after`` is the id from which to go on, None at the end of the collection."""

    rows: list[Row]
    after: str | None


async def next_due(rows: Collection, due: Row, after: str, shown: Row | None = None) -> Due:
    """Returns the next records in the order of their ids, up to `PORTION` out of the next `WINDOW`; it may be none.

    Args:
        due: a query without a condition on ``_id``.
        shown: the projection.
    """
    ids = rows.find({"_id": {"$gt": after}}, {"_id": 1}).sort("_id", 1).skip(WINDOW - 1).limit(1)
    last = await ids.to_list(1)
    within = {"$gt": after, "$lte": last[0]["_id"]} if last else {"$gt": after}
    found = await rows.find({**due, "_id": within}, shown).sort("_id", 1).limit(PORTION).to_list(PORTION)
    if len(found) == PORTION:
        return Due(found, found[-1]["_id"])
    return Due(found, last[0]["_id"] if last else None)


async def count_due(rows: Collection, due: Row) -> int:
    """Counts like `next_due`, for queries without an index. Raises `unavailable`."""
    left, after = 0, ""
    while True:
        async with guarded():
            found = await next_due(rows, due, after, {"_id": 1})
        left += len(found.rows)
        if found.after is None:
            return left
        after = found.after


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
    def due(self) -> Row:
        pass

    @abstractmethod
    def change(self, row: Row) -> UpdateOne | None:
        """Returns the write for one record, which names the schema it replaces; None where it cannot be rewritten."""

    async def count_left(self) -> int:
        return await count_due(self.rows, self.due)

    async def carry(self, after: str) -> Batch:
        async with guarded():
            found, further = await next_due(self.rows, self.due, after)
            writes = [write for write in map(self.change, found) if write is not None]
            changed = (await self.rows.bulk_write(writes, ordered=False)).modified_count if writes else 0
        return Batch(changed, len(found) - len(writes), further)
