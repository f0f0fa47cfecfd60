"""What token asks about the projects a scope names."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import GetAudiences, GetRoles, ProjectAudiences

from portico_users.directory.accounts.role_queries import RoleQueries
from portico_users.directory.apps.store import MongoApps
from portico_users.directory.grants.project_grant_store import MongoProjectGrants
from portico_users.directory.projects.project import Project
from portico_users.directory.projects.queries import ActiveProjects


@dataclass(frozen=True, slots=True)
class AudienceQueries:
    """Answers `GET_AUDIENCES`, by a few indexed reads."""

    apps: MongoApps
    projects: ActiveProjects
    project_grants: MongoProjectGrants
    roles: RoleQueries

    async def get_audiences(self, ask: GetAudiences) -> ProjectAudiences:
        """The audience of each active project the client has to do with: its client ids, sorted, then its own id."""
        related = await self._related([project for project, _org in await self.projects.list_of(ask.project_ids)], ask)
        client_ids = await self.apps.client_ids_by_project(related)
        return ProjectAudiences(audiences={id: (*client_ids.get(id, ()), id) for id in related})

    async def _related(self, projects: list[Project], ask: GetAudiences) -> list[str]:
        foreign = [project.id for project in projects if project.org_id != ask.org_id]
        related = await self.project_grants.list_granted(foreign, ask.org_id)
        if ask.user_id and (rest := [id for id in foreign if id not in related]):
            related |= (await self.roles.get_roles(GetRoles(user_id=ask.user_id, project_ids=tuple(rest)))).roles.keys()
        return [project.id for project in projects if project.org_id == ask.org_id or project.id in related]
