"""When each user last signed in, to within a minute: written from the events of sign-ins, outside of any request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from portico_runtime.mongo.client import Database, guarded
from pymongo import ASCENDING, IndexModel, UpdateOne

from portico_users.accounts.store import ACCOUNTS
from portico_users.end_users.marks import LAST_SIGN_IN
from portico_users.organizations.org import ORGS, Org
from portico_users.storage.entry import Document
from portico_users.storage.gathering import Gathering
from portico_users.storage.schema import Indexes
from portico_users.values.records import State

LAST_SIGN_INS: Final = "lastSignIns"

EVERY: Final = 60.0
"""Seconds in which a replica writes the time of a user at most once."""

SIGN_IN_INDEXES: Final[Indexes] = {
    LAST_SIGN_INS: (IndexModel([("orgId", ASCENDING), ("at", ASCENDING)]), IndexModel([("at", ASCENDING)]))
}

_REMEMBERED: Final = 10_000
"""Maximum written times in memory; without them a time is written again."""


_NOT_DELETED: Final[Document] = {"type": "human", "state": {"$ne": State.DELETED.value}}

_Asked = tuple[tuple[str, ...], tuple[str, ...]]
"""Ids of users, and of organizations."""


class TimesAndOrgs(NamedTuple):
    times: Mapping[str, float]
    orgs: Mapping[str, Org]


class LastSignIns:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._times = database[LAST_SIGN_INS]
        self._written: dict[str, float] = {}
        self._reads: Gathering[_Asked, TimesAndOrgs] = Gathering(self._read)

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
                people = [UpdateOne({**_NOT_DELETED, "_id": row["_id"]}, _latest(due[row["_id"]])) for row in known]
                await self._database[ACCOUNTS.name].bulk_write(people, ordered=False)
        if len(self._written) + len(due) > _REMEMBERED:
            self._written.clear()
        self._written |= due

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, float]:
        """Returns the times of those that signed in, in unix seconds by user id. Raises `unavailable`."""
        return (await self.with_orgs(user_ids, ())).times

    async def with_orgs(self, user_ids: Iterable[str], org_ids: Iterable[str]) -> TimesAndOrgs:
        """Like `of`, with organizations by id; may return more than requested, as concurrent calls share one query."""
        asked = tuple(user_ids), tuple(org_ids)
        return await self._reads.find(asked) or TimesAndOrgs({}, {})

    async def _read(self, asked: Sequence[_Asked]) -> Mapping[_Asked, TimesAndOrgs]:
        of_users = {"_id": {"$in": list({id for some, _ in asked for id in some})}}
        org_ids = {id for _, some in asked for id in some}
        async with guarded():
            # An aggregation costs more.
            rows = await (self._united(of_users, org_ids) if org_ids else self._times.find(of_users).to_list(None))
        found = TimesAndOrgs(
            {row["_id"]: row["at"] for row in rows if "_org" not in row},
            {row["_org"]["_id"]: ORGS.record(row["_org"]) for row in rows if "_org" in row},
        )
        return dict.fromkeys(asked, found)

    async def _united(self, of_users: Document, org_ids: Iterable[str]) -> list[Document]:
        orgs: list[Document] = [
            {"$match": {"_id": {"$in": list(org_ids)}}},
            {"$replaceRoot": {"newRoot": {"_org": "$$ROOT"}}},
        ]
        united = {"$unionWith": {"coll": ORGS.name, "pipeline": orgs}}
        return await self._times.aggregate([{"$match": of_users}, united]).to_list(None)


def _later(user: Document, at: float) -> UpdateOne:
    return UpdateOne({"_id": user["_id"]}, {"$max": {"at": at}, "$set": {"orgId": user["orgId"]}}, upsert=True)


def _latest(at: float) -> Document:
    """Lists are sorted and filtered by this copy in the user, which the journal leaves as it is."""
    return {"$max": {LAST_SIGN_IN: at}}
