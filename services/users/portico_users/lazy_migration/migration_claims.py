"""Which login names the old system is being asked about, and which it does not know (decision 0103)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Final

from portico_oauth.opaque import RandomBytes, fingerprint
from portico_runtime.mongo.client import Database, Rows, guarded
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, IndexModel, ReturnDocument

from portico_users.storage.schema import Indexes
from portico_users.values.names import new_id

MIGRATION_CLAIMS: Final = "migrationClaims"
MIGRATION_CLAIM_INDEXES: Final[Indexes] = {
    MIGRATION_CLAIMS: (IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),)
}

CLAIM_SECONDS: Final = 15.0
"""After this time the claim of a replica that was killed ends."""

UNKNOWN_SECONDS: Final = 3_600.0
"""How long the old system is not asked again about a name that it does not know."""


class Refused(Enum):
    """Why a name cannot be claimed now."""

    ASKING = "asking"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class MigrationClaims:
    """At most one question about a login name at a time. Names are stored as hashes."""

    database: Database
    clock: Clock
    random: RandomBytes

    async def take(self, key: str) -> str | Refused:
        """Returns the ticket of the claim."""
        now, ticket = self.clock.now(), new_id(self.random)
        open = {"$lte": [{"$ifNull": ["$until", 0.0]}, now]}
        claimed = {
            "ticket": ticket,
            "until": now + CLAIM_SECONDS,
            "unknown": False,
            "forgetAt": datetime.fromtimestamp(now + CLAIM_SECONDS, UTC),
        }
        step = {"$replaceWith": {"$cond": [open, {"_id": "$_id", **claimed}, "$$ROOT"]}}
        async with guarded():
            row = await self._rows.find_one_and_update(
                {"_id": key}, [step], upsert=True, return_document=ReturnDocument.AFTER
            )
        if row["ticket"] == ticket:
            return ticket
        return Refused.UNKNOWN if row["unknown"] else Refused.ASKING

    async def release(self, key: str, ticket: str) -> None:
        async with guarded():
            await self._rows.delete_one({"_id": key, "ticket": ticket, "unknown": False})

    async def remember_unknown(self, key: str, ticket: str) -> None:
        until = self.clock.now() + UNKNOWN_SECONDS
        values = {"unknown": True, "until": until, "forgetAt": datetime.fromtimestamp(until, UTC)}
        async with guarded():
            await self._rows.update_one({"_id": key, "ticket": ticket}, {"$set": values})

    @property
    def _rows(self) -> Rows:
        return self.database[MIGRATION_CLAIMS]


def claim_key(org_id: str, login_key: str) -> str:
    return fingerprint(f"{org_id}\n{login_key}")
