"""The operations on groups. Filling a group gives roles, as giving a group roles does: both need user.grant.write."""

from __future__ import annotations

from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.groups.api import groups
from portico_users.groups.api.groups import named_group
from portico_users.groups.edit_groups import NestGroups, RemoveGroup, RemoveGroupRoles, UpdateGroup
from portico_users.identity_providers.group_mappings import MapGroup
from portico_users.management_api.protobuf.changing import changing
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import named_user, own_or_named_org

_OF: Final = "portico.management.v1.GroupService"
_READ: Final = Permission.USER_GRANT_READ
_WRITE: Final = Permission.USER_GRANT_WRITE

GROUPS: Final[tuple[Operation, ...]] = (
    Operation(f"{_OF}.AddGroup", _WRITE, own_or_named_org, groups.add_group),
    Operation(f"{_OF}.GetGroup", _READ, named_group, groups.get_group),
    changing(f"{_OF}.UpdateGroup", _WRITE, named_group, UpdateGroup, after=groups.renamed),
    changing(f"{_OF}.RemoveGroup", _WRITE, named_group, RemoveGroup),
    Operation(f"{_OF}.ListGroups", _READ, own_or_named_org, groups.list_groups),
    Operation(f"{_OF}.SetGroupRoles", _WRITE, named_group, groups.set_group_roles, changes_part=True),
    changing(f"{_OF}.RemoveGroupRoles", _WRITE, named_group, RemoveGroupRoles, "project_id", changes_part=True),
    Operation(f"{_OF}.ListGroupRoles", _READ, named_group, groups.list_group_roles),
    Operation(
        f"{_OF}.AddGroupMember", _WRITE, named_group, groups.add_group_member, changes_other=True, changes_part=True
    ),
    Operation(
        f"{_OF}.RemoveGroupMember",
        _WRITE,
        named_group,
        groups.remove_group_member,
        changes_other=True,
        changes_part=True,
    ),
    Operation(f"{_OF}.ListGroupMembers", _READ, named_group, groups.list_group_members),
    changing(
        f"{_OF}.AddGroupToGroup",
        _WRITE,
        named_group,
        NestGroups,
        "member_group_id",
        act=NestGroups.add,
        changes_other=True,
        changes_part=True,
    ),
    changing(
        f"{_OF}.RemoveGroupFromGroup",
        _WRITE,
        named_group,
        NestGroups,
        "member_group_id",
        act=NestGroups.remove,
        changes_other=True,
        changes_part=True,
    ),
    changing(
        f"{_OF}.SetGroupMapping",
        _WRITE,
        named_group,
        MapGroup,
        "idp_id",
        "claim",
        "provider_groups",
        act=MapGroup.set,
        places=((r"groups\.claim", "claim"), (r"groups\.groups.+", "providerGroups")),
        changes_other=True,
        changes_part=True,
    ),
    changing(
        f"{_OF}.RemoveGroupMapping",
        _WRITE,
        named_group,
        MapGroup,
        "idp_id",
        act=MapGroup.remove,
        changes_other=True,
        changes_part=True,
    ),
    Operation(f"{_OF}.ListGroupMappings", _READ, named_group, groups.list_group_mappings),
    Operation(f"{_OF}.ListUserGroups", _READ, named_user, groups.list_user_groups, own=True),
)
