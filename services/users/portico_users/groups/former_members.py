"""Removes deleted groups from the records of their members, in the background: they give nothing any longer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock
from portico_runtime.process.wakeup import SWEEP_SECONDS, together

from portico_users.accounts.store import ACCOUNTS
from portico_users.groups.group import GROUPS, HAS_MEMBERS
from portico_users.storage.entry import Document

_AT_ONCE: Final = 1_000
_AFTER_SECONDS: Final = 60.0
"""Longer than the call that deletes a group, which looks for members."""


@dataclass(frozen=True, slots=True)
class FormerMembers:
    """Not changes of the users: without an event and a version. A user that is written at the same time may keep the
    group, until its groups are written the next time.
    """

    database: Database
    clock: Clock

    async def run_once(self) -> None:
        await self.remove_all()
        await asyncio.sleep(together(SWEEP_SECONDS))

    async def remove_all(self) -> None:
        """Continues after an interruption. Replicas may do the same at the same time."""
        groups = self.database[GROUPS.name]
        async with guarded():
            due = {HAS_MEMBERS: True, "changed": {"$lt": self.clock.now() - _AFTER_SECONDS}}
            deleted = await groups.find(due, {"_id": 1}).to_list(_AT_ONCE)
            for group in deleted:
                await self._remove(group["_id"])
                await groups.update_one({"_id": group["_id"]}, {"$unset": {HAS_MEMBERS: ""}})

    async def _remove(self, id: str) -> None:
        users = self.database[ACCOUNTS.name]
        of_group: Document = {"groups.id": id}
        while found := await users.find(of_group, {"_id": 1}).to_list(_AT_ONCE):
            members = {"_id": {"$in": [row["_id"] for row in found]}, **of_group}
            await users.update_many(members, {"$pull": {"groups": {"id": id}}})
