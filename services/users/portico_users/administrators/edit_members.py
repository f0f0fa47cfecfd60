"""Adds, changes and removes members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from portico_oauth.opaque import RandomBytes

from portico_users.accounts.account import AnyUser
from portico_users.administrators.changes import (
    MEMBER_NOT_FOUND,
    add_member,
    problems_of,
    put_roles,
    remove_member,
    update_member,
)
from portico_users.administrators.member import MEMBERS, Member, MemberScope, MongoMembers
from portico_users.administrators.permissions import ROLES, Scope
from portico_users.journal.command import Command, Commit
from portico_users.storage.entry import Entry
from portico_users.values.names import INSTANCE, new_id
from portico_users.values.problems import refuse_first
from portico_users.values.records import State


@dataclass(frozen=True, slots=True)
class AddMember(Command):
    commit: Commit
    members: MongoMembers
    random: RandomBytes

    async def __call__(self, scope: MemberScope, user: AnyUser, roles: Sequence[str], *, actor: str) -> Member:
        """Raises USER-040 for an unknown role of the scope, USER-713 if the user is already a member."""
        before = await self.members.find_of(user.id, scope.id)
        after = _member(new_id(self.random), scope, user, roles)
        return await self.commit(add_member(before, after), actor=actor)


@dataclass(frozen=True, slots=True)
class SetMember(Command):
    members: MongoMembers
    random: RandomBytes

    async def plan(self, scope: MemberScope, user: AnyUser, roles: Sequence[str], *, id: str = "") -> Entry[Member]:
        refuse_first(problems_of(roles, scope.kind))
        after = _member(id or new_id(self.random), scope, user, roles)
        before = await self.members.find_of(user.id, scope.id)
        if before is not None:
            after = msgspec.structs.replace(before, state=after.state, roles=after.roles)
        return Entry(MEMBERS, before, after)

    async def plan_own(
        self, user: AnyUser, roles: Sequence[str], *, is_new: bool, exact: bool = False
    ) -> tuple[tuple[Entry[Member], ...], frozenset[str]]:
        """Returns the changes and the scopes they decide; ``exact`` decides all, and removes memberships without roles."""
        refuse_first(problems_of(roles))
        stored = [] if is_new else await self.members.list_of_user(user.id)
        named = frozenset(user.org_id if ROLES[role] is Scope.ORGANIZATION else INSTANCE for role in roles)
        entries = put_roles(stored, roles, user_id=user.id, org_id=user.org_id, random=self.random)
        if not exact:
            return entries, named
        every = frozenset((user.org_id, INSTANCE))
        left = every - named
        return (*entries, *(remove_member(one) for one in stored if one.scope_id in left and one.roles)), every


@dataclass(frozen=True, slots=True)
class UpdateMember(Command):
    commit: Commit
    members: MongoMembers

    async def __call__(self, scope: MemberScope, user_id: str, roles: Sequence[str], *, actor: str) -> Member:
        return await self.commit(update_member(await _load(self.members, scope, user_id), roles), actor=actor)


@dataclass(frozen=True, slots=True)
class RemoveMember(Command):
    commit: Commit
    members: MongoMembers

    def plan(self, before: Member) -> Entry[Member]:
        return remove_member(before)

    async def __call__(self, scope: MemberScope, user_id: str, *, actor: str) -> Member:
        return await self.commit(self.plan(await _load(self.members, scope, user_id)), actor=actor)


async def _load(members: MongoMembers, scope: MemberScope, user_id: str) -> Member:
    member = await members.find_of(user_id, scope.id)
    if member is None or not member.roles:
        raise MEMBER_NOT_FOUND.error()
    return member


def _member(id: str, scope: MemberScope, user: AnyUser, roles: Sequence[str]) -> Member:
    return Member(
        id=id,
        org_id=user.org_id if scope.kind is Scope.INSTANCE else scope.org_id,
        user_id=user.id,
        scope=scope.kind,
        scope_id=scope.id,
        roles=tuple(sorted(set(roles))),
        state=State.ACTIVE if roles else State.DELETED,
    )
