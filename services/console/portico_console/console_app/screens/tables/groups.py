from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.screen import (
    Action,
    Column,
    Danger,
    Getting,
    Kind,
    Listing,
    Options,
    Screen,
    Sort,
)
from portico_console.console_app.screens.tables.shared import (
    CHANGED,
    CREATED,
    ID,
    MANAGEMENT,
    history,
    removal,
    search,
)

_GROUPS: Final = f"{MANAGEMENT}.GroupService"
_ONE: Final = "/orgs/{org}/groups/{group}"
_ROLES_END: Final = "New tokens of the members do not contain these roles, unless they have them otherwise."
_MEMBER_ENDS: Final = "The user loses the roles of the group."
_OWN_PROVIDERS: Final = {"queries": [{"ownerTypeQuery": {"ownerType": "IDP_OWNER_TYPE_ORG"}}]}
_HOW: Final = (
    Column("Added", "membership.added", Kind.YES),
    Column("By identity providers", "membership.idpIds", Kind.LIST),
    Column("Through groups", "membership.viaGroupIds", Kind.LIST),
)

GROUP: Final = Screen(
    "groups",
    "/orgs/{org}/groups",
    "Groups",
    part="group",
    parts={"groupId": "group"},
    listing=Listing(
        f"{_GROUPS}/ListGroups",
        (Column("Name", "name"), Column("Description", "description"), CREATED),
        sorts=(Sort("Name"),),
        searches=(search("name", "Name", "nameQuery", "name"),),
    ),
    getting=Getting(f"{_GROUPS}/GetGroup", "group"),
    facts=(
        Column("Description", "description"),
        Column("Belongs to groups", "memberOf", Kind.LIST),
        CREATED,
        CHANGED,
        ID,
    ),
    create=(
        Action("new", "Create group", f"{_GROUPS}/AddGroup", done="%(name)s was created.", only=("name", "description"), leads_to="id"),
    ),
    actions=(
        Action("change", "Edit group", f"{_GROUPS}/UpdateGroup", done="The group %(name)s was changed.", named="name", only=("name", "description"), filled_from="."),
        removal(
            f"{_GROUPS}/RemoveGroup", done="%(name)s was deleted.", title="Delete", danger=Danger.TYPE_NAME,
            loses="Its members lose the roles of the group. This cannot be undone.",
        ),
    ),
    children=("group-members", "group-roles", "group-groups", "group-mappings", "group-history"),
    leads="group-members",
    hint="Members of a group have its roles. Applications can list the names of the groups in tokens.",
    empty="No groups yet.",
)  # fmt: skip

GROUP_MEMBERS: Final = Screen(
    "group-members",
    f"{_ONE}/members",
    "Members",
    part="user",
    parts={"groupId": "group", "userId": "user"},
    listing=Listing(f"{_GROUPS}/ListGroupMembers", (Column("Name", "displayName|userName"), *_HOW), id="userId"),
    name="displayName|userName",
    address="userName",
    create=(
        Action("new", "Add members", f"{_GROUPS}/AddGroupMember", done="The user was added to the group."),
    ),
    actions=(
        removal(
            f"{_GROUPS}/RemoveGroupMember", done="%(name)s was removed from the group.", loses=_MEMBER_ENDS, bulk="Remove %(count)s members",
        ),
    ),
    empty="No members yet.",
)  # fmt: skip

GROUP_ROLES: Final = Screen(
    "group-roles",
    f"{_ONE}/roles",
    "Roles in projects",
    part="project",
    parts={"groupId": "group", "projectId": "project"},
    listing=Listing(
        f"{_GROUPS}/ListGroupRoles",
        (Column("Project", "projectName|projectId"), Column("Roles", "roleKeys", Kind.LIST)),
        id="projectId",
        page="",
    ),
    name="projectName|projectId",
    named=("projectId",),
    create=(
        Action("new", "Grant roles", f"{_GROUPS}/SetGroupRoles", done="The roles were granted."),
    ),
    actions=(
        Action("roles", "Change roles", f"{_GROUPS}/SetGroupRoles", done="The roles were changed.", only=("roleKeys",), filled_from="."),
        removal(f"{_GROUPS}/RemoveGroupRoles", done="The roles were revoked.", title="Revoke roles", loses=_ROLES_END),
    ),
    empty="The group has no roles in projects.",
)  # fmt: skip

