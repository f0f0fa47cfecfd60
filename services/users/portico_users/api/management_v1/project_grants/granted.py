"""Projects that were granted, as the organization sees them that may use them."""

from __future__ import annotations

import msgspec
from portico_contracts.generated.portico.management.v1 import project_grant_service_pb2 as pb
from portico_contracts.generated.portico.management.v1 import project_service_pb2 as projects

from portico_users.api.management_v1.project_grants.project_grant_messages import granted_project, listed
from portico_users.api.management_v1.projects.roles import listed_roles
from portico_users.api.transport.call import Call
from portico_users.directory.grants.project_grant_store import MongoProjectGrants, OfProject
from portico_users.directory.organizations.org import Org


async def list_granted_projects(
    call: Call[Org], request: pb.ListGrantedProjectsRequest, *, grants: MongoProjectGrants
) -> pb.ListGrantedProjectsResponse:
    """A page of what was granted to the organization."""
    question = {"grantedOrgId": call.target.org_id}
    details, result = await listed(grants, question, request.query, request.queries)
    return pb.ListGrantedProjectsResponse(details=details, result=result)


async def get_granted_project_by_id(
    call: Call[OfProject], _request: pb.GetGrantedProjectByIDRequest, *, grants: MongoProjectGrants
) -> pb.GetGrantedProjectByIDResponse:
    """The project, as far as it was granted."""
    shown = await grants.show(call.target.subject.grant)
    return pb.GetGrantedProjectByIDResponse(granted_project=granted_project(shown))


async def list_granted_project_roles(
    call: Call[OfProject], request: pb.ListGrantedProjectRolesRequest
) -> projects.ListProjectRolesResponse:
    """A page of the roles the organization may give; of the project's others it learns nothing."""
    grant, project = call.target.subject
    granted = tuple(role for role in project.roles if role.key in grant.role_keys)
    return listed_roles(msgspec.structs.replace(project, roles=granted), request.query, request.queries)
