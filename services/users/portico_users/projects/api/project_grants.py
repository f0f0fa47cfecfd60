"""Project grants, for the owner of the project and for the organization it is granted to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from portico_contracts.generated.portico.management.v1 import project_grant_pb2 as project_grant_pb
from portico_contracts.generated.portico.management.v1 import project_grant_service_pb2 as pb
from portico_contracts.generated.portico.management.v1 import project_service_pb2 as projects
from portico_contracts.generated.portico.v1.object_pb2 import ListDetails, ListQuery

from portico_users.management_api.protobuf.details import changed_details_of, details_of
from portico_users.management_api.protobuf.listing import AsQuestion, by_text, details_of_list, page_of, questions_of
from portico_users.management_api.transport.call import Call
from portico_users.organizations.org import ORG_NOT_FOUND, MongoOrgs, Org
from portico_users.projects.api.projects import listed_roles
from portico_users.projects.commands import AddProjectGrant, UpdateProjectGrant
from portico_users.projects.project import Project
from portico_users.projects.project_grants import MongoProjectGrants, OfProject, ProjectGrant, ShownGrant
from portico_users.storage.entry import Document
from portico_users.values.names import MAX_LENGTH
from portico_users.values.problems import at
from portico_users.values.records import State


async def add_project_grant(
    call: Call[Project], request: pb.AddProjectGrantRequest, *, add: AddProjectGrant, orgs: MongoOrgs
) -> pb.AddProjectGrantResponse:
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
    shown = await grants.show(call.target.subject.grant)
    return pb.GetProjectGrantByIDResponse(project_grant=granted_project(shown))


async def update_project_grant(
    call: Call[OfProject], request: pb.UpdateProjectGrantRequest, *, update: UpdateProjectGrant
) -> pb.UpdateProjectGrantResponse:
    before, project = call.target.subject
    record = await update(before, request.role_keys, project, actor=call.caller.user_id)
    return pb.UpdateProjectGrantResponse(details=changed_details_of(record))


async def list_project_grants(
    call: Call[Project], request: pb.ListProjectGrantsRequest, *, grants: MongoProjectGrants
) -> pb.ListProjectGrantsResponse:
    question = {"projectId": call.target.subject.id}
    details, result = await listed(grants, question, request.query, request.queries)
    return pb.ListProjectGrantsResponse(details=details, result=result)


async def list_all_project_grants(
    call: Call[Org], request: pb.ListAllProjectGrantsRequest, *, grants: MongoProjectGrants
) -> pb.ListAllProjectGrantsResponse:
    details, result = await listed(grants, {"orgId": call.target.org_id}, request.query, request.queries)
    return pb.ListAllProjectGrantsResponse(details=details, result=result)


async def list_granted_projects(
    call: Call[Org], request: pb.ListGrantedProjectsRequest, *, grants: MongoProjectGrants
) -> pb.ListGrantedProjectsResponse:
    question = {"grantedOrgId": call.target.org_id}
    details, result = await listed(grants, question, request.query, request.queries)
    return pb.ListGrantedProjectsResponse(details=details, result=result)


async def get_granted_project_by_id(
    call: Call[OfProject], _request: pb.GetGrantedProjectByIDRequest, *, grants: MongoProjectGrants
) -> pb.GetGrantedProjectByIDResponse:
    shown = await grants.show(call.target.subject.grant)
    return pb.GetGrantedProjectByIDResponse(granted_project=granted_project(shown))


async def list_granted_project_roles(
    call: Call[OfProject], request: pb.ListGrantedProjectRolesRequest
) -> projects.ListProjectRolesResponse:
    """Lists only the granted roles; the project's other roles stay hidden."""
    grant, project = call.target.subject
    granted = tuple(role for role in project.roles if role.key in grant.role_keys)
    return listed_roles(msgspec.structs.replace(project, roles=granted), request.query, request.queries)


_STATES: Final = {
    State.ACTIVE: project_grant_pb.PROJECT_GRANT_STATE_ACTIVE,
    State.INACTIVE: project_grant_pb.PROJECT_GRANT_STATE_INACTIVE,
}
_CONDITIONS: Final[dict[str, AsQuestion]] = {
    "project_name_query": by_text("project.name", "name"),
    "role_key_query": lambda query: {"roleKeys": query.role_key},
    "project_id_query": lambda query: {"projectId": query.project_id},
    "granted_org_id_query": lambda query: {"grantedOrgId": query.granted_org_id},
    "project_owner_query": lambda query: {"orgId": query.org_id},
}


def granted_project(shown: ShownGrant) -> project_grant_pb.GrantedProject:
    grant = shown.grant
    return project_grant_pb.GrantedProject(
        grant_id=grant.id,
        details=details_of(grant),
        granted_org_id=grant.granted_org_id,
        granted_org_name=shown.granted_name,
        granted_role_keys=grant.role_keys,
        state=_STATES[grant.state],
        project_id=grant.project_id,
        project_name=shown.project_name,
        project_owner_id=grant.org_id,
        project_owner_name=shown.owner_name,
    )


async def listed(
    grants: MongoProjectGrants,
    question: Document,
    query: ListQuery,
    queries: Iterable[project_grant_pb.ProjectGrantQuery],
) -> tuple[ListDetails, list[project_grant_pb.GrantedProject]]:
    conditions = questions_of(queries, _CONDITIONS)
    found = await grants.search(question, conditions, page_of(query, "created"))
    return details_of_list(found.total), [granted_project(shown) for shown in found.grants]
