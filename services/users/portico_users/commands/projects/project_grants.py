"""Grants projects to other organizations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from portico_oauth.opaque import RandomBytes

from portico_users.commands.command import Command, Commit
from portico_users.directory.accounts.role_constraints import given_by_grant
from portico_users.directory.grants.project_grant import ProjectGrant
from portico_users.directory.grants.project_grant_changes import put_project_grant, remove_project_grant
from portico_users.directory.projects.project import Project
from portico_users.kernel.entry import Entry
from portico_users.kernel.names import new_id


@dataclass(frozen=True, slots=True)
class AddProjectGrant(Command):
    """Lets another organization grant its users roles of a project."""

    commit: Commit
    random: RandomBytes

    def plan(self, grant: ProjectGrant, project: Project) -> Entry[ProjectGrant]:
        """Plans a new grant.

        Args:
            grant: an empty id is generated.

        Raises:
            ServiceError: USER-872 for the project's own organization, USER-042 for a role the project does not have.
        """
        return put_project_grant(None, msgspec.structs.replace(grant, id=grant.id or new_id(self.random)), project)

    async def __call__(self, grant: ProjectGrant, project: Project, *, actor: str) -> ProjectGrant:
        """The grant as it was created. Raises as `plan`; USER-871 where the organization has one."""
        return await self.commit(self.plan(grant, project), actor=actor)


@dataclass(frozen=True, slots=True)
class UpdateProjectGrant(Command):
    """Changes a grant; roles it no longer has are revoked from all users who have them by it."""

    commit: Commit

    def plan(self, before: ProjectGrant, after: ProjectGrant, project: Project) -> Entry[ProjectGrant]:
        """Plans a change. Raises as `AddProjectGrant.plan`."""
        return put_project_grant(before, after, project)

    async def __call__(
        self, before: ProjectGrant, role_keys: Sequence[str], project: Project, *, actor: str
    ) -> ProjectGrant:
        """The grant of these roles.

        Raises:
            ServiceError: as `plan`, USER-702 when nothing would change; USER-910 when it is changed, but more users have a
                revoked role than one call can write: a repetition continues.
        """
        entry = self.plan(before, msgspec.structs.replace(before, role_keys=tuple(role_keys)), project)
        revoked = {role.key for role in project.roles} - set(entry.after.role_keys)
        if before == entry.after and await self.commit.finish(given_by_grant(before.id, revoked), actor=actor):
            return before
        return await self.commit.change(entry, actor=actor)


@dataclass(frozen=True, slots=True)
class RemoveProjectGrant(Command):
    """Removes grants for good, with their members and what users were granted by them."""

    commit: Commit

    def plan(self, before: ProjectGrant) -> Entry[ProjectGrant]:
        """Plans the removal."""
        return remove_project_grant(before)

    async def __call__(self, before: ProjectGrant, *, actor: str) -> ProjectGrant:
        """The grant as it was removed."""
        return await self.commit(self.plan(before), actor=actor)
