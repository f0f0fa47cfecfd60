"""The projects and project grants that requests name."""

from __future__ import annotations

from typing import Protocol

from portico_contracts.console import OWN_APPLICATIONS
from portico_oauth.errors import ErrorCode, Kind

from portico_users.management_api.transport.call import Call, RequestContext, Target
from portico_users.management_api.transport.targets import header_org_id
from portico_users.projects.project import Project
from portico_users.projects.project_grants import (
    PROJECT_GRANT_NOT_FOUND,
    MongoProjectGrants,
    OfProject,
    find_with_project,
)
from portico_users.projects.store import PROJECT_NOT_FOUND, MongoProjects
from portico_users.values.names import MAX_LENGTH
from portico_users.values.records import State

CONSOLE_DEPENDS = ErrorCode(
    "USER-740",
    Kind.FAILED_PRECONDITION,
    "The console and the account page depend on this.",
    "Keep it: without it no administrator can sign in to the console.",
)


class NamesProject(Protocol):
    @property
    def project_id(self) -> str: ...


async def named_project(context: RequestContext, request: NamesProject, *, projects: MongoProjects) -> Target[Project]:
    target = await project_to_remove(context, request, projects=projects)
    if target.subject.state is State.DELETED:
        raise PROJECT_NOT_FOUND.error()
    return target


async def project_to_remove(
    context: RequestContext, request: NamesProject, *, projects: MongoProjects
) -> Target[Project]:
    """Also finds removed projects, so that an unfinished removal can be continued."""
    header_org_id(context)
    project = await projects.find(request.project_id[: MAX_LENGTH + 1])
    if project is None:
        raise PROJECT_NOT_FOUND.error()
    return Target(project.org_id, project, PROJECT_NOT_FOUND, project_id=project.id)


def keep_console(call: Call[object], _request: object) -> None:
    """Raises USER-740 for the project of the console and the account page, and for its applications."""
    if call.target.project_id == OWN_APPLICATIONS:
        raise CONSOLE_DEPENDS.error()


class NamesProjectGrant(Protocol):
    """A request with the ids of a project and one of its grants; unknown to all but the two organizations (MG-04)."""

    project_id: str
    grant_id: str


async def made_grant(
    context: RequestContext, request: NamesProjectGrant, *, grants: MongoProjectGrants, projects: MongoProjects
) -> Target[OfProject]:
    found = await _load(context, request, grants, projects)
    return Target(found.project.org_id, found, PROJECT_GRANT_NOT_FOUND, project_id=found.project.id)


async def received_grant(
    context: RequestContext, request: NamesProjectGrant, *, grants: MongoProjectGrants, projects: MongoProjects
) -> Target[OfProject]:
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
