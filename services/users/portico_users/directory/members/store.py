"""Memberships in MongoDB."""

from __future__ import annotations

from typing import Final

from portico_contracts.events import MEMBER_CHANGED
from portico_runtime.mongo import Database
from pymongo import ASCENDING, IndexModel

from portico_users.directory.members.member import Member
from portico_users.directory.members.roles import INSTANCE_OWNER
from portico_users.kernel.entry import Table
from portico_users.kernel.names import INSTANCE
from portico_users.kernel.reader import Reader
from portico_users.kernel.schema import listing_indexes

MEMBERS: Final[Table[Member]] = Table(
    "members",
    Member,
    MEMBER_CHANGED,
    indexes=(
        IndexModel([("userId", ASCENDING), ("scopeId", ASCENDING)], unique=True),
        *listing_indexes("created", owners=("scopeId", "userId")),
    ),
)


class MongoMembers(Reader[Member]):
    """Finds memberships."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, MEMBERS)

    async def find_of(self, user_id: str, scope_id: str) -> Member | None:
        """The membership of a user in a scope; without roles when it was taken away."""
        return await self.find_where({"userId": user_id, "scopeId": scope_id})

    async def list_owners(self) -> list[Member]:
        """The memberships of the instance's owners, whether they may act or not."""
        return await self.list_where({"scopeId": INSTANCE, "roles": INSTANCE_OWNER}, 10_000)

    async def list_of_user(self, user_id: str) -> list[Member]:
        """All memberships of a user: what they may do is decided by every one of them."""
        return await self.list_where({"userId": user_id}, None)
