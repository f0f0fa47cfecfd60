"""What ties users, members, project grants and projects: whoever has a role by a grant has it no longer than that.

A role given by a project grant goes with the grant, with the grant's role, with the project's role, with the project:
in the same transaction. A change that relies on a grant or a project touches it, so that it cannot pass by one that
takes away what it relies on.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

import msgspec
from portico_runtime.mongo import Database, Session

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import ACCOUNTS
from portico_users.domain.records import State
from portico_users.domain.role_grants import RoleGrant
from portico_users.domain.roles import Scope
from portico_users.humans.human import Human
from portico_users.humans.store import HUMANS
from portico_users.journal.entry import Document, Entry
from portico_users.journal.ties import AT_ONCE, UNTIED, Follow, Hold, Tie, Ties
from portico_users.machines.store import MACHINES
from portico_users.members.commands import remove_member
from portico_users.members.member import Member
from portico_users.members.store import MEMBERS
from portico_users.project_grants.commands import remove_project_grant, without_roles
from portico_users.project_grants.project_grant import ProjectGrant
from portico_users.project_grants.store import PROJECT_GRANTS
from portico_users.projects.project import Project
from portico_users.projects.store import PROJECTS

_THERE: Final[Document] = {"state": {"$ne": State.DELETED.value}}


def _of_user(entry: Entry[AnyUser]) -> Tie:
    """Roles that are new by a project grant rely on it."""
    if not any(grant.project_grant_id for grant in entry.after.grants):
        return UNTIED
    before = {grant.project_grant_id: grant for grant in entry.before.grants} if entry.before else {}
    holds = []
    for grant in entry.after.grants:
        known = before.get(grant.project_grant_id)
        new = set(grant.role_keys) - set(known.role_keys if known else ())
        if grant.project_grant_id and new:
            place = {"projectId": grant.project_id, "grantedOrgId": grant.org_id, "roleKeys": {"$all": sorted(new)}}
            holds.append(Hold(PROJECT_GRANTS.name, grant.project_grant_id, {**_THERE, **place}))
    return Tie(holds=tuple(holds))


def _of_member(entry: Entry[Member]) -> Tie:
    """A membership relies on the project grant it is in."""
    member = entry.after
    if member.scope is not Scope.PROJECT_GRANT or not member.roles:
        return UNTIED
    place = {**_THERE, "grantedOrgId": member.org_id}
    return Tie(holds=(Hold(PROJECT_GRANTS.name, member.scope_id, place),))


def _of_project_grant(entry: Entry[ProjectGrant]) -> Tie:
    """New roles rely on the project; users lose those that go, and all with the grant, which takes its members along."""
    before, after = entry.before, entry.after
    known = set(before.role_keys if before else ())
    gone, new = known - set(after.role_keys), set(after.role_keys) - known
    if after.state is State.DELETED:
        return Tie(follows=(_users_without(after.id, None), _members_of(after.id)))
    question: Document = {**_THERE, "orgId": after.org_id}
    if new:
        question["roles.key"] = {"$all": sorted(new)}
    holds = (Hold(PROJECTS.name, after.project_id, question),) if new or before is None else ()
    return Tie(holds=holds, follows=(_users_without(after.id, gone),) if gone else ())


def _of_project(entry: Entry[Project]) -> Tie:
    """Its grants lose roles it has no more, and go with it."""
    if entry.before is None:
        return UNTIED
    if entry.after.state is State.DELETED:
        return Tie(follows=(_grants_without(entry.after.id, None),))
    gone = {role.key for role in entry.before.roles} - {role.key for role in entry.after.roles}
    return Tie(follows=(_grants_without(entry.after.id, gone),)) if gone else UNTIED


TIES: Final[Ties] = {
    HUMANS.name: _of_user,
    MEMBERS.name: _of_member,
    PROJECT_GRANTS.name: _of_project_grant,
    PROJECTS.name: _of_project,
}
"""Service users share the table of humans."""


def _users_without(grant_id: str, gone: Collection[str] | None) -> Follow:
    """Users lose some of the roles they have by a grant; all of them without a word which."""
    question: Document = {"projectGrantId": grant_id}
    if gone is not None:
        question["roleKeys"] = {"$in": sorted(gone)}

    async def find(database: Database, session: Session) -> Sequence[Entry[Any]]:
        rows = database[ACCOUNTS.name].find({"grants": {"$elemMatch": question}}, session=session)
        users = [ACCOUNTS.record(row) for row in await rows.to_list(AT_ONCE)]
        return [_user_without(user, grant_id, gone) for user in users]

    return find


def _user_without(user: AnyUser, grant_id: str, gone: Collection[str] | None) -> Entry[Any]:
    left = [
        grant if grant.project_grant_id != grant_id else _less(grant, grant.role_keys if gone is None else gone)
        for grant in user.grants
    ]
    after = msgspec.structs.replace(user, grants=tuple(grant for grant in left if grant.role_keys))
    return Entry(HUMANS, user, after) if isinstance(user, Human) else Entry(MACHINES, user, after)


def _less(grant: RoleGrant, gone: Collection[str]) -> RoleGrant:
    return msgspec.structs.replace(grant, role_keys=tuple(key for key in grant.role_keys if key not in gone))


def _members_of(grant_id: str) -> Follow:
    async def find(database: Database, session: Session) -> Sequence[Entry[Any]]:
        rows = database[MEMBERS.name].find({"scopeId": grant_id, **_THERE}, session=session)
        return [remove_member(MEMBERS.record(row)) for row in await rows.to_list(AT_ONCE)]

    return find


def _grants_without(project_id: str, gone: Collection[str] | None) -> Follow:
    """The grants of a project lose some roles; without a word which, they go."""
    question: Document = {"projectId": project_id, **_THERE}
    if gone is not None:
        question["roleKeys"] = {"$in": sorted(gone)}

    async def find(database: Database, session: Session) -> Sequence[Entry[Any]]:
        rows = database[PROJECT_GRANTS.name].find(question, session=session)
        grants = [PROJECT_GRANTS.record(row) for row in await rows.to_list(AT_ONCE)]
        return [remove_project_grant(grant) if gone is None else without_roles(grant, gone) for grant in grants]

    return find