GROUP_MAPPINGS: Final = Screen(
    "group-mappings",
    f"{_ONE}/mappings",
    "Groups of identity providers",
    part="idp",
    parts={"groupId": "group", "idpId": "idp"},
    listing=Listing(
        f"{_GROUPS}/ListGroupMappings",
        (
            Column("Identity provider", "idpName"),
            Column("Groups at the provider", "providerGroups", Kind.LIST),
            Column("Claim", "claim"),
        ),
        id="idpId",
        page="",
    ),
    name="idpName",
    create=(
        Action(
            "new", "Add mapping", f"{_GROUPS}/SetGroupMapping", replaces=True, done="The groups were mapped.", only=("idpId", "providerGroups", "claim"),
            options={"idpId": Options(f"{MANAGEMENT}.IDPService/ListProviders", "id", "name", _OWN_PROVIDERS)},
        ),
    ),
    actions=(
        Action(
            "change", "Change groups", f"{_GROUPS}/SetGroupMapping", done="The groups were mapped.", only=("providerGroups", "claim"),
            filled_from=".",
        ),
        removal(
            f"{_GROUPS}/RemoveGroupMapping", done="The groups of %(name)s are no longer mapped.", title="Remove mapping",
            loses="Users whom the provider put into this group leave it, unless they were also added to it.",
        ),
    ),
    hint="Users whom the provider lists in one of these groups are members after each sign-in.",
    empty="No groups of an identity provider are mapped to this group.",
)  # fmt: skip

GROUP_GROUPS: Final = Screen(
    "group-groups",
    f"{_ONE}/groups",
    "Groups in this group",
    part="member",
    parts={"groupId": "group", "memberGroupId": "member"},
    listing=Listing(
        f"{_GROUPS}/ListGroups",
        (Column("Name", "name"), Column("Description", "description"), CREATED),
        fixed={"queries": [{"memberOfQuery": {"groupId": "$group"}}]},
    ),
    create=(
        Action(
            "new", "Add group", f"{_GROUPS}/AddGroupToGroup", done="The group was added.", only=("memberGroupId",),
            options={"memberGroupId": Options(f"{_GROUPS}/ListGroups", "id", "name")},
        ),
    ),
    actions=(
        removal(
            f"{_GROUPS}/RemoveGroupFromGroup", done="%(name)s was removed from the group.",
            loses="Its members lose the roles of this group.", bulk="Remove %(count)s groups",
        ),
    ),
    hint="Their members also have the roles of this group. A group that has groups cannot be added.",
    empty="No groups in this group.",
)  # fmt: skip

GROUP_HISTORY: Final = history("group-history", f"{_ONE}/history", "History", {"aggregateId": "group"})

USER_GROUPS: Final = Screen(
    "user-groups",
    "/orgs/{org}/users/{user}/groups",
    "Groups",
    part="group",
    parts={"userId": "user", "groupId": "group"},
    listing=Listing(f"{_GROUPS}/ListUserGroups", (Column("Name", "name"), *_HOW), id="groupId", page=""),
    create=(
        Action(
            "new", "Add to group", f"{_GROUPS}/AddGroupMember", done="The user was added to the group.", only=("groupId",),
            options={"groupId": Options(f"{_GROUPS}/ListGroups", "id", "name")},
        ),
    ),
    actions=(
        removal(
            f"{_GROUPS}/RemoveGroupMember", done="The user was removed from %(name)s.", title="Remove from group",
            loses=_MEMBER_ENDS, bulk="Remove from %(count)s groups",
        ),
    ),
    empty="The user is in no group.",
)  # fmt: skip

SCREENS: Final = (GROUP, GROUP_MEMBERS, GROUP_ROLES, GROUP_GROUPS, GROUP_MAPPINGS, GROUP_HISTORY, USER_GROUPS)
