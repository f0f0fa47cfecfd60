from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
from portico_runtime.mongo.client import Database, guarded

from portico_users.accounts.account import AnyUser
from portico_users.accounts.search import BULKY
from portico_users.accounts.store import ACCOUNTS, changed_user
from portico_users.grants import role_grants
from portico_users.grants.role_grants import RoleGrant
from portico_users.storage.entry import Document, Entry
from portico_users.storage.listing import Page, page_of_rows
from portico_users.values.problems import refuse_first
from portico_users.values.records import State


class UserGrant(NamedTuple):
    user: AnyUser
    grant: RoleGrant

    @property
    def id(self) -> str:
        return role_grants.grant_id(self.user.id, self.grant)


class FoundGrants(NamedTuple):
    total: int
    grants: list[UserGrant]


def put_grants(user: AnyUser, grants: Sequence[RoleGrant]) -> Entry[AnyUser]:
    refuse_first(role_grants.problems_of(grants))
    after = msgspec.structs.replace(user, grants=tuple(grants))
    return changed_user(user, after)


@dataclass(frozen=True, slots=True)
class GrantSearch:
    database: Database

    async def search(self, org_id: str, conditions: Sequence[Document], page: Page) -> FoundGrants:
        """Finds an organization's grants to users not deleted; conditions on fields of the user or of ``grants``."""
        question: Document = {"$and": [{"grants.orgId": org_id}, {"state": {"$ne": State.DELETED.value}}]}
        one = {"$and": [{"grants.orgId": org_id}, *conditions]}
        # Exclude all bulky fields but the grants.
        hidden = [name for name in BULKY if name != "grants"]
        steps: list[Document] = [{"$match": question}, {"$unset": hidden}, {"$unwind": "$grants"}, {"$match": one}]
        async with guarded():
            total, rows = await page_of_rows(self.database[ACCOUNTS.name], steps, page, "_id", "grants.projectId")
        return FoundGrants(total, [_held(row) for row in rows])


def _held(row: Document) -> UserGrant:
    user = ACCOUNTS.record({**row, "grants": [row["grants"]]}, whole=False)
    return UserGrant(user, user.grants[0])
