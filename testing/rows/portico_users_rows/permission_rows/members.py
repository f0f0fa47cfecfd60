"""Members of the instance, of organizations, of projects and of project grants."""

from __future__ import annotations

from typing import Any

from portico_users_rows.permission_rows.projects import PROJECT, RECEIVED
from portico_users_rows.permission_rows.row import (
    ABSENT,
    INSTANCE_WRITERS,
    NO,
    OF_OWN_ORG,
    READERS,
    READS_OWN_ORG,
    WHO,
    WRITERS,
    YES,
    Body,
    Row,
    body,
    but,
    nothing,
)

_OF = "portico.management.v1.MemberService"
_IAM = "portico.admin.v1.MemberService"
_MEMBERS = f"{PROJECT}/members"
_GRANT_MEMBERS = f"/management/v1/{RECEIVED}/members"


def _bot(role: str) -> Body:
    def make(managed: Any, caller: str) -> dict[str, Any]:
        return {"userId": f"bot-{caller}-{managed.tag}", "roles": [role]}

    return make


MEMBER_ROWS = {
    f"{_OF}.AddOrgMember": Row("", _bot("ORG_OWNER"), WRITERS, furnished=True),
    f"{_OF}.UpdateOrgMember": Row(
        "/management/v1/orgs/me/members/none", body(roles=["ORG_OWNER"]), but(ABSENT, OF_OWN_ORG)
    ),
    f"{_OF}.RemoveOrgMember": Row("/management/v1/orgs/me/members/none", nothing, but(ABSENT, OF_OWN_ORG)),
    f"{_OF}.ListOrgMembers": Row("", nothing, READS_OWN_ORG),
    f"{_OF}.ListOrgMemberRoles": Row("", nothing, READS_OWN_ORG),
    f"{_OF}.AddProjectMember": Row(_MEMBERS, _bot("PROJECT_OWNER"), WRITERS),
    f"{_OF}.UpdateProjectMember": Row(f"{_MEMBERS}/none", body(roles=["PROJECT_OWNER"]), but(ABSENT, WRITERS)),
    f"{_OF}.RemoveProjectMember": Row(f"{_MEMBERS}/none", nothing, but(ABSENT, WRITERS)),
    f"{_OF}.ListProjectMembers": Row(f"{_MEMBERS}/_search", nothing, READERS),
    f"{_OF}.ListProjectMemberRoles": Row("", nothing, READS_OWN_ORG),
    f"{_OF}.AddProjectGrantMember": Row(_GRANT_MEMBERS, _bot("PROJECT_GRANT_OWNER"), WRITERS),
    f"{_OF}.UpdateProjectGrantMember": Row(
        f"{_GRANT_MEMBERS}/none", body(roles=["PROJECT_GRANT_OWNER"]), but(ABSENT, WRITERS)
    ),
    f"{_OF}.RemoveProjectGrantMember": Row(f"{_GRANT_MEMBERS}/none", nothing, but(ABSENT, WRITERS)),
    f"{_OF}.ListProjectGrantMembers": Row(f"{_GRANT_MEMBERS}/_search", nothing, READERS),
    f"{_OF}.ListProjectGrantMemberRoles": Row("", nothing, READS_OWN_ORG),
    f"{_OF}.ListUserMemberships": Row(
        "/management/v1/users/self-{tag}/memberships/_search",
        nothing,
        (WHO, WHO, YES, NO, YES, YES, YES, ABSENT),
    ),
    f"{_IAM}.AddIAMMember": Row("", _bot("IAM_OWNER"), INSTANCE_WRITERS, furnished=True),
    f"{_IAM}.UpdateIAMMember": Row("/admin/v1/members/none", body(roles=["IAM_OWNER"]), but(ABSENT, INSTANCE_WRITERS)),
    f"{_IAM}.RemoveIAMMember": Row("/admin/v1/members/none", nothing, but(ABSENT, INSTANCE_WRITERS)),
    f"{_IAM}.ListIAMMembers": Row("", nothing, INSTANCE_WRITERS),
    f"{_IAM}.ListIAMMemberRoles": Row("", nothing, INSTANCE_WRITERS),
}
"""For callers of another organization, users of this one are unknown."""
