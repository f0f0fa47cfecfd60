"""User grants: gives roles to users, changes and removes them."""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

from portico_contracts.generated.portico.management.v1 import user_grant_service_pb2 as pb

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.permissions import Permission
from portico_users.end_users.end_user import EndUser
from portico_users.grants.edit_grants import GrantRoles, Source
from portico_users.grants.grant_search import GrantSearch, UserGrant
from portico_users.grants.role_grants import GRANT_NOT_FOUND, load_grant
from portico_users.management_api.protobuf.details import DETAILS_V1, changed_details_of, details_json
from portico_users.management_api.protobuf.listing import AsQuestion, list_json, page_of, questions_of
from portico_users.management_api.transport.call import Call, RequestContext, Target
from portico_users.management_api.transport.targets import USER_NOT_FOUND, header_org_id, own_or_named_org
from portico_users.management_api.transport.wire.json_types import JsonMessage, json_type, names_of
from portico_users.organizations.org import MongoOrgs
from portico_users.projects.project import Project
from portico_users.projects.project_grants import (
    PROJECT_GRANT_NOT_FOUND,
    MongoProjectGrants,
    OfProject,
    find_with_project,
)
from portico_users.projects.store import PROJECT_NOT_FOUND, MongoProjects
from portico_users.values.names import MAX_LENGTH
from portico_users.values.problems import at
from portico_users.values.records import State

_USER_GRANT: Final = json_type(pb.UserGrant)
_GET_USER_GRANT: Final = json_type(pb.GetUserGrantByIDResponse)
_LIST_USER_GRANTS: Final = json_type(pb.ListUserGrantsResponse)
_STATES: Final = names_of(pb.UserGrantState)

_CONDITIONS: Final[dict[str, AsQuestion]] = {
    "user_id_query": lambda query: {"_id": query.user_id},
    "project_id_query": lambda query: {"grants.projectId": query.project_id},
    "role_key_query": lambda query: {"grants.roleKeys": query.role_key},
    "project_grant_id_query": lambda query: {"grants.projectGrantId": query.project_grant_id},
}


async def add_user_grant(
    call: Call[Granter],
    request: pb.AddUserGrantRequest,
    *,
    grant_roles: GrantRoles,
    accounts: MongoAccounts,
    projects: MongoProjects,
) -> pb.AddUserGrantResponse:
    user = await _load_user(call, request.user_id, accounts)
    org_id, received = call.target.subject
    project = received.project if received else await _load_project(request.project_id, projects)
    source = Source(org_id, project, received.grant if received else None)
    held = await grant_roles(user, source, request.role_keys, actor=call.caller.user_id)
    return pb.AddUserGrantResponse(user_grant_id=held.id, details=changed_details_of(held.user))


async def get_user_grant_by_id(call: Call[UserGrant], _request: pb.GetUserGrantByIDRequest) -> JsonMessage:
    return _GET_USER_GRANT(user_grant=_grant_json(call.target.subject))


async def list_user_grants(
    call: Call[Granter], request: pb.ListUserGrantsRequest, *, search: GrantSearch
) -> JsonMessage:
    conditions = questions_of(request.queries, _CONDITIONS)
    found = await search.search(call.target.org_id, conditions, page_of(request.query, "nameKey"))
    return list_json(_LIST_USER_GRANTS, found.total, [_grant_json(held) for held in found.grants])


async def _load_user(call: Call[Granter], user_id: str, accounts: MongoAccounts) -> AnyUser:
    user = await accounts.find(user_id[: MAX_LENGTH + 1])
    known = user is not None and call.caller.knows(user.org_id, call.target.project_id)
    if user is None or user.state is State.DELETED or not known:
        raise USER_NOT_FOUND.error()
    return user


async def _load_project(project_id: str, projects: MongoProjects) -> Project:
    project = await projects.find(project_id)
    if project is None or project.state is State.DELETED:
        raise at("projectId", PROJECT_NOT_FOUND.error())
    return project


def _grant_json(held: UserGrant) -> JsonMessage:
    user, grant = held
    return _USER_GRANT(
        id=held.id,
        details=details_json(DETAILS_V1, user),
        state=_STATES[pb.USER_GRANT_STATE_ACTIVE if grant.active else pb.USER_GRANT_STATE_INACTIVE],
        user_id=user.id,
        user_name=user.user_name,
        display_name=user.display_name if isinstance(user, EndUser) else user.name,
        org_id=grant.org_id,
        project_id=grant.project_id,
        role_keys=[*grant.role_keys],
        project_grant_id=grant.project_grant_id,
    )


class NamesGrant(Protocol):
    user_id: str
    grant_id: str


class Granter(NamedTuple):
    org_id: str
    received: OfProject | None = None


async def granter(
    context: RequestContext,
    request: pb.AddUserGrantRequest,
    *,
    orgs: MongoOrgs,
    grants: MongoProjectGrants,
    projects: MongoProjects,
) -> Target[Granter]:
    """Finds the granting organization: the receiver of the project grant, else the header's, else the caller's own."""
    if not request.project_grant_id:
        org = await own_or_named_org(context, request, orgs=orgs)
        return Target(org.org_id, Granter(org.org_id), org.absent)
    named = header_org_id(context)
    found = await find_with_project(request.project_grant_id, grants, projects)
    if found is None or found.project.id != request.project_id or named not in ("", found.grant.granted_org_id):
        raise PROJECT_GRANT_NOT_FOUND.error()
    org_id = found.grant.granted_org_id
    return Target(org_id, Granter(org_id, found), PROJECT_GRANT_NOT_FOUND, project_id=found.grant.id)


async def listed_granter(
    context: RequestContext,
    request: pb.ListUserGrantsRequest,
    *,
    orgs: MongoOrgs,
    grants: MongoProjectGrants,
    projects: MongoProjects,
) -> Target[Granter]:
    """Members of a project grant may list the user grants under it if they filter by that project grant."""
    named = header_org_id(context)
    for condition in request.queries:
        if id := condition.project_grant_id_query.project_grant_id:
            found = await find_with_project(id, grants, projects)
            org_id = found.grant.granted_org_id if found else ""
            may = found is not None and context.caller.may(Permission.USER_GRANT_READ, org_id, id)
            if found and may and named in ("", org_id):
                return Target(org_id, Granter(org_id, found), PROJECT_GRANT_NOT_FOUND, project_id=id)
    org = await own_or_named_org(context, request, orgs=orgs)
    return Target(org.org_id, Granter(org.org_id), org.absent)


async def named_grant(context: RequestContext, request: NamesGrant, *, accounts: MongoAccounts) -> Target[UserGrant]:
    header_org_id(context)
    user = await accounts.find(request.user_id[: MAX_LENGTH + 1])
    if user is None or user.state is State.DELETED:
        raise GRANT_NOT_FOUND.error()
    grant = load_grant(user.id, user.grants, request.grant_id)
    held = UserGrant(user, grant)
    return Target(grant.org_id, held, GRANT_NOT_FOUND, user_id=user.id, project_id=grant.project_grant_id)
