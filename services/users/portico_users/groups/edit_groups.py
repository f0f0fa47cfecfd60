"""Groups, their roles, their members, and the groups that belong to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import msgspec
from portico_oauth.errors import ErrorCode, Kind, Violation
from portico_oauth.opaque import RandomBytes

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import changed_user
from portico_users.grants.edit_grants import GrantRoles, Source
from portico_users.grants.role_grants import with_grants
from portico_users.groups.group import (
    GROUP_NOT_FOUND,
    GROUPS,
    NESTED_TWICE,
    Group,
    MongoGroups,
    is_there,
    problems_of,
)
from portico_users.groups.inherited import MAX_GROUPS, TOO_MANY_GROUPS, OneUser, memberships_of, own_links
from portico_users.groups.memberships import InGroups, with_added, without_group
from portico_users.journal.command import Command, Commit
from portico_users.storage.entry import Entry
from portico_users.values.names import INVALID_ID, is_id, new_id
from portico_users.values.problems import at, refuse_first
from portico_users.values.records import State, refuse_unchanged

NO_GROUPS: Final[Mapping[str, Group]] = MappingProxyType({})

USER_OF_OTHERS = ErrorCode(
    "USER-105",
    Kind.INVALID_REQUEST,
    "The user belongs to another organization.",
    "Add users of the organization that the group belongs to.",
)
ALREADY_IN_GROUP = ErrorCode(
    "USER-106", Kind.ALREADY_EXISTS, "This member already belongs to this group.", "No action needed."
)
NOT_IN_GROUP = ErrorCode(
    "USER-107", Kind.NOT_FOUND, "This member does not belong to this group.", "List the members of the group."
)

NO_ROLES = ErrorCode(
    "USER-109", Kind.NOT_FOUND, "The group has no roles in this project.", "List the roles of the group."
)


def put_group(before: Group | None, after: Group) -> Entry[Group]:
    refuse_first(problems_of(after))
    return Entry(GROUPS, before, msgspec.structs.replace(after, parents=tuple(sorted(set(after.parents)))))


@dataclass(frozen=True, slots=True)
class AddGroup(Command):
    commit: Commit
    random: RandomBytes

    def plan(self, group: Group) -> Entry[Group]:
        """Raises USER-001 for an id that no object may have."""
        if group.id and not is_id(group.id):
            raise at("groupId", INVALID_ID.error())
        return put_group(None, msgspec.structs.replace(group, id=group.id or new_id(self.random)))

    async def __call__(self, group: Group, *, actor: str) -> Group:
        return await self.commit(self.plan(group), actor=actor)


@dataclass(frozen=True, slots=True)
class UpdateGroup(Command):
    commit: Commit

    async def __call__(self, before: Group, after: Group, *, actor: str) -> Group:
        return await self.commit.change(put_group(before, after), actor=actor)


@dataclass(frozen=True, slots=True)
class RemoveGroup(Command):
    """Removes a group; its members lose its roles, and its groups belong to it no longer."""

    commit: Commit

    def plan(self, before: Group) -> Entry[Group]:
        gone = msgspec.structs.replace(
            before, state=State.DELETED, description="", grants=(), parents=(), provisioned=None
        )
        return Entry(GROUPS, before, gone)

    async def __call__(self, before: Group, *, actor: str) -> Group:
        return await self.commit(self.plan(before), actor=actor)


@dataclass(frozen=True, slots=True)
class SetGroupRoles(Command):
    """Sets the roles of a group in one project; all members have exactly these when it returns (decision 0136)."""

    commit: Commit
    grant_roles: GrantRoles

    def plan(self, before: Group, source: Source, role_keys: Sequence[str]) -> Group:
        grant = self.grant_roles.plan(before.org_id, source, role_keys)
        return msgspec.structs.replace(before, grants=with_grants(before.grants, (grant,)))

    async def __call__(self, before: Group, source: Source, role_keys: Sequence[str], *, actor: str) -> Group:
        return await self.commit.change(put_group(before, self.plan(before, source, role_keys)), actor=actor)


@dataclass(frozen=True, slots=True)
class RemoveGroupRoles(Command):
    commit: Commit

    async def __call__(self, before: Group, project_id: str, *, actor: str) -> Group:
        left = tuple(grant for grant in before.grants if grant.project_id != project_id)
        if left == before.grants:
            raise NO_ROLES.error()
        return await self.commit(put_group(before, msgspec.structs.replace(before, grants=left)), actor=actor)


@dataclass(frozen=True, slots=True)
class PutIntoGroups(Command):
    """A group that is deleted meanwhile gives the user nothing, and its id is never used again."""

    groups: MongoGroups

    async def plan(self, user: OneUser, groups: InGroups, beside: Mapping[str, Group] = NO_GROUPS) -> OneUser:
        """``beside`` are groups that will have been written when the user is."""
        ids = {one.id for one in groups}
        parents = {parent for id in ids if id in beside for parent in beside[id].parents}
        known = {**await self.groups.list_with_parents((ids | parents) - beside.keys()), **beside}
        there = tuple(
            msgspec.structs.replace(one, name=one.name or known[one.id].name)
            for one in own_links(user, groups)
            if is_there(known.get(one.id), user.org_id)
        )
        after = msgspec.structs.replace(user, groups=tuple(sorted(there, key=lambda one: one.id)))
        if len(memberships_of(after, known)) > MAX_GROUPS:
            raise at("groups", TOO_MANY_GROUPS.error())
        return after

    async def plan_ids(
        self, user: OneUser, ids: Iterable[str], *, exact: bool = False, beside: Mapping[str, Group] = NO_GROUPS
    ) -> OneUser:
        return await self.plan(user, with_added(user.groups, frozenset(ids), exact=exact), beside)

    async def plan_named(self, user: OneUser, named: Sequence[str]) -> OneUser:
        """``named`` are ids or names of groups of the user's organization. Raises USER-101 with all that are not."""
        found = [await self.groups.find_named(user.org_id, one) for one in named]
        missing = [Violation(f"groups[{n}]", GROUP_NOT_FOUND.text) for n, group in enumerate(found) if group is None]
        if missing:
            raise GROUP_NOT_FOUND.error(violations=tuple(missing))
        return await self.plan_ids(user, [group.id for group in found if group])


