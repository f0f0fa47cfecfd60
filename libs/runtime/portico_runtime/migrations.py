"""Long changes of stored records, in portions beside running services of both releases (decision 0078).

What has the older form is found by that form, so that the records themselves are how far it is: a run that is killed between two
portions, or within one, begins again and finds what is left. Every write names the form it replaces, so that a record that was
changed meanwhile stays as it was changed, and is found again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, Protocol

from motor.motor_asyncio import AsyncIOMotorCollection
from portico_contracts.migrations import CarryPortion, ListMigrations, MigrationState, MigrationStates, PortionCarried
from pymongo import UpdateOne

from portico_runtime.mongo import guarded
from portico_runtime.stored_form import StoredForm

PORTION: Final = 500
"""Records that are read at once."""

Collection = AsyncIOMotorCollection[dict[str, Any]]


class Portion(NamedTuple):
    """What came of one portion; see `PortionCarried`."""

    changed: int
    failed: int
    after: str | None


class Migration(Protocol):
    """One kind of records that get a newer form. Each release reads both."""

    @property
    def name(self) -> str:
        """What the operator names it by."""
        ...

    @property
    def text(self) -> str:
        """What it does, in a line."""
        ...

    async def count_left(self) -> int:
        """How many records have the older form. Raises `unavailable`."""
        ...

    async def carry(self, after: str) -> Portion:
        """Rewrites the next records, in the order of their ids. Raises `unavailable`; what was rewritten stays."""
        ...


@dataclass(frozen=True, slots=True)
class Migrations:
    """The answers of a service to `MIGRATION_RPCS`.

    Args:
        form: of its records; None where there is nothing to compare with.
        migrations: in the order they are carried out.
    """

    form: StoredForm | None
    migrations: Sequence[Migration]

    async def list(self, _request: ListMigrations) -> MigrationStates:
        """See `ListMigrations`. Raises `unavailable`."""
        if refused := await self._refused():
            return MigrationStates(refused=refused)
        return MigrationStates(
            migrations=tuple(
                [MigrationState(name=one.name, text=one.text, left=await one.count_left()) for one in self.migrations]
            )
        )

    async def carry(self, request: CarryPortion) -> PortionCarried:
        """See `CarryPortion`. Raises `unavailable`."""
        if refused := await self._refused():
            return PortionCarried(refused=refused)
        found = next((one for one in self.migrations if one.name == request.name), None)
        if found is None:
            return PortionCarried(refused=f"there is no migration {request.name} in the release that runs")
        changed, failed, after = await found.carry(request.after)
        return PortionCarried(changed=changed, failed=failed, after=after)

    async def _refused(self) -> str:
        return await self.form.find_refusal() if self.form else ""


class ById(ABC):
    """A `Migration` of one collection whose every record is rewritten by itself."""

    name: ClassVar[str]
    text: ClassVar[str]

    @property
    @abstractmethod
    def rows(self) -> Collection:
        """The collection."""

    @property
    @abstractmethod
    def due(self) -> dict[str, Any]:
        """Finds what has the older form."""

    @abstractmethod
    def change(self, row: dict[str, Any]) -> UpdateOne | None:
        """The write for one record, which names the form it replaces; None where it cannot be rewritten."""

    async def count_left(self) -> int:
        """See `Migration.count_left`."""
        async with guarded():
            return await self.rows.count_documents(self.due)

    async def carry(self, after: str) -> Portion:
        """See `Migration.carry`."""
        async with guarded():
            found: list[dict[str, Any]] = (
                await self.rows.find({**self.due, "_id": {"$gt": after}}).sort("_id", 1).limit(PORTION).to_list(PORTION)
            )
            writes = [write for write in map(self.change, found) if write is not None]
            changed = (await self.rows.bulk_write(writes, ordered=False)).modified_count if writes else 0
        return Portion(changed, len(found) - len(writes), found[-1]["_id"] if len(found) == PORTION else None)
