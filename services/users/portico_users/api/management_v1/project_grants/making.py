"""Grants projects to other organizations: what the owner of a project does."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import project_grant_service_pb2 as pb

from portico_users.api.management_v1.project_grants.project_grant_messages import granted_project, listed
from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.commands.projects.project_grants import AddProjectGrant, UpdateProjectGrant
from portico_users.directory.grants.project_grant import ProjectGrant
from portico_users.directory.grants.project_grant_store import MongoProjectGrants, OfProject
from portico_users.directory.organizations.org import Org
from portico_users.directory.organizations.rules import ORG_NOT_FOUND
from portico_users.directory.organizations.store import MongoOrgs
from portico_users.directory.projects.project import Project
from portico_users.kernel.names import MAX_LENGTH
from portico_users.kernel.problems import at
from portico_users.kernel.records import State


async def add_project_grant(
    call: Call[Project], request: pb.AddProjectGrantRequest, *, add: AddProjectGrant, orgs: MongoOrgs
) -> pb.AddProjectGrantResponse:
    """Lets another organization grant its users roles of the project.

    Raises:
        ServiceError: as `AddProjectGrant`; USER-314 for an organization that is unknown, and so for an inactive one.
    """
    project = call.target.subject
    org = await orgs.find(request.granted_org_id[: MAX_LENGTH + 1])
    if org is None or org.state is not State.ACTIVE:
        raise at("grantedOrgId", ORG_NOT_FOUND.error())
    grant = ProjectGrant(
        id="", org_id=project.org_id, project_id=project.id, granted_org_id=org.id, role_keys=tuple(request.role_keys)
    )
    record = await add(grant, project, actor=call.caller.user_id)
    return pb.AddProjectGrantResponse(grant_id=record.id, details=changed_details_of(record))


async def get_project_grant_by_id(
    call: Call[OfProject], _request: pb.GetProjectGrantByIDRequest, *, grants: MongoProjectGrants
) -> pb.GetProjectGrantByIDResponse:
    """The grant."""
    shown = await grants.show(call.target.subject.grant)
    return pb.GetProjectGrantByIDResponse(project_grant=granted_project(shown))


async def update_project_grant(
    call: Call[OfProject], request: pb.UpdateProjectGrantRequest, *, update: UpdateProjectGrant
) -> pb.UpdateProjectGrantResponse:
    """Replaces the roles. Raises as `UpdateProjectGrant`."""
    before, project = call.target.subject
    record = await update(before, request.role_keys, project, actor=call.caller.user_id)
    return pb.UpdateProjectGrantResponse(details=changed_details_of(record))


async def list_project_grants(
    call: Call[Project], request: pb.ListProjectGrantsRequest, *, grants: MongoProjectGrants
) -> pb.ListProjectGrantsResponse:
    """A page of the project's grants."""
    question = {"projectId": call.target.subject.id}
    details, result = await listed(grants, question, request.query, request.queries)
    return pb.ListProjectGrantsResponse(details=details, result=result)


async def list_all_project_grants(
    call: Call[Org], request: pb.ListAllProjectGrantsRequest, *, grants: MongoProjectGrants
) -> pb.ListAllProjectGrantsResponse:
    """A page of the grants of all projects of the organization."""
    details, result = await listed(grants, {"orgId": call.target.org_id}, request.query, request.queries)
    return pb.ListAllProjectGrantsResponse(details=details, result=result)
