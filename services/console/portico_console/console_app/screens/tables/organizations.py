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
    STATE,
    history,
    removal,
    search,
    switches,
)

_ORGS: Final = f"{MANAGEMENT}.OrganizationService"
_MEMBERS: Final = f"{MANAGEMENT}.MemberService"
_PROJECT_GRANTS: Final = f"{MANAGEMENT}.ProjectGrantService"

ORG: Final = Screen(
    "org",
    "/orgs/{org}/organization",
    "Organization",
    getting=Getting(f"{_ORGS}/GetMyOrg", "org"),
    facts=(STATE, Column("Primary domain", "primaryDomain"), CREATED, CHANGED, ID),
    actions=(
        Action(
            "name",
            "Rename",
            f"{_ORGS}/UpdateOrg",
            done="The organization was renamed to %(name)s.",
            named="name",
            only=("name",),
            filled_from=".",
        ),
        *switches(
            _ORGS, "Org", loses="Users of this organization can no longer sign in, and its applications stop working."
        ),
    ),
    hangs=("users", "machines", "projects", "idps", "domains"),
    children=("domains", "members", "org-history"),
)

DOMAINS: Final = Screen(
    "domains",
    "/orgs/{org}/domains",
    "Domains",
    part="domain",
    parts={"domain": "domain"},
    listing=Listing(
        f"{_ORGS}/ListOrgDomains",
        (
            Column("Domain", "domainName"),
            Column("Verified", "isVerified", Kind.YES),
            Column("Primary", "isPrimary", Kind.YES),
        ),
        id="domainName",
    ),
    name="domainName",
    create=(Action("new", "Add domain", f"{_ORGS}/AddOrgDomain", done="%(name)s was added.", named="domain", only=("domain",)),),
    actions=(
        Action("proof", "Verify domain", f"{_ORGS}/GenerateOrgDomainValidation", done="Publish this value, then verify the domain.", only=("type",), once=("token", "url")),
        Action("verify", "Verify now", f"{_ORGS}/ValidateOrgDomain", done="%(name)s is verified."),
        Action(
            "primary", "Set as primary domain", f"{_ORGS}/SetPrimaryOrgDomain", done="%(name)s is now the primary domain.", danger=Danger.CONFIRM,
            loses="Login names of its users will end with this domain.",
        ),
        removal(f"{_ORGS}/RemoveOrgDomain", done="%(name)s was removed.", loses="Login names with this domain no longer work."),
    ),
    empty="No domains yet.",
)  # fmt: skip

ORG_HISTORY: Final = history("org-history", "/orgs/{org}/audit", "Audit", {})

_OF_MEMBERS: Final = (
    Column("Name", "displayName|email|preferredLoginName|userId"),
    Column("Email or login name", "email|preferredLoginName"),
    Column("Roles", "roles", Kind.LIST),
    CREATED,
)


def member_screen(
    key: str, path: str, title: str, of: str, parts: dict[str, str], service: str, hint: str, invites: str = ""
) -> Screen:
    """The screen of the administrators of an object; `of` is the name in methods: ``OrgMember``."""
    roles = {"roles": Options(f"{service}/List{of}Roles")}
    return Screen(
        key,
        path,
        title,
        part="user",
        parts={**parts, "userId": "user"},
        listing=Listing(
            f"{service}/List{of}s",
            _OF_MEMBERS,
            sorts=(Sort("Created"),),
            id="userId",
            one={"queries": [{"userIdQuery": {"userId": "$id"}}]},
        ),
        name="displayName|email|preferredLoginName|userId",
        address="email|preferredLoginName",
        create=(
            Action(
                "new", "Add administrator", f"{service}/Add{of}", done="%(name)s is now an administrator.", named="userId", only=("userId", "roles"), of_users=("userId",), options=roles,
                invites=invites,
            ),
        ),
        actions=(
            Action("roles", "Change roles", f"{service}/Update{of}", done="The roles of %(name)s were changed.", only=("roles",), filled_from=".", options=roles),
            removal(f"{service}/Remove{of}", done="%(name)s is no longer an administrator.", loses="The user no longer has an administrator role here.", bulk="Remove %(count)s administrators"),
        ),
        hint=hint,
        empty="No administrators yet.",
    )  # fmt: skip


MEMBERS: Final = member_screen(
    "members",
    "/orgs/{org}/members",
    "Administrators",
    "OrgMember",
    {},
    _MEMBERS,
    "They administer this organization, with the permissions of their roles.",
    invites="/orgs/{org}/invite?for=administrator",
)

GRANTED: Final = Screen(
    "granted",
    "/orgs/{org}/granted",
    "Granted projects",
    part="grant",
    parts={"grantId": "grant"},
    listing=Listing(
        f"{_PROJECT_GRANTS}/ListGrantedProjects",
        (
            Column("Project", "projectName"),
            Column("By", "projectOwnerName"),
            Column("Roles", "grantedRoleKeys", Kind.LIST),
            STATE,
        ),
        id="grantId",
        searches=(search("name", "Project", "projectNameQuery", "name"),),
    ),
    name="projectName",
    facts=(
        STATE,
        Column("Project", "projectName"),
        Column("By", "projectOwnerName"),
        Column("Roles", "grantedRoleKeys", Kind.LIST),
        Column("Project ID", "projectId", Kind.CODE),
        Column("Project grant", "grantId", Kind.CODE),
        CREATED,
    ),
    hint="Projects of other organizations whose roles you can grant to users of this organization.",
    empty="No granted projects.",
)

SCREENS: Final = (ORG, DOMAINS, MEMBERS, GRANTED, ORG_HISTORY)
