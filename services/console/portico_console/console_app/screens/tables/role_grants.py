from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.screen import Action, Column, Getting, Kind, Listing, Options, Screen, Search
from portico_console.console_app.screens.tables.shared import MANAGEMENT, STATE, removal, switches

_GRANTS: Final = f"{MANAGEMENT}.UserGrantService"
_ONE: Final = "/orgs/{org}/users/{user}"
_ROLES_END: Final = "New tokens do not contain the roles, and the user cannot sign in where roles are required."

GRANTS: Final = Screen(
    "user-grants",
    f"{_ONE}/grants",
    "Roles in projects",
    part="grant",
    parts={"userId": "user", "grantId": "grant"},
    listing=Listing(
        f"{_GRANTS}/ListUserGrants",
        (Column("Project", "projectName|projectId"), Column("Roles", "roleKeys", Kind.LIST), STATE),
        fixed={"queries": [{"userIdQuery": {"userId": "$user"}}]},
    ),
    getting=Getting(f"{_GRANTS}/GetUserGrantByID", "userGrant"),
    name="projectName|projectId",
    named=("projectId",),
    facts=(
        STATE,
        Column("User", "displayName"),
        Column("Project", "projectName|projectId"),
        Column("Roles", "roleKeys", Kind.LIST),
        Column("Project grant", "projectGrantId", Kind.CODE),
    ),
    create=(
        Action("new", "Grant roles", f"{_GRANTS}/AddUserGrant", done="The roles were granted."),
    ),
    actions=(
        Action(
            "roles", "Change roles", f"{_GRANTS}/UpdateUserGrant", done="The roles were changed.", only=("roleKeys",), filled_from=".",
            options={
                "roleKeys": Options(
                    f"{MANAGEMENT}.ProjectService/ListProjectRoles", "key", "displayName|key", {"projectId": "$.projectId"},
                    Options(
                        f"{MANAGEMENT}.ProjectGrantService/ListGrantedProjectRoles", "key", "displayName|key",
                        {"projectId": "$.projectId", "grantId": "$.projectGrantId"},
                    ),
                )
            },
        ),
        *switches(_GRANTS, "UserGrant", loses=_ROLES_END, several="grants"),
        removal(f"{_GRANTS}/RemoveUserGrant", done="The roles were revoked.", title="Revoke roles", loses=_ROLES_END, bulk="Revoke %(count)s grants"),
    ),
    empty="The user has no role in any project.",
)  # fmt: skip

ORG_GRANTS: Final = Screen(
    "grants",
    "/orgs/{org}/grants",
    "Roles of users",
    named=("projectId",),
    listing=Listing(
        f"{_GRANTS}/ListUserGrants",
        (
            Column("User", "displayName|userName"),
            Column("Project", "projectName|projectId"),
            Column("Roles", "roleKeys", Kind.LIST),
            STATE,
        ),
        searches=(Search("role", "Role", {"queries": [{"roleKeyQuery": {"roleKey": "$q"}}]}),),
        leads_to="/orgs/{orgId}/users/{userId}/grants/{id}",
    ),
    empty="No user has a role in a project yet.",
)

SCREENS: Final = (GRANTS, ORG_GRANTS)
