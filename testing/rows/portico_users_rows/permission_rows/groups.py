"""Groups. Adding a member needs the permission that giving roles needs."""

from __future__ import annotations

from typing import Any

from portico_users_rows.permission_rows.row import (
    ABSENT,
    OF_OWN_ORG,
    READERS,
    READS_OWN_ORG,
    WHO,
    WRITERS,
    YES,
    Row,
    body,
    but,
    nothing,
)

_OF = "portico.management.v1.GroupService"
_ONE = "/management/v1/groups/group-{caller}-{tag}"


def _bot(managed: Any, caller: str) -> dict[str, Any]:
    return {"userId": f"bot-{caller}-{managed.tag}"}


def _inner(managed: Any, caller: str) -> dict[str, Any]:
    return {"memberGroupId": f"inner-{caller}-{managed.tag}"}


GROUP_ROWS = {
    f"{_OF}.AddGroup": Row("", lambda _managed, caller: {"name": f"by {caller}"}, OF_OWN_ORG),
    f"{_OF}.GetGroup": Row(_ONE, nothing, READERS),
    f"{_OF}.UpdateGroup": Row(_ONE, lambda _managed, caller: {"name": f"renamed by {caller}"}, WRITERS),
    f"{_OF}.RemoveGroup": Row(_ONE, nothing, WRITERS),
    f"{_OF}.ListGroups": Row("", nothing, READS_OWN_ORG),
    f"{_OF}.SetGroupRoles": Row(f"{_ONE}/roles/p-{{caller}}-{{tag}}", body(roleKeys=["reader"]), WRITERS),
    f"{_OF}.RemoveGroupRoles": Row(f"{_ONE}/roles/none", nothing, but(ABSENT, WRITERS)),
    f"{_OF}.ListGroupRoles": Row(f"{_ONE}/roles", nothing, READERS),
    f"{_OF}.AddGroupMember": Row(f"{_ONE}/members", _bot, WRITERS, furnished=True),
    f"{_OF}.RemoveGroupMember": Row(f"{_ONE}/members/robot-{{tag}}", nothing, but(ABSENT, WRITERS)),
    f"{_OF}.ListGroupMembers": Row(f"{_ONE}/members/_search", nothing, READERS),
    f"{_OF}.AddGroupToGroup": Row(f"{_ONE}/groups", _inner, WRITERS, furnished=True),
    f"{_OF}.RemoveGroupFromGroup": Row(f"{_ONE}/groups/inner-{{caller}}-{{tag}}", nothing, but(ABSENT, WRITERS)),
    f"{_OF}.SetGroupMapping": Row(f"{_ONE}/mappings/none", body(providerGroups=["staff"]), but(ABSENT, WRITERS)),
    f"{_OF}.RemoveGroupMapping": Row(f"{_ONE}/mappings/none", nothing, but(ABSENT, WRITERS)),
    f"{_OF}.ListGroupMappings": Row(f"{_ONE}/mappings", nothing, READERS),
    f"{_OF}.ListUserGroups": Row(
        "/management/v1/users/self-{tag}/groups", nothing, (WHO, WHO, YES, 7, YES, YES, YES, ABSENT)
    ),
}
