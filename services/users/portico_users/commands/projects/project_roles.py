"""Adds, changes and removes roles of a project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portico_users.commands.command import Command, Commit
from portico_users.directory.accounts.role_constraints import given_in_project
from portico_users.directory.projects.changes import put_project
from portico_users.directory.projects.project import Project, ProjectRole
from portico_users.directory.projects.role_changes import with_changed_role, with_new_roles, without_role


@dataclass(frozen=True, slots=True)
class AddProjectRoles(Command):
    """Adds all of some roles, or none."""

    commit: Commit

    async def __call__(self, before: Project, roles: Sequence[ProjectRole], *, actor: str) -> Project:
        """The project with the roles.

        Raises:
            ServiceError: USER-703 for a key the project has, or that is named twice, USER-002, USER-044.
        """
        return await self.commit(put_project(before, with_new_roles(before, roles, "roles[{number}]")), actor=actor)

    async def add_one(self, before: Project, role: ProjectRole, *, actor: str) -> Project:
        """The project with the role. Raises as the call."""
        return await self.commit(put_project(before, with_new_roles(before, [role], "")), actor=actor)


@dataclass(frozen=True, slots=True)
class UpdateProjectRole(Command):
    """Replaces display name and group of a role."""

    commit: Commit

    async def __call__(self, before: Project, role: ProjectRole, *, actor: str) -> Project:
        """The project with the role; USER-704 for an unknown one, USER-002, USER-702 when nothing would change."""
        return await self.commit.change(put_project(before, with_changed_role(before, role)), actor=actor)


@dataclass(frozen=True, slots=True)
class RemoveProjectRole(Command):
    """Removes a role, and revokes it from everyone who has it."""

    commit: Commit

    async def __call__(self, before: Project, key: str, *, actor: str) -> Project:
        """The project without the role.

        Raises:
            ServiceError: USER-704 for an unknown one; USER-910 when it is removed, but more users have it than one call
                can write: a repetition continues.
        """
        known = any(role.key == key for role in before.roles)
        if not known and await self.commit.finish(given_in_project(before.id, (key,)), actor=actor):
            return before
        return await self.commit(put_project(before, without_role(before, key)), actor=actor)
