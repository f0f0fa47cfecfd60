"""The roles of a preview, which the user does not have (decision 0142)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from portico_users.applications.app_record import App
from portico_users.journal.command import Command
from portico_users.organizations.org import MongoOrgs
from portico_users.projects.changes import refuse_unknown_roles
from portico_users.projects.project_grants import MongoProjectGrants
from portico_users.projects.store import PROJECT_NOT_FOUND, MongoProjects
from portico_users.values.problems import at, below
from portico_users.values.records import State

AllRoles = dict[str, dict[str, dict[str, str]]]
"""As in the answer to `GetRoles`."""


class WantedRoles(Protocol):
    """`project_id` is empty for the project of the application."""

    @property
    def project_id(self) -> str: ...

    @property
    def role_keys(self) -> Sequence[str]: ...


@dataclass(frozen=True, slots=True)
class PreviewedRoles(Command):
    """The roles of a preview, as if the owner of each project had granted them."""

    projects: MongoProjects
    project_grants: MongoProjectGrants
    orgs: MongoOrgs

    async def of(self, app: App, wanted: Iterable[WantedRoles]) -> AllRoles:
        """Raises USER-705 for a project that the organization of the application has nothing to do with, and USER-042."""
        granted = await self.project_grants.list_projects_granted(app.org_id)
        found: AllRoles = {}
        for number, one in enumerate(wanted):
            project = await self.projects.find(one.project_id or app.project_id)
            with below(f"roles[{number}]"):
                if project is None or project.state is State.DELETED:
                    raise at("projectId", PROJECT_NOT_FOUND.error())
                if project.org_id != app.org_id and project.id not in granted:
                    raise at("projectId", PROJECT_NOT_FOUND.error())
                refuse_unknown_roles(project, one.role_keys)
            org = await self.orgs.find(project.org_id)
            giver = {project.org_id: org.primary_domain if org else ""}
            found[project.id] = dict.fromkeys(one.role_keys, giver)
        return found
