"""Which projects may be used: active ones of active organizations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from portico_users.directory.organizations.org import Org
from portico_users.directory.organizations.store import MongoOrgs
from portico_users.directory.projects.project import Project
from portico_users.directory.projects.store import MongoProjects


class OwnedProject(NamedTuple):
    """An active project with its active organization. Made by `ActiveProjects` only."""

    project: Project
    org: Org


@dataclass(frozen=True, slots=True)
class ActiveProjects:
    """Reads projects together with their organizations: two indexed reads for any number of them."""

    projects: MongoProjects
    orgs: MongoOrgs

    async def list_of(self, ids: Iterable[str]) -> list[OwnedProject]:
        """The active ones among some project ids; unknown and inactive ones are left out alike."""
        projects = await self.projects.list_active(ids)
        orgs = {org.id: org for org in await self.orgs.list_active(project.org_id for project in projects)}
        return [OwnedProject(project, orgs[project.org_id]) for project in projects if project.org_id in orgs]
