"""Finds roles to remove with their source, so that they do not return if the source is added again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence

import msgspec
from portico_runtime.mongo.client import Database, Session

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import ACCOUNTS, changed_user
from portico_users.groups.constraints import IsMeant, groups_with, less
from portico_users.journal.constraints import AT_ONCE, Cascade
from portico_users.projects.project_grant_changes import remove_project_grant, without_roles
from portico_users.projects.project_grants import PROJECT_GRANTS
from portico_users.projects.store import PROJECTS
from portico_users.storage.entry import Document, Entry
from portico_users.values.records import Record, State

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

    return tuple(_while_gone(keys, now, finds) for finds in _by_grant(grant_id))


def left_in_project(project_id: str, keys: Keys) -> tuple[Cascade, ...]:
    """Returns cascades that remove leftovers of earlier roles when a role of that key is added."""
    return tuple(finds(keys) for finds in _in_project(project_id))


def by_grant(grant_id: str, keys: Keys | None) -> tuple[Cascade, ...]:
    """Removes roles that groups and users have through a grant; None for all."""
    return _given({"projectGrantId": grant_id}, lambda grant: grant.project_grant_id == grant_id, keys)


def roles_in(project_id: str, keys: Keys | None) -> tuple[Cascade, ...]:
    """Removes roles that groups and users have in a project, with or without a project grant; None for all."""
    return _given({"projectId": project_id}, lambda grant: grant.project_id == project_id, keys)


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
    # Change the grants first: until then users could be granted the role through one of them. Likewise the groups.
    return (
        lambda keys: grants_of(project_id, keys),
        lambda keys: roles_in(project_id, keys)[0],
        lambda keys: roles_in(project_id, keys)[1],
    )


def _by_grant(grant_id: str) -> tuple[_Finds, ...]:
    return lambda keys: by_grant(grant_id, keys)[0], lambda keys: by_grant(grant_id, keys)[1]


def _while_gone(keys: Keys, now: _Now, finds: _Finds) -> Cascade:
    async def find(database: Database, session: Session) -> Sequence[Entry[Record]]:
        gone = set(keys) - await now(database, session)
        return await finds(gone)(database, session) if gone else ()

    return find


def _given(question: Document, is_meant: IsMeant, keys: Keys | None) -> tuple[Cascade, Cascade]:
    # Change the groups first: until then a user could be put into one that gives the role.
    return groups_with(question, is_meant, keys), _users(question, is_meant, keys)


def _users(question: Document, is_meant: IsMeant, keys: Keys | None) -> Cascade:
    wanted = {"$elemMatch": question if keys is None else {**question, "roleKeys": {"$in": sorted(keys)}}}

    async def find(database: Database, session: Session) -> Sequence[Entry[Record]]:
        rows = database[ACCOUNTS.name].find({"grants": wanted}, session=session).limit(AT_ONCE)
        users = [ACCOUNTS.record(row) for row in await rows.to_list(AT_ONCE)]
        return [_without(user, is_meant, keys) for user in users]

    return find


def _without(user: AnyUser, is_meant: IsMeant, keys: Keys | None) -> Entry[AnyUser]:
    return changed_user(user, msgspec.structs.replace(user, grants=less(user.grants, is_meant, keys)))
