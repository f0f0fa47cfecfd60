"""What is offered for several users only: a group or roles for all of them."""

from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.already import add_roles, is_done
from portico_console.console_app.screens.screen import Action, Options
from portico_console.console_app.screens.tables.shared import MANAGEMENT

_GRANTED: Final = f"{MANAGEMENT}.ProjectGrantService/"

TOGETHER: Final = (
    Action(
        "join", "Add to group", f"{MANAGEMENT}.GroupService/AddGroupMember", bulk="Add %(count)s users to a group", only=("groupId",),
        options={"groupId": Options(f"{MANAGEMENT}.GroupService/ListGroups", "id", "name")}, only_bulk=True, already=is_done,
        onward=("/orgs/{org}/groups/{groupId}", "Open the group"),
    ),
    Action(
        "grant", "Grant roles", f"{MANAGEMENT}.UserGrantService/AddUserGrant", bulk="Grant roles to %(count)s users", only=("projectId", "roleKeys"),
        options={
            "projectId": Options(
                f"{MANAGEMENT}.ProjectService/ListProjects", "id", "name",
                more=Options(_GRANTED + "ListGrantedProjects", "projectId+grantId", "projectName"),
            ),
            "roleKeys": Options(
                f"{MANAGEMENT}.ProjectService/ListProjectRoles", "key", "displayName|key", {"projectId": "$.projectId"},
                otherwise=Options(
                    _GRANTED + "ListGrantedProjectRoles", "key", "displayName|key",
                    {"projectId": "$.projectId", "grantId": "$.projectGrantId"},
                ),
            ),
        },
        only_bulk=True, already=add_roles, splits=("projectId", "projectGrantId"),
    ),
)  # fmt: skip
