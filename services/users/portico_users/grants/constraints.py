"""Constraints between users, groups, members, providers, applications, project grants and projects: a granted role
lasts no longer than its source.

A role is deleted together with its source: the project grant, the role in the grant, the role in the project,
or the project. A change that depends on a grant or project touches it, so that it conflicts with a concurrent
deletion. `role_constraints.py` finds dependent roles; `login_constraints.py` has the constraints between
organizations and the instance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from portico_runtime.mongo.client import Database, Session

from portico_users.accounts.account import AnyUser
from portico_users.accounts.name_constraints import checks_of_name
from portico_users.administrators.changes import remove_member
from portico_users.administrators.member import MEMBERS, Member
from portico_users.administrators.permissions import Scope
from portico_users.applications.app_record import App
from portico_users.applications.constraints import apps_of, of_app
from portico_users.applications.store import APPS
from portico_users.end_users.store import HUMANS
from portico_users.grants.role_constraints import (
    by_grant,
    given_by_grant,
    given_in_project,
    grants_of,
    left_in_project,
    roles_in,
)
from portico_users.grants.role_grants import RoleGrant
from portico_users.groups.constraints import of_group
from portico_users.groups.group import GROUPS, Group
from portico_users.identity_providers.constraints import guards_of_providers, of_idp
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.store import IDPS
from portico_users.instance.instance import INSTANCES, Instance
from portico_users.journal.constraints import (
    AT_ONCE,
    NO_CONSTRAINTS,
    Cascade,
    Constraints,
    ConstraintsByTable,
    together,
)
from portico_users.organizations.org import ORGS, Org
from portico_users.policies import first_factor_constraints, login_constraints
from portico_users.projects.project import Project
from portico_users.projects.project_grants import PROJECT_GRANTS, ProjectGrant
from portico_users.projects.store import PROJECTS
from portico_users.scim_targets.constraints import of_removed_app, of_target, targets_of
from portico_users.scim_targets.target import SCIM_TARGETS
from portico_users.storage.entry import NOT_DELETED, Document, Entry, VersionGuard
from portico_users.values.records import Record, State
from portico_users.webhooks.constraints import hooks_of, of_webhook
from portico_users.webhooks.store import WEBHOOK_TABLE


def _of_user(entry: Entry[AnyUser]) -> Constraints:
    """New roles depend on their sources, and what a provider gives on it; a new name must not be another's address. Deleting the user removes
    the memberships too, also those added since the deletion was planned.
    """
    if entry.before is not None and entry.after.state is State.DELETED:
        return Constraints(cascades=(_members_where({"userId": entry.after.id}),))
    known = {_place(grant): grant.role_keys for grant in (entry.before.grants if entry.before else ())}
    guards = guards_of_providers(entry)
    for grant in entry.after.grants:
        if new := set(grant.role_keys) - set(known.get(_place(grant), ())):
            guards.append(_hold_of(grant, sorted(new)))
    checks = checks_of_name(entry)
    return Constraints(guards=tuple(guards), checks=checks) if guards or checks else NO_CONSTRAINTS


def _place(grant: RoleGrant) -> tuple[str, str, str]:
    return grant.project_id, grant.org_id, grant.project_grant_id


def _hold_of(grant: RoleGrant, keys: Sequence[str]) -> VersionGuard:
    if grant.project_grant_id:
        place = {"projectId": grant.project_id, "grantedOrgId": grant.org_id, "roleKeys": {"$all": keys}}
        return VersionGuard(PROJECT_GRANTS.name, grant.project_grant_id, {**NOT_DELETED, **place})
    return VersionGuard(
        PROJECTS.name, grant.project_id, {**NOT_DELETED, "orgId": grant.org_id, "roles.key": {"$all": keys}}
    )


def _of_org(entry: Entry[Org]) -> Constraints:
    return together(login_constraints.of_org(entry), first_factor_constraints.of_org(entry))


def _of_instance(entry: Entry[Instance]) -> Constraints:
    return together(login_constraints.of_instance(entry), first_factor_constraints.of_instance(entry))


def _of_idp(entry: Entry[Idp]) -> Constraints:
    return together(of_idp(entry), first_factor_constraints.of_idp(entry))


def _of_app(entry: Entry[App]) -> Constraints:
    return together(of_app(entry), of_removed_app(entry))


def _of_group(entry: Entry[Group]) -> Constraints:
    return of_group(entry, _hold_of)


def _of_member(entry: Entry[Member]) -> Constraints:
    """A membership depends on its user, and on the project or project grant it is in."""
    member = entry.after
    if not member.roles:
        return NO_CONSTRAINTS
    user = VersionGuard(HUMANS.name, member.user_id, NOT_DELETED)
    if member.scope is Scope.PROJECT:
        return Constraints(guards=(user, VersionGuard(PROJECTS.name, member.scope_id, NOT_DELETED)))
    if member.scope is Scope.PROJECT_GRANT:
        place = {**NOT_DELETED, "grantedOrgId": member.org_id}
        return Constraints(guards=(user, VersionGuard(PROJECT_GRANTS.name, member.scope_id, place)))
    return Constraints(guards=(user,))


def _of_project_grant(entry: Entry[ProjectGrant]) -> Constraints:
    """New roles depend on the project. Users lose removed roles; removing the grant removes its members too."""
    before, after = entry.before, entry.after
    known = set(before.role_keys if before else ())
    gone, new = known - set(after.role_keys), set(after.role_keys) - known
    if after.state is State.DELETED:
        return Constraints(cascades=(*by_grant(after.id, None), _members_where({"scopeId": after.id})))
    question: Document = {**NOT_DELETED, "orgId": after.org_id}
    if new:
        question["roles.key"] = {"$all": sorted(new)}
    guards = (VersionGuard(PROJECTS.name, after.project_id, question),) if new or before is None else ()
    cascades = by_grant(after.id, new) if new and before else ()
    return Constraints(guards=guards, cascades=cascades, deferred=given_by_grant(after.id, gone) if gone else ())


def _of_project(entry: Entry[Project]) -> Constraints:
    """Removed roles are removed from grants and users. Removing the project removes all that is in it."""
    if entry.before is None:
        return NO_CONSTRAINTS
    if entry.after.state is State.DELETED:
        ended = grants_of(entry.after.id, None), _members_where({"scopeId": entry.after.id})
        return Constraints(cascades=ended, deferred=left_of_project(entry.after.id))
    known, keys = ({role.key for role in project.roles} for project in (entry.before, entry.after))
    gone, new = known - keys, keys - known
    if not gone and not new:
        return NO_CONSTRAINTS
    return Constraints(
        cascades=left_in_project(entry.after.id, new) if new else (),
        deferred=given_in_project(entry.after.id, gone) if gone else (),
    )


def left_of_project(project_id: str) -> tuple[Cascade, ...]:
    """Removes what a removed project may keep for a while: its applications, its token hook and the users' roles."""
    return apps_of(project_id), hooks_of(project_id), targets_of({"projectId": project_id}), *roles_in(project_id, None)


CONSTRAINTS: Final[ConstraintsByTable] = {
    HUMANS.name: _of_user,
    GROUPS.name: _of_group,
    APPS.name: _of_app,
    IDPS.name: _of_idp,
    MEMBERS.name: _of_member,
    PROJECT_GRANTS.name: _of_project_grant,
    PROJECTS.name: _of_project,
    ORGS.name: _of_org,
    INSTANCES.name: _of_instance,
    WEBHOOK_TABLE.name: of_webhook,
    SCIM_TARGETS.name: of_target,
}
"""Service users share the table of end users."""


def _members_where(question: Document) -> Cascade:
    async def find(database: Database, session: Session) -> Sequence[Entry[Record]]:
        rows = database[MEMBERS.name].find({**question, **NOT_DELETED}, session=session).limit(AT_ONCE)
        return [remove_member(MEMBERS.record(row)) for row in await rows.to_list(AT_ONCE)]

    return find
