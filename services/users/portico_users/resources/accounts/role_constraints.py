"""Finds roles to remove with their source, so that they do not return if the source is added again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence

import msgspec
from portico_runtime.mongo import Database, Session

from portico_users.kernel.constraints import AT_ONCE, Cascade
from portico_users.kernel.entry import Document, Entry
from portico_users.kernel.records import Record, State
from portico_users.resources.accounts.account import AnyUser
from portico_users.resources.accounts.store import ACCOUNTS, changed_user
from portico_users.resources.grants.project_grant_changes import remove_project_grant, without_roles
from portico_users.resources.grants.project_grants import PROJECT_GRANTS
from portico_users.resources.grants.role_grants import RoleGrant
from portico_users.resources.projects.store import PROJECTS

Keys = Collection[str]
_Finds = Callable[[Keys], Cascade]
_Now = Callable[[Database, Session], Awaitable[set[str]]]


def given_in_project(project_id: str, keys: Keys) -> tuple[Cascade, ...]:
    """Returns cascades for removed roles of a project, unless added again: from its grants and from all users."""

    async def now(database: Database, session: Session) -> set[str]:
        row = await database[PROJECTS.name].find_one({"_id": project_id}, {"roles.key": 1}, session=session)
        return {role["key"] for role in row.get("roles", ())} if row else set()

    return tuple(_while_gone(keys, now, finds) for finds in _in_project(project_id))


def given_by_grant(grant_id: str, keys: Keys) -> tuple[Cascade, ...]:
    """Returns cascades for removed roles of a project grant, unless added again."""

    async def now(database: Database, session: Session) -> set[str]:
        row = await database[PROJECT_GRANTS.name].find_one({"_id": grant_id}, {"roleKeys": 1}, session=session)
        return set(row.get("roleKeys", ())) if row else set()

    return (_while_gone(keys, now, lambda gone: users_by_grant(grant_id, gone)),)


def left_in_project(project_id: str, keys: Keys) -> tuple[Cascade, ...]:
    """Returns cascades that remove leftovers of earlier roles when a role of that key is added."""
    return tuple(finds(keys) for finds in _in_project(project_id))


def users_by_grant(grant_id: str, keys: Keys | None) -> Cascade:
    """Removes roles that users have through a grant; None for all."""
    return _users({"projectGrantId": grant_id}, lambda grant: grant.project_grant_id == grant_id, keys)


def users_in(project_id: str, keys: Keys | None) -> Cascade:
    """Removes roles that users have in a project, with or without a project grant; None for all."""
    return _users({"projectId": project_id}, lambda grant: grant.project_id == project_id, keys)


def grants_of(project_id: str, keys: Keys | None) -> Cascade:
    """Removes roles from the grants of a project; None removes the grants."""
    question: Document = {"projectId": project_id, "state": {"$ne": State.DELETED.value}}
    if keys is not None:
        question["roleKeys"] = {"$in": sorted(keys)}

    async def find(database: Database, session: Session) -> Sequence[Entry[Record]]:
        rows = database[PROJECT_GRANTS.name].find(question, session=session).limit(AT_ONCE)
        grants = [PROJECT_GRANTS.record(row) for row in await rows.to_list(AT_ONCE)]
        return [remove_project_grant(grant) if keys is None else without_roles(grant, keys) for grant in grants]

    return find


def _in_project(project_id: str) -> tuple[_Finds, ...]:
    # Change the grants first: until then users could be granted the role through one of them.
    return lambda keys: grants_of(project_id, keys), lambda keys: users_in(project_id, keys)


def _while_gone(keys: Keys, now: _Now, finds: _Finds) -> Cascade:
    async def find(database: Database, session: Session) -> Sequence[Entry[Record]]:
        gone = set(keys) - await now(database, session)
        return await finds(gone)(database, session) if gone else ()

    return find


def _users(question: Document, is_meant: Callable[[RoleGrant], bool], keys: Keys | None) -> Cascade:
    wanted = question if keys is None else {**question, "roleKeys": {"$in": sorted(keys)}}

    async def find(database: Database, session: Session) -> Sequence[Entry[Record]]:
        rows = database[ACCOUNTS.name].find({"grants": {"$elemMatch": wanted}}, session=session).limit(AT_ONCE)
        users = [ACCOUNTS.record(row) for row in await rows.to_list(AT_ONCE)]
        return [_without(user, is_meant, keys) for user in users]

    return find


def _without(user: AnyUser, is_meant: Callable[[RoleGrant], bool], keys: Keys | None) -> Entry[AnyUser]:
    left = [
        _less(grant, grant.role_keys if keys is None else keys) if is_meant(grant) else grant for grant in user.grants
    ]
    after = msgspec.structs.replace(user, grants=tuple(grant for grant in left if grant.role_keys))
    return changed_user(user, after)


def _less(grant: RoleGrant, gone: Keys) -> RoleGrant:
    return msgspec.structs.replace(grant, role_keys=tuple(key for key in grant.role_keys if key not in gone))
