"""The operations on members."""

from __future__ import annotations

from typing import Any, Final

from portico_users.api.management_v1.members import changing, lists
from portico_users.api.management_v1.members.member_scopes import (
    instance_members,
    org_members,
    project_grant_members,
    project_members,
)
from portico_users.api.transport.operation import Operation
from portico_users.api.transport.targets import named_user
from portico_users.directory.members.permissions import Permission

_OF: Final = "portico.management.v1.MemberService"
_IAM: Final = "portico.admin.v1.MemberService"

_ORG_READ: Final = Permission.ORG_MEMBER_READ
_ORG_WRITE: Final = Permission.ORG_MEMBER_WRITE
_PROJECT_READ: Final = Permission.PROJECT_MEMBER_READ
_PROJECT_WRITE: Final = Permission.PROJECT_MEMBER_WRITE
_GRANT_READ: Final = Permission.PROJECT_GRANT_MEMBER_READ
_GRANT_WRITE: Final = Permission.PROJECT_GRANT_MEMBER_WRITE

MEMBERS: Final[tuple[Operation[Any, Any, Any], ...]] = (
    Operation(f"{_OF}.AddOrgMember", _ORG_WRITE, org_members, changing.add_member),
    Operation(f"{_OF}.UpdateOrgMember", _ORG_WRITE, org_members, changing.update_member),
    Operation(f"{_OF}.RemoveOrgMember", _ORG_WRITE, org_members, changing.remove_member),
    Operation(f"{_OF}.ListOrgMembers", _ORG_READ, org_members, lists.list_members),
    Operation(f"{_OF}.ListOrgMemberRoles", _ORG_READ, org_members, lists.list_org_member_roles),
    Operation(f"{_OF}.AddProjectMember", _PROJECT_WRITE, project_members, changing.add_project_member),
    Operation(f"{_OF}.UpdateProjectMember", _PROJECT_WRITE, project_members, changing.update_project_member),
    Operation(f"{_OF}.RemoveProjectMember", _PROJECT_WRITE, project_members, changing.remove_project_member),
    Operation(f"{_OF}.ListProjectMembers", _PROJECT_READ, project_members, lists.list_project_members),
    Operation(f"{_OF}.ListProjectMemberRoles", _PROJECT_READ, org_members, lists.list_project_member_roles),
    Operation(f"{_OF}.AddProjectGrantMember", _GRANT_WRITE, project_grant_members, changing.add_project_grant_member),
    Operation(
        f"{_OF}.UpdateProjectGrantMember", _GRANT_WRITE, project_grant_members, changing.update_project_grant_member
    ),
    Operation(
        f"{_OF}.RemoveProjectGrantMember", _GRANT_WRITE, project_grant_members, changing.remove_project_grant_member
    ),
    Operation(f"{_OF}.ListProjectGrantMembers", _GRANT_READ, project_grant_members, lists.list_project_grant_members),
    Operation(f"{_OF}.ListProjectGrantMemberRoles", _GRANT_READ, org_members, lists.list_project_grant_member_roles),
    Operation(
        f"{_OF}.ListUserMemberships", Permission.USER_MEMBERSHIP_READ, named_user, lists.list_user_memberships, own=True
    ),
    Operation(f"{_IAM}.AddIAMMember", Permission.IAM_MEMBER_WRITE, instance_members, changing.add_member),
    Operation(f"{_IAM}.UpdateIAMMember", Permission.IAM_MEMBER_WRITE, instance_members, changing.update_member),
    Operation(f"{_IAM}.RemoveIAMMember", Permission.IAM_MEMBER_WRITE, instance_members, changing.remove_member),
    Operation(f"{_IAM}.ListIAMMembers", Permission.IAM_MEMBER_READ, instance_members, lists.list_members),
    Operation(f"{_IAM}.ListIAMMemberRoles", Permission.IAM_MEMBER_READ, instance_members, lists.list_iam_member_roles),
)
