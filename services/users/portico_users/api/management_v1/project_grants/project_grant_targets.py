"""Finds the project grant a request names: for the owner of the project, and for whom it is granted to.

Each side finds the grant as something of its own; for everybody else there is none (MG-04).
"""

from __future__ import annotations

from typing import Protocol

from portico_users.api.transport.call import RequestContext, Target
from portico_users.api.transport.targets import header_org_id
from portico_users.directory.grants.project_grant_store import (
    PROJECT_GRANT_NOT_FOUND,
    MongoProjectGrants,
    OfProject,
    find_with_project,
)
from portico_users.directory.projects.store import MongoProjects


class NamesProjectGrant(Protocol):
    """A request with the ids of a project and of a grant of it."""

    @property
    def project_id(self) -> str:
        """The id of the project."""
        ...

    @property
    def grant_id(self) -> str:
        """The id of the grant."""
        ...


async def made_grant(
    context: RequestContext, request: NamesProjectGrant, *, grants: MongoProjectGrants, projects: MongoProjects
) -> Target[OfProject]:
    """The grant, as something of the project's organization.

    Raises:
        ServiceError: USER-870 when there is none, whichever id is wrong; USER-313 for a header that may not be.
    """
    found = await _load(context, request, grants, projects)
    return Target(found.project.org_id, found, PROJECT_GRANT_NOT_FOUND, project_id=found.project.id)


async def received_grant(
    context: RequestContext, request: NamesProjectGrant, *, grants: MongoProjectGrants, projects: MongoProjects
) -> Target[OfProject]:
    """The grant, as something of the organization the project is granted to. Raises as `made_grant`."""
    found = await _load(context, request, grants, projects)
    return Target(found.grant.granted_org_id, found, PROJECT_GRANT_NOT_FOUND, project_id=found.grant.id)


async def _load(
    context: RequestContext, request: NamesProjectGrant, grants: MongoProjectGrants, projects: MongoProjects
) -> OfProject:
    header_org_id(context)
    found = await find_with_project(request.grant_id, grants, projects)
    if found is None or found.project.id != request.project_id:
        raise PROJECT_GRANT_NOT_FOUND.error()
    return found
