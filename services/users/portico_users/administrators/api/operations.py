"""The operations on members: who may manage what."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from portico_users.administrators.api import members
from portico_users.administrators.api.members import (
    instance_members,
    org_members,
    project_grant_members,
    project_members,
)
from portico_users.administrators.edit_members import RemoveMember, UpdateMember
from portico_users.administrators.member import MemberScope
from portico_users.administrators.permissions import Permission, Scope
from portico_users.management_api.protobuf.changing import changing
from portico_users.management_api.transport.call import Target
from portico_users.management_api.transport.decision import require_roles_covered
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import named_user

_OF: Final = "portico.management.v1.MemberService"
_IAM: Final = "portico.admin.v1.MemberService"

_Operations = tuple[Operation, ...]
_Find = Callable[..., Awaitable[Target[MemberScope]]]


def _of(
    service: str,
    word: str,
    scope: Scope,
    read: Permission,
    write: Permission,
    find: _Find,
    find_roles: _Find = org_members,
) -> _Operations:
    return (
        Operation(f"{service}.Add{word}Member", write, find, members.add_member, guard=require_roles_covered),
        changing(
            f"{service}.Update{word}Member", write, find, UpdateMember, "user_id", "roles", guard=require_roles_covered
        ),
        changing(f"{service}.Remove{word}Member", write, find, RemoveMember, "user_id"),
        Operation(f"{service}.List{word}Members", read, find, members.list_members),
        Operation(f"{service}.List{word}MemberRoles", read, find_roles, members.roles_of(scope)),
    )


MEMBERS: Final[_Operations] = (
    *_of(_OF, "Org", Scope.ORGANIZATION, Permission.ORG_MEMBER_READ, Permission.ORG_MEMBER_WRITE, org_members),
    *_of(
        _OF, "Project", Scope.PROJECT, Permission.PROJECT_MEMBER_READ, Permission.PROJECT_MEMBER_WRITE, project_members
    ),
    *_of(
        _OF,
        "ProjectGrant",
        Scope.PROJECT_GRANT,
        Permission.PROJECT_GRANT_MEMBER_READ,
        Permission.PROJECT_GRANT_MEMBER_WRITE,
        project_grant_members,
    ),
    *_of(
        _IAM,
        "IAM",
        Scope.INSTANCE,
        Permission.IAM_MEMBER_READ,
        Permission.IAM_MEMBER_WRITE,
        instance_members,
        instance_members,
    ),
    Operation(
        f"{_OF}.ListUserMemberships",
        Permission.USER_MEMBERSHIP_READ,
        named_user,
        members.list_user_memberships,
        own=True,
    ),
)
