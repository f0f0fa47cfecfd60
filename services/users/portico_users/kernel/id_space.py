"""The shared id space, read: whether an id is used."""

from __future__ import annotations

from dataclasses import dataclass

from portico_runtime.mongo import Database, guarded

from portico_users.kernel.schema import IDS


@dataclass(frozen=True, slots=True)
class IdSpace:
    """Asks about ids; the journal takes them."""

    database: Database

    async def is_free(self, id: str) -> bool:
        """No object has this id. A hint: only the journal's insert decides.

        Raises:
            ServiceError: `unavailable` when the database cannot be asked.
        """
        async with guarded():
            return await self.database[IDS].find_one({"_id": id}, {"_id": 1}) is None
