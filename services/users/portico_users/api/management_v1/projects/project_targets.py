"""Finds the project a request names."""

from __future__ import annotations

from typing import Protocol

from portico_users.api.transport.call import RequestContext, Target
from portico_users.api.transport.targets import header_org_id
from portico_users.directory.projects.project import Project
from portico_users.directory.projects.store import PROJECT_NOT_FOUND, MongoProjects
from portico_users.kernel.names import MAX_LENGTH
from portico_users.kernel.records import State


class NamesProject(Protocol):
    """A request with the id of a project."""

    @property
    def project_id(self) -> str:
        """The id."""
        ...


async def named_project(context: RequestContext, request: NamesProject, *, projects: MongoProjects) -> Target[Project]:
    """The project whose id the request has.

    Raises:
        ServiceError: USER-705 when there is none; USER-313 for a header that may not be.
    """
    header_org_id(context)
    project = await projects.find(request.project_id[: MAX_LENGTH + 1])
    if project is None or project.state is State.DELETED:
        raise PROJECT_NOT_FOUND.error()
    return Target(project.org_id, project, PROJECT_NOT_FOUND, project_id=project.id)
