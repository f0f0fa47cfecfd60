"""When each user last signed in, to within a minute: written from the events of sign-ins, outside of any request."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from portico_runtime.mongo import Database, guarded
from pymongo import ASCENDING, IndexModel, UpdateOne

from portico_users.kernel.entry import Document
from portico_users.kernel.records import State
from portico_users.kernel.schema import Indexes
from portico_users.resources.accounts.store import ACCOUNTS
from portico_users.resources.organizations.org import ORGS, Org

LAST_SIGN_INS: Final = "lastSignIns"

EVERY: Final = 60.0
"""Seconds in which a replica writes the time of a user at most once."""

SIGN_IN_INDEXES: Final[Indexes] = {
    LAST_SIGN_INS: (IndexModel([("orgId", ASCENDING), ("at", ASCENDING)]), IndexModel([("at", ASCENDING)]))
}

_REMEMBERED: Final = 10_000
"""Maximum written times in memory; without them a time is written again."""


class LastSignIns:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._times = database[LAST_SIGN_INS]
        self._written: dict[str, float] = {}

    async def write(self, times: Mapping[str, float]) -> None:
        """Stores later times, in unix seconds by user id, of users that are not deleted. Raises `unavailable`."""
        due = {id: at for id, at in times.items() if at - self._written.get(id, 0.0) >= EVERY}
        if not due:
            return
        question = {"_id": {"$in": list(due)}, "state": {"$ne": State.DELETED.value}}
        async with guarded():
            known = await self._database[ACCOUNTS.name].find(question, {"orgId": 1}).to_list(len(due))
            updates = [_later(row, due[row["_id"]]) for row in known]
            if updates:
                await self._times.bulk_write(updates, ordered=False)
        if len(self._written) + len(due) > _REMEMBERED:
            self._written.clear()
        self._written |= due

    async def of(self, user_ids: Collection[str]) -> dict[str, float]:
        """Returns the times of those that signed in, in unix seconds by user id. Raises `unavailable`."""
        async with guarded():
            rows = await self._times.find({"_id": {"$in": list(user_ids)}}).to_list(len(user_ids) or 1)
        return {row["_id"]: row["at"] for row in rows}

    async def with_orgs(
        self, user_ids: Collection[str], org_ids: Collection[str]
    ) -> tuple[dict[str, float], list[Org]]:
        """Like `of`, with the organizations of these ids, in one query."""
        if not org_ids:
            return await self.of(user_ids), []
        orgs: list[Document] = [
            {"$match": {"_id": {"$in": list(org_ids)}}},
            {"$replaceRoot": {"newRoot": {"_org": "$$ROOT"}}},
        ]
        steps: list[Document] = [
            {"$match": {"_id": {"$in": list(user_ids)}}},
            {"$unionWith": {"coll": ORGS.name, "pipeline": orgs}},
        ]
        async with guarded():
            rows = await self._times.aggregate(steps).to_list(None)
        times = {row["_id"]: row["at"] for row in rows if "_org" not in row}
        return times, [ORGS.record(row["_org"]) for row in rows if "_org" in row]


def _later(user: Document, at: float) -> UpdateOne:
    return UpdateOne({"_id": user["_id"]}, {"$max": {"at": at}, "$set": {"orgId": user["orgId"]}}, upsert=True)
