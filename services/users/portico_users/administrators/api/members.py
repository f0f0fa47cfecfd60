"""Members of the instance, organizations and projects: lists, memberships, roles; adds a member."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from portico_contracts.generated.portico.management.v1 import member_pb2 as pb
from portico_contracts.generated.portico.management.v1 import member_service_pb2 as projects
from portico_contracts.generated.portico.management.v1 import member_service_pb2 as service

from portico_users.accounts.account import AnyUser, login_name
from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.edit_members import AddMember
from portico_users.administrators.member import Member, MemberScope, MongoMembers
from portico_users.administrators.permissions import Scope, roles_in
from portico_users.end_users.end_user import EndUser
from portico_users.management_api.protobuf.details import changed_details_of, details_of
from portico_users.management_api.protobuf.listing import AsQuestion, details_of_list, page_of, questions_of
from portico_users.management_api.transport.call import Call, RequestContext, Target
from portico_users.management_api.transport.decision import NOT_PERMITTED
from portico_users.management_api.transport.targets import EVERYWHERE, USER_NOT_FOUND, own_or_named_org
from portico_users.organizations.org import MongoOrgs, Org
from portico_users.projects.project_grants import MongoProjectGrants
from portico_users.projects.store import MongoProjects
from portico_users.projects.targets import NamesProject, NamesProjectGrant, named_project, received_grant
from portico_users.storage.entry import NOT_DELETED, Document
from portico_users.values.names import INSTANCE, MAX_LENGTH
from portico_users.values.records import State

AnyList = pb.ListMembersRequest | service.ListProjectMembersRequest | service.ListProjectGrantMembersRequest

_CONDITIONS: Final[dict[str, AsQuestion]] = {
    "user_id_query": lambda query: {"userId": query.user_id},
    "role_query": lambda query: {"roles": query.role},
}


async def list_user_memberships(
    call: Call[AnyUser], request: service.ListUserMembershipsRequest, *, members: MongoMembers
) -> service.ListUserMembershipsResponse:
    """Omits memberships in organizations the caller has no role in, also from the count (MG-22)."""
    user, caller = call.target.subject, call.caller
    parts: list[Document] = [{"userId": user.id}, NOT_DELETED]
    if not caller.everywhere and user.id != caller.user_id:
        known = [caller.org_id, *caller.by_org]
        parts.append({"orgId": {"$in": known}})
    found = await members.list_page({"$and": parts}, page_of(request.query, "created"))
    return service.ListUserMembershipsResponse(
        details=details_of_list(found.total), result=[_membership(member) for member in found.records]
    )


async def list_members(
    call: Call[MemberScope], request: AnyList, *, members: MongoMembers, accounts: MongoAccounts
) -> pb.ListMembersResponse:
    question = {"$and": [{"scopeId": call.target.subject.id}, NOT_DELETED, *questions_of(request.queries, _CONDITIONS)]}
    found = await members.list_page(question, page_of(request.query, "created"))
    people = await accounts.find_each_with_org(member.user_id for member in found.records)
    return pb.ListMembersResponse(
        details=details_of_list(found.total),
        result=[_member(member, *people[member.user_id]) for member in found.records if member.user_id in people],
    )


def _member(member: Member, user: AnyUser, org: Org) -> pb.Member:
    return pb.Member(
        user_id=member.user_id,
        details=details_of(member),
        roles=member.roles,
        preferred_login_name=login_name(user, org),
        email=user.email if isinstance(user, EndUser) else "",
        display_name=user.display_name if isinstance(user, EndUser) else user.name,
        user_resource_owner=user.org_id,
    )


def _membership(member: Member) -> service.Membership:
    message = service.Membership(user_id=member.user_id, details=details_of(member), roles=member.roles)
    match member.scope:
        case Scope.INSTANCE:
            message.iam = True
        case Scope.ORGANIZATION:
            message.org_id = member.scope_id
        case Scope.PROJECT:
            message.project_id = member.scope_id
        case Scope.PROJECT_GRANT:
            message.project_grant_id = member.scope_id
    return message


def roles_of(scope: Scope) -> Callable[..., Awaitable[pb.ListMemberRolesResponse]]:
    async def list_roles(_call: Call[MemberScope], _request: pb.ListMemberRolesRequest) -> pb.ListMemberRolesResponse:
        roles = roles_in(scope)
        return pb.ListMemberRolesResponse(details=details_of_list(len(roles)), result=roles)

    return list_roles


AnyRequest = pb.AddMemberRequest | projects.AddProjectMemberRequest | projects.AddProjectGrantMemberRequest


async def add_member(
    call: Call[MemberScope], request: AnyRequest, *, add: AddMember, accounts: MongoAccounts
) -> pb.AddMemberResponse:
    user = await _load_user(call, request.user_id, accounts)
    record = await add(call.target.subject, user, request.roles, actor=call.caller.user_id)
    return pb.AddMemberResponse(details=changed_details_of(record))


async def _load_user(call: Call[MemberScope], user_id: str, accounts: MongoAccounts) -> AnyUser:
    user = await accounts.find(user_id[: MAX_LENGTH + 1])
    # Members of a project grant grant roles to users of the receiving organization.
    granted = call.target.project_id if call.target.subject.kind is Scope.PROJECT_GRANT else ""
    # Adding a member must not reveal users the caller may not see (MG-04).
    if user is None or user.state is State.DELETED or not call.caller.knows(user.org_id, granted):
        raise USER_NOT_FOUND.error()
    return user


async def instance_members(_context: RequestContext, _request: object) -> Target[MemberScope]:
    return Target(EVERYWHERE, MemberScope(Scope.INSTANCE, INSTANCE, EVERYWHERE), NOT_PERMITTED)


async def org_members(context: RequestContext, request: object, *, orgs: MongoOrgs) -> Target[MemberScope]:
    org = await own_or_named_org(context, request, orgs=orgs)
    return Target(org.org_id, MemberScope(Scope.ORGANIZATION, org.org_id, org.org_id), org.absent)


async def project_members(
    context: RequestContext, request: NamesProject, *, projects: MongoProjects
) -> Target[MemberScope]:
    project = await named_project(context, request, projects=projects)
    scope = MemberScope(Scope.PROJECT, project.subject.id, project.org_id)
    return Target(project.org_id, scope, project.absent, project_id=project.project_id)


async def project_grant_members(
    context: RequestContext, request: NamesProjectGrant, *, grants: MongoProjectGrants, projects: MongoProjects
) -> Target[MemberScope]:
    """Members of a project grant belong to the receiving organization: they may read its users and grant them roles."""
    received = await received_grant(context, request, grants=grants, projects=projects)
    scope = MemberScope(Scope.PROJECT_GRANT, received.subject.grant.id, received.org_id)
    return Target(received.org_id, scope, received.absent, project_id=received.project_id)
