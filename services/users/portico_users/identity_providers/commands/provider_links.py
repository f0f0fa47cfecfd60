"""Ends links of users to removed identity providers, which releases up to 0.3 and interrupted removals left."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from portico_oauth.errors import ServiceError
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.mongo.migrations import Batch

from portico_users.accounts.store import ACCOUNTS
from portico_users.end_users.idp_links import link_prefix
from portico_users.identity_providers.endings import links_of
from portico_users.identity_providers.store import IDPS
from portico_users.journal.command import PATIENCE
from portico_users.journal.journal import Journal
from portico_users.values.problems import UNFINISHED
from portico_users.values.records import State


@dataclass(frozen=True, slots=True)
class ProviderLinks:
    """A `portico_runtime.mongo.migrations.Migration`, provider by provider; users change as with the removal."""

    database: Database
    journal: Journal
    name: ClassVar[str] = "provider-links"
    text: ClassVar[str] = "links of users to removed identity providers"

    async def count_left(self) -> int:
        async with guarded():
            removed = self.database[IDPS.name].find({"state": State.DELETED.value}, {"_id": 1})
            prefixes = [re.compile(f"^{re.escape(link_prefix(row['_id']))}") async for row in removed]
            return await self.database[ACCOUNTS.name].count_documents({"linkKeys": {"$in": prefixes}})

    async def carry(self, after: str) -> Batch:
        async with guarded():
            question = {"state": State.DELETED.value, "_id": {"$gt": after}}
            row = await self.database[IDPS.name].find_one(question, {"_id": 1}, sort=[("_id", 1)])
        if row is None:
            return Batch(0, 0, None)
        try:
            changed = await self.journal.finish((links_of(row["_id"]),), patience=PATIENCE)
        except ServiceError as error:
            if error.id != UNFINISHED.id:
                raise
            return Batch(int(str(error.private["written"])), 0, after)
        return Batch(changed, 0, row["_id"])
