"""Projects: add, read, change, remove."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from portico_contracts.generated.portico.management.v1 import project_service_pb2 as pb

from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import changed_details_of, details_of
from portico_users.api.shared.listing import LISTED, by_text, details_of_list, page_of, questions_of
from portico_users.api.transport.call import Call
from portico_users.directory.members.changes import add_member
from portico_users.directory.members.member import Member
from portico_users.directory.members.permissions import Permission
from portico_users.directory.members.roles import Scope
from portico_users.directory.organizations.org import Org
from portico_users.directory.projects.changes import put_project
from portico_users.directory.projects.changes import remove_project as removal_of
from portico_users.directory.projects.project import Project
from portico_users.kernel.entry import Entry
from portico_users.kernel.records import State
from portico_users.kernel.states import deactivated, reactivated, refuse_unchanged

_STATES: Final = {State.ACTIVE: pb.PROJECT_STATE_ACTIVE, State.INACTIVE: pb.PROJECT_STATE_INACTIVE}
_CONDITIONS: Final = {"name_query": by_text("name", "name")}


async def add_project(call: Call[Org], request: pb.AddProjectRequest) -> pb.AddProjectResponse:
    """Creates a project without roles.

    Raises:
        ServiceError: of the rules for projects; USER-011 for a name the organization has given already.
    """
    project = _with_settings(Project(id=call.needs.new_id(), org_id=call.target.org_id, name=request.name), request)
    entries: list[Entry[Any]] = [put_project(None, project)]
    if not call.caller.may(Permission.PROJECT_WRITE, project.org_id):
        # Who may only create projects owns those they created.
        entries.append(_owner(call, project))
    record, *_ = await call.needs.journal.commit(entries, actor=call.caller.user_id)
    return pb.AddProjectResponse(id=record.id, details=changed_details_of(record))


async def get_project_by_id(call: Call[Project], _request: pb.GetProjectByIDRequest) -> pb.GetProjectByIDResponse:
    """The project."""
    return pb.GetProjectByIDResponse(project=_message(call.target.subject))


async def update_project(call: Call[Project], request: pb.UpdateProjectRequest) -> pb.UpdateProjectResponse:
    """Replaces name and settings.

    Raises:
        ServiceError: as `add_project`; USER-702 when nothing would change.
    """
    before = call.target.subject
    after = _with_settings(before, request)
    refuse_unchanged(before, after)
    record = await commit(call, put_project(before, after))
    return pb.UpdateProjectResponse(details=changed_details_of(record))


async def deactivate_project(
    call: Call[Project], _request: pb.DeactivateProjectRequest
) -> pb.DeactivateProjectResponse:
    """Switches it off, with its applications; USER-700 when it is not active."""
    before = call.target.subject
    record = await commit(call, put_project(before, deactivated(before)))
    return pb.DeactivateProjectResponse(details=changed_details_of(record))


async def reactivate_project(
    call: Call[Project], _request: pb.ReactivateProjectRequest
) -> pb.ReactivateProjectResponse:
    """Switches it on; USER-701 when it is not inactive."""
    before = call.target.subject
    record = await commit(call, put_project(before, reactivated(before)))
    return pb.ReactivateProjectResponse(details=changed_details_of(record))


async def remove_project(call: Call[Project], _request: pb.RemoveProjectRequest) -> pb.RemoveProjectResponse:
    """Removes it for good, with its grants and the roles users have in it. Its applications are unknown from then on, for
    nothing finds them but through it.
    """
    record = await commit(call, removal_of(call.target.subject))
    return pb.RemoveProjectResponse(details=changed_details_of(record))


async def list_projects(call: Call[Org], request: pb.ListProjectsRequest) -> pb.ListProjectsResponse:
    """A page of the organization's projects, by name."""
    question = {"$and": [{"orgId": call.target.org_id}, LISTED, *questions_of(request.queries, _CONDITIONS)]}
    found = await call.needs.projects.list_page(question, page_of(request.query, "nameKey"))
    return pb.ListProjectsResponse(
        details=details_of_list(found.total), result=[_message(project) for project in found.records]
    )


def _with_settings(project: Project, request: pb.AddProjectRequest | pb.UpdateProjectRequest) -> Project:
    return msgspec.structs.replace(
        project,
        name=request.name,
        project_role_assertion=request.project_role_assertion,
        project_role_check=request.project_role_check,
        has_project_check=request.has_project_check,
    )


def _owner(call: Call[Org], project: Project) -> Entry[Member]:
    owner = Member(
        id=call.needs.new_id(),
        org_id=project.org_id,
        user_id=call.caller.user_id,
        scope=Scope.PROJECT,
        scope_id=project.id,
        roles=("PROJECT_OWNER",),
    )
    return add_member(None, owner)


def _message(project: Project) -> pb.Project:
    return pb.Project(
        id=project.id,
        details=details_of(project),
        name=project.name,
        state=_STATES[project.state],
        project_role_assertion=project.project_role_assertion,
        project_role_check=project.project_role_check,
        has_project_check=project.has_project_check,
    )