@dataclass(frozen=True, slots=True)
class AddGroupMember(Command):
    commit: Commit
    put_into: PutIntoGroups

    async def __call__(self, group: Group, user: AnyUser, *, actor: str) -> AnyUser:
        if user.org_id != group.org_id:
            raise at("userId", USER_OF_OTHERS.error())
        if any(one.id == group.id and one.added for one in user.groups):
            raise ALREADY_IN_GROUP.error()
        after = await self.put_into.plan_ids(user, (group.id,))
        return await self.commit(changed_user(user, after), actor=actor)


@dataclass(frozen=True, slots=True)
class RemoveGroupMember(Command):
    commit: Commit
    put_into: PutIntoGroups

    async def __call__(self, group: Group, user: AnyUser, *, actor: str) -> AnyUser:
        """Also removes what an identity provider gave; raises USER-107 for members through another group."""
        if not any(one.id == group.id and one.is_direct for one in user.groups):
            raise NOT_IN_GROUP.error()
        after = await self.put_into.plan(user, without_group(user.groups, group.id))
        return await self.commit(changed_user(user, after), actor=actor)


@dataclass(frozen=True, slots=True)
class NestGroups(Command):
    """Adds a group to another one, and removes it. Nothing is nested twice, so there are no cycles."""

    commit: Commit
    groups: MongoGroups

    async def add(self, outer: Group, inner_id: str, *, actor: str) -> Group:
        inner = await self._find(outer, inner_id)
        if outer.id in inner.parents:
            raise ALREADY_IN_GROUP.error()
        if outer.id == inner.id or outer.parents or await self.groups.has_groups(inner.id):
            raise at("memberGroupId", NESTED_TWICE.error())
        after = msgspec.structs.replace(inner, parents=(*inner.parents, outer.id))
        return await self.commit(put_group(inner, after), actor=actor)

    async def remove(self, outer: Group, inner_id: str, *, actor: str) -> Group:
        inner = await self._find(outer, inner_id)
        if outer.id not in inner.parents:
            raise NOT_IN_GROUP.error()
        left = tuple(id for id in inner.parents if id != outer.id)
        after = msgspec.structs.replace(inner, parents=left)
        refuse_unchanged(inner, after)
        return await self.commit(put_group(inner, after), actor=actor)

    async def _find(self, outer: Group, id: str) -> Group:
        inner = await self.groups.find(id)
        if inner is None or not is_there(inner, outer.org_id):
            raise at("memberGroupId", GROUP_NOT_FOUND.error())
        return inner
