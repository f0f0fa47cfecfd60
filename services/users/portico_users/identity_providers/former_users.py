"""Writes to users what their provider no longer gives them, in the background: it is not in force any longer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock
from portico_runtime.process.wakeup import SWEEP_SECONDS, together

from portico_users.accounts.store import ACCOUNTS
from portico_users.identity_providers.endings import ENDINGS, Ending, of_provider
from portico_users.journal.constraints import AT_ONCE
from portico_users.journal.journal import Journal
from portico_users.storage.entry import Document

_KEPT_SECONDS: Final = 60.0
"""Longer than a request that has read a user before the user was written, and reads what ended after that."""

_MOST: Final = 1_000


@dataclass(frozen=True, slots=True)
class FormerUsers:
    database: Database
    journal: Journal
    clock: Clock

    async def run_once(self) -> None:
        await self.write_all()
        await asyncio.sleep(together(SWEEP_SECONDS))

    async def write_all(self) -> None:
        """Continues after an interruption. Replicas may do the same at the same time."""
        endings = self.database[ENDINGS]
        async with guarded():
            found = await endings.find({"written": {"$exists": False}}).sort("at", 1).to_list(_MOST)
        for row in found:
            await self._write(Ending.read(row))
            async with guarded():
                if not await Ending.read(row).is_left(self.database):
                    await endings.update_one({"_id": row["_id"]}, {"$set": {"written": self.clock.now()}})
        async with guarded():
            await endings.delete_many({"written": {"$lt": self.clock.now() - _KEPT_SECONDS}})

    async def _write(self, ending: Ending) -> None:
        """Goes through the users of the provider once: a search among all of them for each transaction takes long."""
        linked: Document = {"linkKeys": of_provider(ending.idp_id)}
        users = self.database[ACCOUNTS.name].find(linked, {"_id": 1}, batch_size=AT_ONCE)
        while ids := await _next(users):
            await self.journal.finish((ending.users(ids),))


async def _next(users: AsyncIterator[Document]) -> list[str]:
    """Ids of the next users; each call has the time of an operation, however long the last transaction took."""
    ids: list[str] = []
    async with guarded():
        while len(ids) < AT_ONCE and (row := await anext(users, None)):
            ids.append(row["_id"])
    return ids
