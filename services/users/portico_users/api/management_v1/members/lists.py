"""Lists members, memberships and the roles there are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from portico_contracts.generated.portico.management.v1 import member_pb2 as pb
from portico_contracts.generated.portico.management.v1 import member_service_pb2 as service

from portico_users.api.shared.details import details_of
from portico_users.api.shared.listing import LISTED, AsQuestion, details_of_list, page_of, questions_of
from portico_users.api.transport.call import Call
from portico_users.directory.accounts.account import AnyUser, login_name
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.members.member import Member, MemberScope
from portico_users.directory.members.roles import Scope, roles_in
from portico_users.directory.members.store import MongoMembers
from portico_users.directory.organizations.org import Org
from portico_users.directory.people.human import Human
from portico_users.kernel.entry import Document

AnyList = pb.ListMembersRequest | service.ListProjectMembersRequest | service.ListProjectGrantMembersRequest

_CONDITIONS: Final[dict[str, AsQuestion]] = {
    "user_id_query": lambda query: {"userId": query.user_id},
    "role_query": lambda query: {"roles": query.role},
}


async def list_user_memberships(
    call: Call[AnyUser], request: service.ListUserMembershipsRequest, *, members: MongoMembers
) -> service.ListUserMembershipsResponse:
    """A page of a user's memberships; of organizations the caller has no business in they are neither shown nor
    counted (MG-22).
    """
    user, caller = call.target.subject, call.caller
    parts: list[Document] = [{"userId": user.id}, LISTED]
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
    """A page of the members, by the time they became members."""
    question = {"$and": [{"scopeId": call.target.subject.id}, LISTED, *questions_of(request.queries, _CONDITIONS)]}
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
        email=user.email if isinstance(user, Human) else "",
        display_name=user.display_name if isinstance(user, Human) else user.name,
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
    """Lists the roles of a kind of scope."""

    async def list_roles(_call: Call[MemberScope], _request: pb.ListMemberRolesRequest) -> pb.ListMemberRolesResponse:
        roles = roles_in(scope)
        return pb.ListMemberRolesResponse(details=details_of_list(len(roles)), result=roles)

    return list_roles
