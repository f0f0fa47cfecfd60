"""Groups: their roles, members and nested groups."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, Protocol

import msgspec
from portico_contracts.generated.portico.management.v1 import group_pb2
from portico_contracts.generated.portico.management.v1 import group_service_pb2 as pb

from portico_users.accounts.account import AnyUser
from portico_users.accounts.search import OF_GROUP, among
from portico_users.accounts.store import MongoAccounts
from portico_users.end_users.end_user import EndUser
from portico_users.grants.edit_grants import Source
from portico_users.groups.edit_groups import AddGroup, AddGroupMember, RemoveGroupMember, SetGroupRoles
from portico_users.groups.group import GROUP_NOT_FOUND, Group, MongoGroups
from portico_users.groups.inherited import Memberships
from portico_users.groups.memberships import InGroup, direct
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.store import MongoIdps
from portico_users.management_api.protobuf.details import changed_details_of, details_of
from portico_users.management_api.protobuf.listing import (
    AsQuestion,
    by_text,
    details_of_list,
    page_of,
    questions_of,
)
from portico_users.management_api.transport.call import Call, RequestContext, Target
from portico_users.management_api.transport.targets import USER_NOT_FOUND, header_org_id
from portico_users.organizations.org import Org
from portico_users.projects.project_grants import PROJECT_GRANT_NOT_FOUND, MongoProjectGrants, find_with_project
from portico_users.projects.store import PROJECT_NOT_FOUND, MongoProjects
from portico_users.storage.entry import NOT_DELETED
from portico_users.values.names import MAX_LENGTH
from portico_users.values.problems import at
from portico_users.values.records import State

_CONDITIONS: Final[dict[str, AsQuestion]] = {
    "name_query": by_text("name", "name"),
    "member_of_query": lambda query: {"parents": query.group_id},
}


class NamesGroup(Protocol):
    group_id: str


async def named_group(context: RequestContext, request: NamesGroup, *, groups: MongoGroups) -> Target[Group]:
    header_org_id(context)
    group = await groups.find(request.group_id[: MAX_LENGTH + 1])
    if group is None or group.state is State.DELETED:
        raise GROUP_NOT_FOUND.error()
    return Target(group.org_id, group, GROUP_NOT_FOUND)


async def add_group(call: Call[Org], request: pb.AddGroupRequest, *, add: AddGroup) -> pb.AddGroupResponse:
    group = Group(id=request.group_id, org_id=call.target.org_id, name=request.name, description=request.description)
    record = await add(group, actor=call.caller.user_id)
    return pb.AddGroupResponse(id=record.id, details=changed_details_of(record))


async def get_group(call: Call[Group], _request: pb.GetGroupRequest) -> pb.GetGroupResponse:
    return pb.GetGroupResponse(group=_message(call.target.subject))


async def list_groups(call: Call[Org], request: pb.ListGroupsRequest, *, groups: MongoGroups) -> pb.ListGroupsResponse:
    question = {"$and": [{"orgId": call.target.org_id}, NOT_DELETED, *questions_of(request.queries, _CONDITIONS)]}
    found = await groups.list_page(question, page_of(request.query, "nameKey"))
    return pb.ListGroupsResponse(
        details=details_of_list(found.total), result=[_message(group) for group in found.records]
    )


def renamed(before: Group, request: pb.UpdateGroupRequest) -> Group:
    return msgspec.structs.replace(before, name=request.name, description=request.description)


async def set_group_roles(
    call: Call[Group],
    request: pb.SetGroupRolesRequest,
    *,
    set_roles: SetGroupRoles,
    projects: MongoProjects,
    project_grants: MongoProjectGrants,
) -> pb.SetGroupRolesResponse:
    group = call.target.subject
    source = await _source(group.org_id, request, projects, project_grants)
    record = await set_roles(group, source, request.role_keys, actor=call.caller.user_id)
    return pb.SetGroupRolesResponse(details=changed_details_of(record))


async def list_group_roles(call: Call[Group], _request: pb.ListGroupRolesRequest) -> pb.ListGroupRolesResponse:
    roles = _roles(call.target.subject)
    return pb.ListGroupRolesResponse(details=details_of_list(len(roles)), result=roles)


async def _source(
    org_id: str, request: pb.SetGroupRolesRequest, projects: MongoProjects, project_grants: MongoProjectGrants
) -> Source:
    if not request.project_grant_id:
        project = await projects.find(request.project_id)
        if project is None or project.state is State.DELETED:
            raise at("projectId", PROJECT_NOT_FOUND.error())
        return Source(org_id, project)
    found = await find_with_project(request.project_grant_id, project_grants, projects)
    if found is None or found.project.id != request.project_id or found.grant.granted_org_id != org_id:
        raise at("projectGrantId", PROJECT_GRANT_NOT_FOUND.error())
    return Source(org_id, found.project, found.grant)


async def add_group_member(
    call: Call[Group], request: pb.AddGroupMemberRequest, *, add: AddGroupMember, accounts: MongoAccounts
) -> pb.AddGroupMemberResponse:
    user = await _load_user(call, request.user_id, accounts)
    record = await add(call.target.subject, user, actor=call.caller.user_id)
    return pb.AddGroupMemberResponse(details=changed_details_of(record))


async def remove_group_member(
    call: Call[Group], request: pb.RemoveGroupMemberRequest, *, remove: RemoveGroupMember, accounts: MongoAccounts
) -> pb.RemoveGroupMemberResponse:
    user = await _load_user(call, request.user_id, accounts)
    record = await remove(call.target.subject, user, actor=call.caller.user_id)
    return pb.RemoveGroupMemberResponse(details=changed_details_of(record))


async def list_group_members(
    call: Call[Group], request: pb.ListGroupMembersRequest, *, accounts: MongoAccounts, groups: MongoGroups
) -> pb.ListGroupMembersResponse:
    group = call.target.subject
    inside = (await groups.list_inside((group.id,))).get(group.id, [])
    question = {"$and": [{OF_GROUP: among((group.id, *inside))}, NOT_DELETED]}
    found = await accounts.list_page(question, page_of(request.query, "nameKey"))
    members = [_member(user, group, inside) for user in found.records]
    return pb.ListGroupMembersResponse(details=details_of_list(found.total), result=members)


async def list_group_mappings(
    call: Call[Group], _request: pb.ListGroupMappingsRequest, *, idps: MongoIdps
) -> pb.ListGroupMappingsResponse:
    group = call.target.subject
    found = await idps.list_mapped(group.org_id, group.id)
    return pb.ListGroupMappingsResponse(
        details=details_of_list(len(found)), result=[_mapping(idp, group) for idp in found]
    )


async def list_user_groups(
    call: Call[AnyUser], _request: pb.ListUserGroupsRequest, *, memberships: Memberships
) -> pb.ListUserGroupsResponse:
    found = sorted(await memberships.list_of(call.target.subject), key=lambda one: one.group.name)
    return pb.ListUserGroupsResponse(
        details=details_of_list(len(found)),
        result=[
            group_pb2.UserGroup(group_id=one.group.id, name=one.group.name, membership=_membership(one.own, one.via))
            for one in found
        ],
    )


async def _load_user(call: Call[Group], user_id: str, accounts: MongoAccounts) -> AnyUser:
    user = await accounts.find(user_id[: MAX_LENGTH + 1])
    if user is None or user.state is State.DELETED or not call.caller.knows(user.org_id):
        raise USER_NOT_FOUND.error()
    return user


def _message(group: Group) -> group_pb2.Group:
    return group_pb2.Group(
        id=group.id,
        details=details_of(group),
        name=group.name,
        description=group.description,
        roles=_roles(group),
        member_of=group.parents,
    )


def _roles(group: Group) -> list[group_pb2.GroupRoles]:
    return [
        group_pb2.GroupRoles(
            project_id=grant.project_id, role_keys=grant.role_keys, project_grant_id=grant.project_grant_id
        )
        for grant in group.grants
    ]


def _mapping(idp: Idp, group: Group) -> group_pb2.GroupMapping:
    lines = [line.group for line in idp.tables.memberships if line.group_id == group.id]
    return group_pb2.GroupMapping(
        idp_id=idp.id,
        idp_name=idp.name,
        claim=idp.tables.groups_claim,
        provider_groups=lines,
        details=details_of(idp),
    )


def _member(user: AnyUser, group: Group, inside: Collection[str]) -> group_pb2.GroupMember:
    own = {one.id: one for one in direct(user.groups)}
    return group_pb2.GroupMember(
        user_id=user.id,
        user_name=user.user_name,
        display_name=user.display_name if isinstance(user, EndUser) else user.name,
        membership=_membership(own.get(group.id), sorted(own.keys() & set(inside))),
    )


def _membership(own: InGroup | None, via: Sequence[str]) -> group_pb2.GroupMembership:
    links = own.links if own else ()
    return group_pb2.GroupMembership(
        added=own is not None and own.added, idp_ids=[key.partition("\n")[0] for key in links], via_group_ids=via
    )
