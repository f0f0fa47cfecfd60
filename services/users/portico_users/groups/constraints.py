"""Constraints of groups: a change is in force for all members when its call returns (decision 0136)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

import msgspec
from portico_runtime.mongo.client import Database, Session
from portico_runtime.versioned_cache.keys import MARK_SECONDS

from portico_users.accounts.store import ACCOUNTS
from portico_users.grants.role_grants import RoleGrant
from portico_users.groups.group import GROUPS, NESTED_TWICE, Group
from portico_users.identity_providers.store import IDPS
from portico_users.journal.constraints import AT_ONCE, NO_CONSTRAINTS, Cascade, Check, Constraints, RelyingReaders
from portico_users.storage.entry import NOT_DELETED, Document, Entry, VersionGuard
from portico_users.storage.schema import EVENTS
from portico_users.values.records import Record, State

IsMeant = Callable[[RoleGrant], bool]

_INHERITED: Final = ("name", "grants", "parents", "state")


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
    if before is None or all(getattr(before, name) == getattr(after, name) for name in _INHERITED):
        return Constraints(guards=tuple(guards), checks=checks) if guards or checks else NO_CONSTRAINTS
    cascades = (_unmap(after.id), _leave(after.id)) if after.state is State.DELETED else ()
    return Constraints(guards=tuple(guards), checks=checks, cascades=cascades, relied_on=_relied_on(after))


def groups_with(question: Document, is_meant: IsMeant, keys: Collection[str] | None) -> Cascade:
    """Removes roles from groups; None for all."""
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


def _relied_on(group: Group) -> RelyingReaders:
    """A group without members changes nothing that a request has read. Who joins later reads the group as it is then."""

    async def check(database: Database, at: float) -> bool:
        inside = await database[GROUPS.name].distinct("_id", {"parents": group.id})
        # The members of groups that left it meanwhile may not have their change yet.
        moved = {"orgId": group.org_id, "table": GROUPS.name, "at": {"$gt": at - MARK_SECONDS}, "fields": "parents"}
        inside += await database[EVENTS].distinct("object", moved)
        question = {"groups.id": {"$in": [group.id, *inside]}}
        return await database[ACCOUNTS.name].find_one(question, {"_id": 1}) is not None

    return check
