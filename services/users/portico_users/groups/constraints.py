"""Constraints of groups: members follow every change of their groups in its transaction (decision 0098)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

import msgspec
from portico_runtime.mongo.client import Database, Session

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import ACCOUNTS, changed_user
from portico_users.grants.role_grants import RoleGrant
from portico_users.groups.group import GROUPS, NESTED_TWICE, Group
from portico_users.groups.inherited import OneUser, in_groups
from portico_users.groups.memberships import InGroups
from portico_users.identity_providers.store import IDPS
from portico_users.journal.constraints import AT_ONCE, NO_CONSTRAINTS, Cascade, Check, Constraints
from portico_users.storage.entry import NOT_DELETED, Document, Entry, VersionGuard
from portico_users.values.records import Record, State

IsMeant = Callable[[RoleGrant], bool]

_FOLLOWED: Final = ("name", "grants", "parents", "state")


def guards_of_groups(entry: Entry[AnyUser]) -> list[VersionGuard]:
    """Each group that a user is put into, or whose roles are recomputed, must be as it was read."""
    known = {(one.id, one.sequence) for one in (entry.before.groups if entry.before else ())}
    return [
        VersionGuard(GROUPS.name, one.id, {**NOT_DELETED, "orgId": entry.after.org_id, "sequence": one.sequence})
        for one in entry.after.groups
        if (one.id, one.sequence) not in known
    ]


def of_group(entry: Entry[Group], hold: Callable[[RoleGrant, Sequence[str]], VersionGuard]) -> Constraints:
    """``hold`` is the guard of the source of roles, as for those of users."""
    before, after = entry.before, entry.after
    known = {_place(grant): grant.role_keys for grant in (before.grants if before else ())}
    guards = [
        hold(grant, sorted(new))
        for grant in after.grants
        if (new := set(grant.role_keys) - set(known.get(_place(grant), ())))
    ]
    new_parents = sorted(set(after.parents) - set(before.parents if before else ()))
    alone: Document = {**NOT_DELETED, "orgId": after.org_id, "parents": []}
    guards += [VersionGuard(GROUPS.name, id, alone) for id in new_parents]
    checks = (_has_no_groups(after.id),) if new_parents else ()
    if before is None or all(getattr(before, name) == getattr(after, name) for name in _FOLLOWED):
        return Constraints(guards=tuple(guards), checks=checks) if guards or checks else NO_CONSTRAINTS
    members = _members_of(after.id, before.sequence + 1, gone=after.state is State.DELETED)
    cascades = (_unmap(after.id), _leave(after.id), members) if after.state is State.DELETED else (members,)
    return Constraints(guards=tuple(guards), checks=checks, cascades=cascades)


def groups_with(question: Document, is_meant: IsMeant, keys: Collection[str] | None) -> Cascade:
    """Removes roles from groups; None for all. Their members lose them with those of their own."""
    wanted = question if keys is None else {**question, "roleKeys": {"$in": sorted(keys)}}

    async def find(database: Database, session: Session) -> Sequence[Entry[Record]]:
        rows = database[GROUPS.name].find({"grants": {"$elemMatch": wanted}}, session=session).limit(AT_ONCE)
        groups = [GROUPS.record(row) for row in await rows.to_list(AT_ONCE)]
        return [
            Entry(GROUPS, group, msgspec.structs.replace(group, grants=less(group.grants, is_meant, keys)))
            for group in groups
        ]

    return find


def less(grants: Sequence[RoleGrant], is_meant: IsMeant, keys: Collection[str] | None) -> tuple[RoleGrant, ...]:
    left = [
        _without(grant, grant.role_keys if keys is None else keys) if is_meant(grant) else grant for grant in grants
    ]
    return tuple(grant for grant in left if grant.role_keys)


def _without(grant: RoleGrant, gone: Collection[str]) -> RoleGrant:
    return msgspec.structs.replace(grant, role_keys=tuple(key for key in grant.role_keys if key not in gone))


def _place(grant: RoleGrant) -> tuple[str, str, str]:
    return grant.project_id, grant.org_id, grant.project_grant_id


def _has_no_groups(id: str) -> Check:
    async def check(database: Database, session: Session) -> None:
        if await database[GROUPS.name].find_one({"parents": id, **NOT_DELETED}, {"_id": 1}, session=session):
            raise NESTED_TWICE.error(id=id)

    return check


def _unmap(id: str) -> Cascade:
    """Removes the mappings of a deleted group from identity providers."""

    async def find(database: Database, session: Session) -> Sequence[Entry[Record]]:
        question = {"tables.memberships.groupId": id, **NOT_DELETED}
        rows = database[IDPS.name].find(question, session=session).limit(AT_ONCE)
        idps = [IDPS.record(row) for row in await rows.to_list(AT_ONCE)]
        return [Entry(IDPS, one, msgspec.structs.replace(one, tables=one.tables.without_group(id))) for one in idps]

    return find


def _leave(id: str) -> Cascade:
    """Takes the groups that belonged to a deleted group out of it."""

    async def find(database: Database, session: Session) -> Sequence[Entry[Record]]:
        rows = database[GROUPS.name].find({"parents": id, **NOT_DELETED}, session=session).limit(AT_ONCE)
        groups = [GROUPS.record(row) for row in await rows.to_list(AT_ONCE)]
        return [
            Entry(GROUPS, one, msgspec.structs.replace(one, parents=tuple(each for each in one.parents if each != id)))
            for one in groups
        ]

    return find


def _members_of(id: str, sequence: int, *, gone: bool) -> Cascade:
    """Lets the members of a group follow its change."""
    question: Document = {"groups.id": id}
    if not gone:
        question = {"groups": {"$elemMatch": {"id": id, "sequence": {"$lt": sequence}}}}

    async def find(database: Database, session: Session) -> Sequence[Entry[Record]]:
        rows = database[ACCOUNTS.name].find(question, session=session).limit(AT_ONCE)
        users = [ACCOUNTS.record(row) for row in await rows.to_list(AT_ONCE)]
        moved = await put_into(database, session, [(user, user.groups) for user in users])
        return [changed_user(user, after) for user, after in zip(users, moved, strict=True)]

    return find


async def put_into(database: Database, session: Session, users: Sequence[tuple[OneUser, InGroups]]) -> list[OneUser]:
    """Puts each user into these groups as they are in the transaction."""
    known = await _groups(database, session, {one.id for _user, groups in users for one in groups})
    missing = {parent for group in known.values() for parent in group.parents} - set(known)
    known |= await _groups(database, session, missing)
    return [in_groups(user, groups, known) for user, groups in users]


async def _groups(database: Database, session: Session, ids: Collection[str]) -> dict[str, Group]:
    if not ids:
        return {}
    rows = await database[GROUPS.name].find({"_id": {"$in": sorted(ids)}, **NOT_DELETED}, session=session).to_list(None)
    return {row["_id"]: GROUPS.record(row) for row in rows}
