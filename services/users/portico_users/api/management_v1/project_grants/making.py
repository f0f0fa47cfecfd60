"""Grants projects to other organizations: what the owner of a project does."""

from __future__ import annotations

import msgspec
from portico_contracts.generated.portico.management.v1 import project_grant_service_pb2 as pb

from portico_users.api.management_v1.project_grants.project_grant_messages import granted_project, listed
from portico_users.api.management_v1.project_grants.project_grant_targets import OfProject
from portico_users.api.shared.committing import commit, finish
from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.directory.accounts.role_constraints import given_by_grant
from portico_users.directory.grants import project_grant_changes as commands
from portico_users.directory.grants.project_grant import ProjectGrant
from portico_users.directory.organizations.org import Org
from portico_users.directory.organizations.rules import ORG_NOT_FOUND
from portico_users.directory.projects.project import Project
from portico_users.kernel.names import MAX_LENGTH
from portico_users.kernel.problems import at
from portico_users.kernel.records import State
from portico_users.kernel.states import deactivated, reactivated, refuse_unchanged


async def add_project_grant(call: Call[Project], request: pb.AddProjectGrantRequest) -> pb.AddProjectGrantResponse:
    """Lets another organization give its users roles of the project.

    Raises:
        ServiceError: USER-314 for an unknown organization, USER-872 for the project's own, USER-042 for a role the project
            does not have, USER-871 where there is a grant.
    """
    project = call.target.subject
    org = await call.needs.orgs.find(request.granted_org_id[: MAX_LENGTH + 1])
    if org is None or org.state is not State.ACTIVE:
        raise at("grantedOrgId", ORG_NOT_FOUND.error())
    grant = ProjectGrant(
        id=call.needs.new_id(),
        org_id=project.org_id,
        project_id=project.id,
        granted_org_id=org.id,
        role_keys=tuple(request.role_keys),
    )
    record = await commit(call, commands.put_project_grant(None, grant, project))
    return pb.AddProjectGrantResponse(grant_id=record.id, details=changed_details_of(record))


async def get_project_grant_by_id(
    call: Call[OfProject], _request: pb.GetProjectGrantByIDRequest
) -> pb.GetProjectGrantByIDResponse:
    """The grant."""
    shown = await call.needs.project_grants.show(call.target.subject.grant)
    return pb.GetProjectGrantByIDResponse(project_grant=granted_project(shown))


async def update_project_grant(
    call: Call[OfProject], request: pb.UpdateProjectGrantRequest
) -> pb.UpdateProjectGrantResponse:
    """Replaces the roles, and takes those that go from all who have them by the grant.

    Raises:
        ServiceError: USER-042 for one the project does not have, USER-702 when nothing would change. USER-910 when they are
            replaced, but more users have one that goes than one call can write: another one goes on.
    """
    before, project = call.target.subject
    after = msgspec.structs.replace(before, role_keys=tuple(request.role_keys))
    entry = commands.put_project_grant(before, after, project)
    gone = {role.key for role in project.roles} - set(entry.after.role_keys)
    if before == entry.after and await finish(call, given_by_grant(before.id, gone)):
        return pb.UpdateProjectGrantResponse(details=changed_details_of(before))
    refuse_unchanged(before, entry.after)
    record = await commit(call, entry)
    return pb.UpdateProjectGrantResponse(details=changed_details_of(record))


async def deactivate_project_grant(
    call: Call[OfProject], _request: pb.DeactivateProjectGrantRequest
) -> pb.DeactivateProjectGrantResponse:
    """Tokens no longer tell the roles given by it; USER-700 when it is not active."""
    before, project = call.target.subject
    record = await commit(call, commands.put_project_grant(before, deactivated(before), project))
    return pb.DeactivateProjectGrantResponse(details=changed_details_of(record))


async def reactivate_project_grant(
    call: Call[OfProject], _request: pb.ReactivateProjectGrantRequest
) -> pb.ReactivateProjectGrantResponse:
    """Tokens tell them again; USER-701 when it is not inactive."""
    before, project = call.target.subject
    record = await commit(call, commands.put_project_grant(before, reactivated(before), project))
    return pb.ReactivateProjectGrantResponse(details=changed_details_of(record))


async def remove_project_grant(
    call: Call[OfProject], _request: pb.RemoveProjectGrantRequest
) -> pb.RemoveProjectGrantResponse:
    """Removes it for good, with its members and what users were given by it."""
    record = await commit(call, commands.remove_project_grant(call.target.subject.grant))
    return pb.RemoveProjectGrantResponse(details=changed_details_of(record))


async def list_project_grants(
    call: Call[Project], request: pb.ListProjectGrantsRequest
) -> pb.ListProjectGrantsResponse:
    """A page of the project's grants."""
    question = {"projectId": call.target.subject.id}
    details, result = await listed(call.needs, question, request.query, request.queries)
    return pb.ListProjectGrantsResponse(details=details, result=result)


async def list_all_project_grants(
    call: Call[Org], request: pb.ListAllProjectGrantsRequest
) -> pb.ListAllProjectGrantsResponse:
    """A page of the grants of all projects of the organization."""
    details, result = await listed(call.needs, {"orgId": call.target.org_id}, request.query, request.queries)
    return pb.ListAllProjectGrantsResponse(details=details, result=result)
