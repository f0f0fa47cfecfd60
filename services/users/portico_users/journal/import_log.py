"""One row in the event log for each import of users, with their number (decision 0133).

The event of each of its users has another action than other creations: a list that shows imports as one row reads
past any number of them in the index.
"""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.activities.activity import CREATED
from portico_contracts.activities.table import activity_of
from portico_contracts.activities.users import USER_IMPORTS
from portico_oauth.opaque import fingerprint
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock

from portico_users.storage.entry import Document
from portico_users.storage.schema import EVENTS


def import_event_id(import_id: str, org_id: str, actor: str) -> str:
    """`import_id` is the caller's choice, so that it names only an import of this actor in this organization."""
    return fingerprint("\n".join(("import", actor, org_id, import_id)))


@dataclass(frozen=True, slots=True)
class ImportLog:
    database: Database
    clock: Clock

    async def add(self, event_id: str, org_id: str, actor: str, count: int) -> None:
        """Adds users that were created to the row. Raises `unavailable`: then the row has fewer users than were created."""
        row: Document = {
            "table": USER_IMPORTS,
            "object": event_id,
            "orgId": org_id,
            "sequence": 1,
            "actor": actor,
            "action": CREATED,
            "fields": ["count"],
            "activity": activity_of(USER_IMPORTS, CREATED).key,
        }
        change: Document = {"$setOnInsert": row, "$set": {"at": self.clock.now()}, "$inc": {"values.count": count}}
        async with guarded():
            await self.database[EVENTS].update_one({"_id": event_id}, change, upsert=True)
