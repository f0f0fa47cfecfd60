"""Finds the project grant a request names: for the owner of the project, and for whom it is granted to.

Each side finds the grant as something of its own; for everybody else there is none (MG-04).
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from portico_users.api.transport.call import RequestContext, Target
from portico_users.api.transport.needs import Needs
from portico_users.api.transport.targets import header_org_id
from portico_users.directory.grants.project_grant import ProjectGrant
from portico_users.directory.grants.project_grant_changes import PROJECT_GRANT_NOT_FOUND
from portico_users.directory.projects.project import Project
from portico_users.kernel.names import MAX_LENGTH
from portico_users.kernel.records import State


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


class OfProject(NamedTuple):
    """A grant with its project."""

    grant: ProjectGrant
    project: Project


async def made_grant(context: RequestContext, request: NamesProjectGrant) -> Target[OfProject]:
    """The grant, as something of the project's organization.

    Raises:
        ServiceError: USER-870 when there is none, whichever id is wrong; USER-313 for a header that may not be.
    """
    found = await _load(context, request)
    return Target(found.project.org_id, found, PROJECT_GRANT_NOT_FOUND, project_id=found.project.id)


async def received_grant(context: RequestContext, request: NamesProjectGrant) -> Target[OfProject]:
    """The grant, as something of the organization the project is granted to. Raises as `made_grant`."""
    found = await _load(context, request)
    return Target(found.grant.granted_org_id, found, PROJECT_GRANT_NOT_FOUND, project_id=found.grant.id)


async def find_grant(needs: Needs, id: str) -> OfProject | None:
    """The grant of an id with its project, if both are there."""
    grant = await needs.project_grants.find(id[: MAX_LENGTH + 1])
    if grant is None or grant.state is State.DELETED:
        return None
    project = await needs.projects.find(grant.project_id)
    return None if project is None or project.state is State.DELETED else OfProject(grant, project)


async def _load(context: RequestContext, request: NamesProjectGrant) -> OfProject:
    header_org_id(context)
    found = await find_grant(context.needs, request.grant_id)
    if found is None or found.project.id != request.project_id:
        raise PROJECT_GRANT_NOT_FOUND.error()
    return found
