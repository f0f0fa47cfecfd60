"""Adds, changes and removes projects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from portico_oauth.opaque import RandomBytes

from portico_users.commands.command import Command, Commit
from portico_users.directory.members.changes import add_member
from portico_users.directory.members.member import Member
from portico_users.directory.members.roles import Scope
from portico_users.directory.projects.changes import problems_of_role, put_project, remove_project
from portico_users.directory.projects.project import Project, ProjectRole, with_roles
from portico_users.kernel.entry import Entry
from portico_users.kernel.names import new_id
from portico_users.kernel.problems import refuse_first

OWNER = "PROJECT_OWNER"


@dataclass(frozen=True, slots=True)
class WantedRoles:
    """The roles a document names.

    Args:
        exact: roles it does not name are removed.
    """

    roles: Sequence[ProjectRole]
    exact: bool = False


@dataclass(frozen=True, slots=True)
class AddProject(Command):
    """Creates a project."""

    commit: Commit
    random: RandomBytes

    def plan(self, project: Project, *, roles: WantedRoles | None = None) -> Entry[Project]:
        """Plans a new project.

        Args:
            project: an empty id is generated.

        Raises:
            ServiceError: USER-002 for the name or a role, USER-044 for too many roles.
        """
        project = msgspec.structs.replace(project, id=project.id or new_id(self.random))
        return put_project(None, _with(project, roles))

    async def __call__(self, project: Project, *, owner_id: str = "", actor: str) -> Project:
        """The project as it was created.

        Args:
            owner_id: the user who becomes its owner; empty for none.

        Raises:
            ServiceError: as `plan`; USER-011 for a name that is in use in the organization.
        """
        entry = self.plan(project)
        entries: list[Entry[Any]] = [entry]
        if owner_id:
            added = entry.after
            owner = Member(
                id=new_id(self.random),
                org_id=added.org_id,
                user_id=owner_id,
                scope=Scope.PROJECT,
                scope_id=added.id,
                roles=(OWNER,),
            )
            entries.append(add_member(None, owner))
        records: Sequence[Any] = await self.commit.all(entries, actor=actor)
        created: Project = records[0]
        return created


@dataclass(frozen=True, slots=True)
class UpdateProject(Command):
    """Changes name, settings and roles of a project."""

    commit: Commit

    def plan(self, before: Project, after: Project, *, roles: WantedRoles | None = None) -> Entry[Project]:
        """Plans a change. Raises as `AddProject.plan`.

        Args:
            roles: set by their keys; None leaves all of them as they are.
        """
        return put_project(before, _with(after, roles))

    async def __call__(self, before: Project, after: Project, *, actor: str) -> Project:
        """The project as it was changed. Raises as `plan`; USER-702 when nothing would change, USER-011 for the name."""
        return await self.commit.change(self.plan(before, after), actor=actor)


@dataclass(frozen=True, slots=True)
class RemoveProject(Command):
    """Removes projects for good, with their grants and the roles users have in them.

    Its applications are unknown from then on, for they are only found through their project.
    """

    commit: Commit

    def plan(self, before: Project) -> Entry[Project]:
        """Plans the removal."""
        return remove_project(before)

    async def __call__(self, before: Project, *, actor: str) -> Project:
        """The project as it was removed."""
        return await self.commit(self.plan(before), actor=actor)


def _with(project: Project, wanted: WantedRoles | None) -> Project:
    if wanted is None:
        return project
    for number, role in enumerate(wanted.roles):
        refuse_first(problems_of_role(role), f"roles[{number}]")
    return msgspec.structs.replace(project, roles=with_roles(() if wanted.exact else project.roles, wanted.roles))
