"""The group, where MongoDB stores it, and the rules of one group alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from portico_contracts.events import GROUP_CHANGED
from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.mongo.client import guarded
from pymongo import ASCENDING, IndexModel

from portico_users.grants import role_grants
from portico_users.grants.role_grants import RoleGrant
from portico_users.storage.entry import NOT_DELETED, Document, Table
from portico_users.storage.name_order import name_indexes
from portico_users.storage.reader import Reader
from portico_users.storage.schema import listing_indexes
from portico_users.values.names import INVALID_NAME, canonical, is_name
from portico_users.values.problems import EXTERNAL_ID_TAKEN, Problem, Problems
from portico_users.values.provisioned import SCIM_KEY, Provisioned, provisioned_indexes, provisioned_keys
from portico_users.values.records import Record, State, name_key, stored_version
from portico_users.values.word_keys import word_indexes, word_keys

MAX_PARENTS: Final = 20

HAS_MEMBERS: Final = "hasMembers"
"""Field of a deleted group that `FormerMembers` has not removed from the records of its members yet."""

GROUP_NOT_FOUND = ErrorCode("USER-101", Kind.NOT_FOUND, "Group not found.", "Check the id of the group.")
NESTED_TWICE = ErrorCode(
    "USER-102",
    Kind.FAILED_PRECONDITION,
    "Groups can be nested only once.",
    "Add a group that has no groups to one that belongs to no other group.",
)
TOO_MANY_PARENTS = ErrorCode(
    "USER-103", Kind.INVALID_REQUEST, "This group belongs to too many groups.", "Add a group to at most 20 others."
)


class Group(Record, frozen=True, kw_only=True):
    """A group of an organization.

    Attributes:
        grants: the roles that the group gives its members.
        parents: sorted ids of the groups it belongs to; these have none.
        provisioned: the SCIM connection that keeps the group; None for none.
    """

    name: str
    description: str = ""
    grants: tuple[RoleGrant, ...] = ()
    parents: tuple[str, ...] = ()
    provisioned: Provisioned | None = None


def _keys(group: Group) -> Document:
    is_deleted = group.state is State.DELETED
    words = word_keys((group.name, group.description), deleted=is_deleted)
    keys: Document = {"nameKey": name_key(group, group.name), **words, **provisioned_keys(group.provisioned)}
    return {**keys, HAS_MEMBERS: True} if is_deleted else keys


GROUPS: Final[Table[Group]] = Table(
    "groups",
    Group,
    GROUP_CHANGED,
    _keys,
    indexes=(
        IndexModel([("orgId", ASCENDING), ("nameKey", ASCENDING)], unique=True),
        IndexModel([("parents", ASCENDING)], sparse=True),
        IndexModel([(HAS_MEMBERS, ASCENDING)], sparse=True),
        IndexModel([("grants.projectGrantId", ASCENDING), ("grants.roleKeys", ASCENDING)], sparse=True),
        IndexModel([("grants.projectId", ASCENDING), ("grants.roleKeys", ASCENDING)], sparse=True),
        *listing_indexes("nameKey", owners=("orgId",)),
        *name_indexes("nameKey", "orgId"),
        *word_indexes(),
        *provisioned_indexes(),
    ),
    duplicates={SCIM_KEY: EXTERNAL_ID_TAKEN},
)


class MongoGroups(Reader[Group]):
    table = GROUPS

    async def find_by_name(self, org_id: str, name: str) -> Group | None:
        return await self.find_where({"orgId": org_id, "nameKey": canonical(name)})

    async def find_named(self, org_id: str, named: str) -> Group | None:
        """Finds a group that exists by id, else by name."""
        found = await self.find(named)
        if found is None or not is_there(found, org_id):
            found = await self.find_by_name(org_id, named)
        return found if is_there(found, org_id) else None

    async def list_with_parents(self, ids: Iterable[str]) -> dict[str, Group]:
        """Returns the groups that exist and those that they belong to, by id."""
        groups = {group.id: group for group in await self.list_active(ids)}
        missing = {id for group in groups.values() for id in group.parents} - set(groups)
        return groups | {group.id: group for group in await self.list_active(missing)}

    async def list_versions(self, ids: Iterable[str]) -> dict[str, str]:
        async with guarded():
            rows = self._rows.find({"_id": {"$in": list(ids)}}, {"version": 1, "sequence": 1})
            return {row["_id"]: stored_version(row) async for row in rows}

    async def list_inside(self, ids: Sequence[str]) -> dict[str, list[str]]:
        """Returns those of the groups that exist, each with the ids of the groups that belong to it."""
        question = {"$or": [{"_id": {"$in": list(ids)}}, {"parents": {"$in": list(ids)}}], **NOT_DELETED}
        async with guarded():
            rows = await self._rows.find(question, {"parents": 1}).to_list(None)
        inside = {row["_id"]: list[str]() for row in rows if row["_id"] in ids}
        for row in rows:
            for parent in inside.keys() & set(row["parents"]):
                inside[parent].append(row["_id"])
        return inside

    async def list_giving(self, project_id: str, role_key: str) -> list[str]:
        """Returns the ids of the groups that give a role, and of those that belong to one of them."""
        given = {"grants": {"$elemMatch": {"projectId": project_id, "roleKeys": role_key}}, **NOT_DELETED}
        async with guarded():
            found = await self._rows.distinct("_id", given)
            return sorted({*found, *await self._rows.distinct("_id", {"parents": {"$in": found}, **NOT_DELETED})})

    async def has_groups(self, id: str) -> bool:
        return await self.find_where({"parents": id, "state": State.ACTIVE.value}) is not None


def is_there(group: Group | None, org_id: str) -> bool:
    return group is not None and group.state is State.ACTIVE and group.org_id == org_id


def problems_of(group: Group) -> Problems:
    if not is_name(group.name):
        yield Problem("name", INVALID_NAME)
    if group.description and not is_name(group.description):
        yield Problem("description", INVALID_NAME)
    if len(group.parents) > MAX_PARENTS:
        yield Problem("memberOf", TOO_MANY_PARENTS)
    yield from role_grants.problems_of(group.grants)
