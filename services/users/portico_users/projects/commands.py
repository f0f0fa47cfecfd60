"""Projects, their roles, and their grants to other organizations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from portico_oauth.opaque import RandomBytes

from portico_users.administrators.changes import add_member
from portico_users.administrators.member import Member
from portico_users.administrators.permissions import Scope
from portico_users.applications.app_record import App
from portico_users.applications.edit_apps import AddApp
from portico_users.grants.constraints import left_of_project
from portico_users.grants.role_constraints import given_by_grant, given_in_project
from portico_users.journal.command import Command, Commit
from portico_users.projects.changes import (
    problems_of_role,
    put_project,
    remove_project,
    with_changed_role,
    with_new_roles,
    without_role,
)
from portico_users.projects.project import Project, ProjectRole, with_roles
from portico_users.projects.project_grant_changes import put_project_grant, remove_project_grant
from portico_users.projects.project_grants import ProjectGrant
from portico_users.projects.store import PROJECT_NOT_FOUND
from portico_users.storage.entry import Entry
from portico_users.values.names import new_id
from portico_users.values.problems import below, refuse_first
from portico_users.values.records import State

OWNER = "PROJECT_OWNER"


@dataclass(frozen=True, slots=True)
class WantedRoles:
    roles: Sequence[ProjectRole]
    exact: bool = False


@dataclass(frozen=True, slots=True)
class AddProject(Command):
    commit: Commit
    random: RandomBytes

    def plan(self, project: Project, *, roles: WantedRoles | None = None) -> Entry[Project]:
        project = msgspec.structs.replace(project, id=project.id or new_id(self.random))
        return put_project(None, _with(project, roles))

    def plan_owned(self, project: Project, owner_id: str) -> tuple[Entry[Project], *tuple[Entry[Member], ...]]:
        """Plans the project and, unless `owner_id` is empty, its owner."""
        entry = self.plan(project)
        if not owner_id:
            return (entry,)
        added = entry.after
        owner = Member(
            id=new_id(self.random),
            org_id=added.org_id,
            user_id=owner_id,
            scope=Scope.PROJECT,
            scope_id=added.id,
            roles=(OWNER,),
        )
        return entry, add_member(None, owner)

    async def __call__(self, project: Project, *, owner_id: str = "", actor: str) -> Project:
        records: Sequence[Any] = await self.commit.all(self.plan_owned(project, owner_id), actor=actor)
        created: Project = records[0]
        return created


@dataclass(frozen=True, slots=True)
class SetUpProject(Command):
    """Creates a project with its first application in one transaction."""

    commit: Commit
    add_project: AddProject
    add_app: AddApp

    async def __call__(self, project: Project, app: App, *, owner_id: str = "", actor: str) -> tuple[Project, App, str]:
        """Returns both and the client secret; paths of errors begin with ``app.`` for the application."""
        planned, *owner = self.add_project.plan_owned(project, owner_id)
        with below("app"):
            of_project = msgspec.structs.replace(app, project_id=planned.after.id)
            first = await self.add_app.plan(of_project, beside=(), project=planned.after)
        records: Sequence[Any] = await self.commit.all((planned, *owner, first.entry), actor=actor)
        return records[0], records[-1], first.secret


@dataclass(frozen=True, slots=True)
class UpdateProject(Command):
    commit: Commit

    def plan(self, before: Project, after: Project, *, roles: WantedRoles | None = None) -> Entry[Project]:
        return put_project(before, _with(after, roles))

    async def __call__(self, before: Project, after: Project, *, actor: str) -> Project:
        return await self.commit.change(self.plan(before, after), actor=actor)


@dataclass(frozen=True, slots=True)
class RemoveProject(Command):
    """Removes projects with their applications, grants and roles."""

    commit: Commit

    def plan(self, before: Project) -> Entry[Project]:
        return remove_project(before)

    async def __call__(self, before: Project, *, actor: str) -> Project:
        """After USER-910 the project is removed, but not all of its applications and roles: repeat the call to continue."""
        if before.state is not State.DELETED:
            return await self.commit(self.plan(before), actor=actor)
        if await self.commit.finish(left_of_project(before.id), actor=actor):
            return before
        raise PROJECT_NOT_FOUND.error()


def _with(project: Project, wanted: WantedRoles | None) -> Project:
    if wanted is None:
        return project
    for number, role in enumerate(wanted.roles):
        refuse_first(problems_of_role(role), f"roles[{number}]")
    return msgspec.structs.replace(project, roles=with_roles(() if wanted.exact else project.roles, wanted.roles))


@dataclass(frozen=True, slots=True)
class AddProjectRoles(Command):
    """Adds all the given roles or none."""

    commit: Commit

    async def __call__(self, before: Project, roles: Sequence[ProjectRole], *, actor: str) -> Project:
        """Raises USER-703 for an existing or repeated key, USER-002, USER-044."""
        return await self.commit(put_project(before, with_new_roles(before, roles, "roles[{number}]")), actor=actor)

    async def add_one(self, before: Project, role: ProjectRole, *, actor: str) -> Project:
        return await self.commit(put_project(before, with_new_roles(before, [role], "")), actor=actor)


@dataclass(frozen=True, slots=True)
class UpdateProjectRole(Command):
    commit: Commit

    async def __call__(self, before: Project, role: ProjectRole, *, actor: str) -> Project:
        return await self.commit.change(put_project(before, with_changed_role(before, role)), actor=actor)


@dataclass(frozen=True, slots=True)
class RemoveProjectRole(Command):
    """Removes a role and revokes it from all users."""

    commit: Commit

    async def __call__(self, before: Project, key: str, *, actor: str) -> Project:
        """After USER-910 the role is removed, but not yet from all users: repeat the call to continue."""
        known = any(role.key == key for role in before.roles)
        if not known and await self.commit.finish(given_in_project(before.id, (key,)), actor=actor):
            return before
        return await self.commit(put_project(before, without_role(before, key)), actor=actor)


@dataclass(frozen=True, slots=True)
class AddProjectGrant(Command):
    commit: Commit
    random: RandomBytes

    def plan(self, grant: ProjectGrant, project: Project) -> Entry[ProjectGrant]:
        return put_project_grant(None, msgspec.structs.replace(grant, id=grant.id or new_id(self.random)), project)

    async def __call__(self, grant: ProjectGrant, project: Project, *, actor: str) -> ProjectGrant:
        return await self.commit(self.plan(grant, project), actor=actor)


@dataclass(frozen=True, slots=True)
class UpdateProjectGrant(Command):
    """Changes a grant; removed roles are revoked from users who have them through it."""

    commit: Commit

    def plan(self, before: ProjectGrant, after: ProjectGrant, project: Project) -> Entry[ProjectGrant]:
        return put_project_grant(before, after, project)

    async def __call__(
        self, before: ProjectGrant, role_keys: Sequence[str], project: Project, *, actor: str
    ) -> ProjectGrant:
        """After USER-910 the grant is changed, but some users still have a removed role: repeat the call."""
        entry = self.plan(before, msgspec.structs.replace(before, role_keys=tuple(role_keys)), project)
        revoked = {role.key for role in project.roles} - set(entry.after.role_keys)
        if before == entry.after and await self.commit.finish(given_by_grant(before.id, revoked), actor=actor):
            return before
        return await self.commit.change(entry, actor=actor)


@dataclass(frozen=True, slots=True)
class RemoveProjectGrant(Command):
    """Removes grants with their members and the roles granted through them."""

    commit: Commit

    def plan(self, before: ProjectGrant) -> Entry[ProjectGrant]:
        return remove_project_grant(before)

    async def __call__(self, before: ProjectGrant, *, actor: str) -> ProjectGrant:
        return await self.commit(self.plan(before), actor=actor)
