from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from portico_runtime.mongo.client import Database, guarded

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import ACCOUNTS
from portico_users.administrators.member import MEMBERS, Member
from portico_users.organizations.org import ORGS, Org
from portico_users.storage.entry import Document
from portico_users.storage.gathering import Gathering
from portico_users.values.word_keys import WORDS

_BULK: Final = dict.fromkeys(("metadata", WORDS, "secretHash", "keys", "personalTokens", "grants"), 0)
"""Fields that neither identify a caller nor give a permission."""

_ORG: Final = {"from": ORGS.name, "localField": "orgId", "foreignField": "_id", "as": "_org"}
_MEMBERSHIPS: Final = {"from": MEMBERS.name, "localField": "_id", "foreignField": "userId", "as": "_memberships"}


class Signed(NamedTuple):
    """A user in any state, with memberships that may be removed."""

    user: AnyUser
    org: Org | None
    memberships: tuple[Member, ...]


class MongoCallers:
    def __init__(self, database: Database) -> None:
        self._rows = database[ACCOUNTS.name]
        self._by_id: Gathering[str, Signed] = Gathering(self._read)

    async def find(self, user_id: str) -> Signed | None:
        """Returns the user without bulky fields; concurrent lookups share one round trip."""
        return await self._by_id.find(user_id)

    async def _read(self, user_ids: Sequence[str]) -> Mapping[str, Signed]:
        steps: list[Document] = [
            {"$match": {"_id": {"$in": user_ids} if len(user_ids) > 1 else user_ids[0]}},
            {"$project": _BULK},
            {"$lookup": _ORG},
            {"$lookup": _MEMBERSHIPS},
        ]
        async with guarded():
            documents: list[Document] = await self._rows.aggregate(steps).to_list(None)
        return {document["_id"]: _signed(document) for document in documents}


def _signed(document: Document) -> Signed:
    org = ORGS.record(document["_org"][0]) if document["_org"] else None
    memberships = tuple(MEMBERS.record(row) for row in document["_memberships"])
    return Signed(ACCOUNTS.record(document), org, memberships)
