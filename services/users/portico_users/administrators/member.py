"""The membership, and where MongoDB stores them."""

from __future__ import annotations

from typing import Final, NamedTuple

from portico_contracts.events import MEMBER_CHANGED
from pymongo import ASCENDING, IndexModel

from portico_users.administrators.permissions import INSTANCE_OWNER, Scope
from portico_users.storage.entry import Table
from portico_users.storage.reader import Reader
from portico_users.storage.schema import listing_indexes
from portico_users.values.names import INSTANCE
from portico_users.values.problems import CHANGED_MEANWHILE
from portico_users.values.records import Record


class Member(Record, frozen=True, kw_only=True):
    """The sorted roles of a user in a scope: an organization, project, project grant, or ``instance``.

    Belongs to the organization of the scope: in a project grant the receiver, in the instance the user's.
    """

    user_id: str
    scope: Scope
    scope_id: str
    roles: tuple[str, ...]


class MemberScope(NamedTuple):
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
    duplicates={"userId": CHANGED_MEANWHILE},
)


class MongoMembers(Reader[Member]):
    table = MEMBERS

    async def find_of(self, user_id: str, scope_id: str) -> Member | None:
        """Returns a membership without roles if it was removed."""
        return await self.find_where({"userId": user_id, "scopeId": scope_id})

    async def list_owners(self) -> list[Member]:
        """Returns the memberships of instance owners, also of inactive users."""
        return await self.list_where({"scopeId": INSTANCE, "roles": INSTANCE_OWNER}, 10_000)

    async def list_in_instance(self, org_id: str) -> list[Member]:
        """Returns the memberships in the instance of users of the organization."""
        return await self.list_where({"scopeId": INSTANCE, "orgId": org_id}, None)

    async def list_of_user(self, user_id: str) -> list[Member]:
        return await self.list_where({"userId": user_id}, None)
