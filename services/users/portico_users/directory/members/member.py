"""The membership, and where MongoDB stores them."""

from __future__ import annotations

from typing import Final, NamedTuple

from portico_contracts.events import MEMBER_CHANGED
from portico_runtime.mongo import Database
from pymongo import ASCENDING, IndexModel

from portico_users.directory.members.permissions import INSTANCE_OWNER, Scope
from portico_users.kernel.entry import Table
from portico_users.kernel.names import INSTANCE
from portico_users.kernel.reader import Reader
from portico_users.kernel.records import Record
from portico_users.kernel.schema import listing_indexes


class Member(Record, frozen=True, kw_only=True):
    """The roles of one user in one scope; the resource owner is its organization, in the instance that of the user.

    That of a project grant is the organization the project is granted to.

    Attributes:
        scope_id: id of the organization, the project or the project grant, or ``instance``.
        roles: names from `ROLES`, sorted.
    """

    user_id: str
    scope: Scope
    scope_id: str
    roles: tuple[str, ...]


class MemberScope(NamedTuple):
    """Where members have their roles.

    Attributes:
        id: of the organization, project or project grant, or of the instance.
        org_id: the organization it belongs to; empty for the instance.
    """

    kind: Scope
    id: str
    org_id: str = ""


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
