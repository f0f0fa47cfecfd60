"""Projects: add, read, change, remove."""

from __future__ import annotations

from typing import Final

from portico_contracts.generated.portico.management.v1 import project_service_pb2 as pb

from portico_users.api.shared.details import changed_details_of, details_of
from portico_users.api.shared.listing import LISTED, by_text, details_of_list, page_of, questions_of
from portico_users.api.shared.messages import MessageValues, message_of
from portico_users.api.transport.call import Call
from portico_users.commands.projects import AddProject
from portico_users.directory.members.permissions import Permission
from portico_users.directory.organizations.org import Org
from portico_users.directory.projects.project import (
    PROJECT_FIELDS,
    Project,
)
from portico_users.directory.projects.store import MongoProjects

_CONDITIONS: Final = {"name_query": by_text("name", "name")}


async def add_project(call: Call[Org], request: pb.AddProjectRequest, *, add: AddProject) -> pb.AddProjectResponse:
    """Creates a project without roles. Raises as `AddProject`."""
    org_id, caller = call.target.org_id, call.caller
    project = with_settings(Project(id="", org_id=org_id, name=request.name), request)
    # Callers who may only create projects own those they created.
    owner_id = "" if caller.may(Permission.PROJECT_WRITE, org_id) else caller.user_id
    record = await add(project, owner_id=owner_id, actor=caller.user_id)
    return pb.AddProjectResponse(id=record.id, details=changed_details_of(record))


async def get_project_by_id(call: Call[Project], _request: pb.GetProjectByIDRequest) -> pb.GetProjectByIDResponse:
    """The project."""
    return pb.GetProjectByIDResponse(project=_message(call.target.subject))


async def list_projects(
    call: Call[Org], request: pb.ListProjectsRequest, *, projects: MongoProjects
) -> pb.ListProjectsResponse:
    """A page of the organization's projects, by name."""
    question = {"$and": [{"orgId": call.target.org_id}, LISTED, *questions_of(request.queries, _CONDITIONS)]}
    found = await projects.list_page(question, page_of(request.query, "nameKey"))
    return pb.ListProjectsResponse(
        details=details_of_list(found.total), result=[_message(project) for project in found.records]
    )


def with_settings(project: Project, request: pb.AddProjectRequest | pb.UpdateProjectRequest) -> Project:
    """The project with the name and the settings of a request."""
    return PROJECT_FIELDS.changed(project, MessageValues(request))


def _message(project: Project) -> pb.Project:
    return message_of(pb.Project, PROJECT_FIELDS, project, id=project.id, details=details_of(project))
