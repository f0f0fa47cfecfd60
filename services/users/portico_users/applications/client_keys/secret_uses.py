"""When client secrets were last used, to within an hour: written from reports of token, outside of any request."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from portico_contracts.users import SecretUsed, secret_name
from portico_runtime.mongo.client import Database, guarded
from pymongo import ASCENDING, IndexModel

from portico_users.storage.schema import Indexes

SECRET_USES: Final = "secretUses"

KEPT: Final = timedelta(days=400)

SECRET_USE_INDEXES: Final[Indexes] = {
    SECRET_USES: (IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),),
}


@dataclass(frozen=True, slots=True)
class SecretUses:
    database: Database

    async def note(self, used: SecretUsed) -> None:
        """Stores the time if it is later. Raises `unavailable`."""
        times = {"at": used.at, "forgetAt": datetime.fromtimestamp(used.at, UTC) + KEPT}
        async with guarded():
            await self.database[SECRET_USES].update_one(
                {"_id": _id(used.client_id, used.name)}, {"$max": times}, upsert=True
            )

    async def last_uses(self, client_id: str, secret_hashes: Collection[str]) -> Mapping[str, float]:
        """Returns unix seconds by hash, without those that were not used. Raises `unavailable`."""
        if not secret_hashes:
            return {}
        ids = {_id(client_id, secret_name(one)): one for one in secret_hashes}
        async with guarded():
            rows = await self.database[SECRET_USES].find({"_id": {"$in": list(ids)}}).to_list(len(ids))
        return {ids[row["_id"]]: row["at"] for row in rows}


def _id(client_id: str, name: str) -> str:
    return f"{client_id} {name}"
