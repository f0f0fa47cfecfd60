from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.screen import (
    Action,
    Column,
    Danger,
    Getting,
    Kind,
    Link,
    Listing,
    Options,
    Screen,
    Sort,
)
from portico_console.console_app.screens.tables.organizations import member_screen
from portico_console.console_app.screens.tables.shared import (
    ADMIN,
    ALGORITHMS,
    CHANGED,
    CREATED,
    ENDS,
    EXPIRES_AFTER,
    FORMER_ENDS,
    ID,
    KEPT_AT_FIRST,
    KEPT_FOR,
    MANAGEMENT,
    SECRET_ENDS,
    STATE,
    fields_in,
    history,
    removal,
    search,
    switches,
    words,
)

_PROJECTS: Final = f"{MANAGEMENT}.ProjectService"
_APPS: Final = f"{MANAGEMENT}.AppService"
_GRANTS: Final = f"{MANAGEMENT}.ProjectGrantService"
_ONE: Final = "/orgs/{org}/projects/{project}"
_SETTINGS: Final = fields_in(f"{_PROJECTS}/AddProject")
_APP_SETTINGS: Final = (
    (
        "settings", "Sign-in",
        (
            "redirectUris", "appType", "authMethodType", "grantTypes", "responseTypes", "consent", "apis", "minimumAcr",
            "defaultMaxAgeSeconds", "sessionSeconds", "sessionIdleSeconds",
        ),
    ),
    (
        "settings-tokens", "Tokens",
        (
            "accessTokenType", "accessTokenAcrAssertion", "accessTokenRoleAssertion", "idTokenRoleAssertion", "idTokenUserinfoAssertion", "rolesClaim",
            "groupsClaim", "accessTokenSeconds", "idTokenSeconds", "refreshTokenIdleSeconds", "refreshTokenSeconds",
            "refreshTokenGraceSeconds", "idTokenSignedResponseAlg",
        ),
    ),
    ("settings-logout", "Logout", ("postLogoutRedirectUris", "backChannelLogoutUri", "hintedLogout")),
    ("settings-appearance", "Appearance", ("logoUri", "policyUri", "tosUri")),
    (
        "settings-advanced", "Advanced",
        (
            "additionalOrigins", "devMode", "plainSchemes", "loopbackPorts", "requirePushedAuthorizationRequests", "plainOAuth",
            "strictAuthMethod", "certificateSubject", "clientAssertionAudience", "clientAssertionJti", "dpop", "dpopNonce", "securityProfile", "agent", "clockSkew", "managementAccess",
        ),
    ),
)  # fmt: skip
"""The pages of the form of an application's settings: word, title and fields."""

_ROLES: Final = {"roleKeys": Options(f"{_PROJECTS}/ListProjectRoles", "key", "displayName|key")}
_ORGS: Final = {"grantedOrgId": Options(f"{ADMIN}.OrganizationService/ListOrgs", "id", "name")}
"""Callers who may not list all organizations type the id."""

_APIS: Final = {"apis": Options(f"{_APPS}/ListOrgApps", "app.apiConfig.clientId", "app.name")}
_APPS_STOP: Final = "Users can no longer sign in to it, and its tokens stop working."
_ROLE_ENDS: Final = "The role is removed from users and from new tokens."

PROJECT: Final = Screen(
    "projects",
    "/orgs/{org}/projects",
    "Projects",
    part="project",
    parts={"projectId": "project"},
    listing=Listing(
        f"{_PROJECTS}/ListProjects",
        (Column("Name", "name"), STATE, CREATED),
        sorts=(Sort("Name"),),
        searches=(words("Name"),),
    ),
    getting=Getting(f"{_PROJECTS}/GetProjectByID", "project"),
    facts=(
        STATE,
        Column("Roles in tokens", "projectRoleAssertion", Kind.YES),
        Column("Only users with a role can sign in", "projectRoleCheck", Kind.YES),
        Column("Only organizations with a project grant can sign in", "hasProjectCheck", Kind.YES),
        Column("Branding", "privateLabelingSetting", Kind.WORD),
        CREATED,
        CHANGED,
        ID,
    ),
    create=(Action("new", "Create project", f"{_PROJECTS}/AddProject", done="%(name)s was created.", only=_SETTINGS, leads_to="id"),),
    actions=(
        Action("change", "Edit settings", f"{_PROJECTS}/UpdateProject", done="The settings of %(name)s were saved.", only=_SETTINGS, filled_from="."),
        Action(
            "claims", "Edit claim rules", f"{_PROJECTS}/SetProjectClaimRules", done="The claim rules of %(name)s were saved.",
            only=("claimRules",), filled_from=".",
        ),
        *switches(_PROJECTS, "Project", loses="Users can no longer sign in to its applications.", several="projects"),
        removal(
            f"{_PROJECTS}/RemoveProject", done="%(name)s was deleted.", title="Delete", danger=Danger.TYPE_NAME,
            loses="Its applications, roles and grants are also deleted. This cannot be undone.",
        ),
    ),
    hangs=("apps", "roles", "project-grants", "project-members"),
    children=("apps", "roles", "project-members", "project-grants", "project-history"),
    leads="apps",
    links=(Link("Preview tokens", "/preview", f"{_APPS}/PreviewTokens"),),
    hint="Applications of a project share its roles, and may use each other's APIs.",
    empty="No projects yet.",
)  # fmt: skip

APP: Final = Screen(
    "apps",
    f"{_ONE}/apps",
    "Applications",
    part="app",
    parts={"projectId": "project", "appId": "app"},
    listing=Listing(
        f"{_APPS}/ListApps",
        (Column("Name", "name"), Column("Client ID", "oidcConfig.clientId|apiConfig.clientId", Kind.CODE), STATE, CREATED),
        sorts=(Sort("Name"),),
        searches=(words("Name or client ID"),),
    ),
    getting=Getting(f"{_APPS}/GetAppByID", "app"),
    facts=(
        STATE,
        Column("Client ID", "oidcConfig.clientId|apiConfig.clientId", Kind.CODE),
        Column("Client authentication", "oidcConfig.authMethodType|apiConfig.authMethodType", Kind.WORD, "OIDC_AUTH_METHOD_TYPE_BASIC"),
        Column("Redirect URIs", "oidcConfig.redirectUris", Kind.LIST),
        Column("Post-logout redirect URIs", "oidcConfig.postLogoutRedirectUris", Kind.LIST),
        Column("Grant types", "oidcConfig.grantTypes", Kind.LIST),
        Column("Access token type", "oidcConfig.accessTokenType", Kind.WORD, "OIDC_TOKEN_TYPE_BEARER"),
        Column("Minimum sign-in strength", "oidcConfig.minimumAcr", Kind.WORD),
        Column("Maximum age of the sign-in (seconds)", "oidcConfig.defaultMaxAgeSeconds"),
        Column("Session lifetime (seconds)", "oidcConfig.sessionSeconds"),
        Column("Session idle lifetime (seconds)", "oidcConfig.sessionIdleSeconds"),
        Column("Access token lifetime (seconds)", "oidcConfig.accessTokenSeconds"),
        Column("ID token lifetime (seconds)", "oidcConfig.idTokenSeconds"),
        Column("Refresh token idle lifetime (seconds)", "oidcConfig.refreshTokenIdleSeconds"),
        Column("Refresh token lifetime (seconds)", "oidcConfig.refreshTokenSeconds"),
        Column("Access tokens bound to a key (DPoP)", "oidcConfig.dpop", Kind.WORD),
        Column("Security profile", "oidcConfig.securityProfile", Kind.WORD),
        Column("Claim with the groups", "oidcConfig.groupsClaim"),
        Column("Roles in access tokens", "oidcConfig.accessTokenRoleAssertion", Kind.YES),
        Column("Roles in ID tokens", "oidcConfig.idTokenRoleAssertion", Kind.YES),
        Column("User Info inside ID Token", "oidcConfig.idTokenUserinfoAssertion", Kind.YES),
        Column("Development mode", "oidcConfig.devMode", Kind.YES),
        Column("Back-channel logout URI", "oidcConfig.backChannelLogoutUri"),
        Column("Additional origins", "oidcConfig.additionalOrigins", Kind.LIST),
        CREATED,
        CHANGED,
        ID,
    ),
    create=(Action("new", "Create application", f"{_APPS}/AddOIDCApp", done="%(name)s was created.", at="/orgs/{org}/apps/new?project={project}"),),
    actions=(
        Action("name", "Rename", f"{_APPS}/UpdateApp", done="The application was renamed to %(name)s.", named="name", only=("name",), filled_from="."),
        *(
            Action(
                word, "Edit settings", f"{_APPS}/UpdateOIDCAppConfig", done="The settings of %(name)s were saved.",
                only=fields, tab=tab, words={"idTokenSignedResponseAlg": ALGORITHMS}, options=_APIS,
                filled_from="oidcConfig", needs="oidcConfig",
            )
            for word, tab, fields in _APP_SETTINGS
        ),
        Action(
            "claims", "Edit claim rules", f"{_APPS}/SetAppClaimRules", done="The claim rules of %(name)s were saved.",
            only=("claimRules",), filled_from="oidcConfig", needs="oidcConfig",
        ),
        Action(
            "api-settings", "Edit settings", f"{_APPS}/UpdateAPIAppConfig", done="The settings of %(name)s were saved.",
            only=fields_in(f"{_APPS}/UpdateAPIAppConfig", but=("projectId", "appId")), filled_from="apiConfig", needs="apiConfig",
        ),
        Action(
            "scopes", "Edit scopes", f"{_APPS}/SetAPIScopes", done="The scopes of %(name)s were saved.",
            only=("resources", "scopes"), filled_from="apiConfig", needs="apiConfig",
        ),
        Action(
            "secret", "Generate new client secret", f"{_APPS}/RegenerateOIDCClientSecret", done="%(name)s has a new client secret.",
            only=("keepSeconds", "expiresAfterDays"), words=KEPT_FOR | EXPIRES_AFTER,
            starts=KEPT_AT_FIRST | {"expiresAfterDays": "0"}, loses=SECRET_ENDS, once=("clientSecret",),
            needs="oidcConfig",
        ),
        Action(
            "api-secret", "Generate new client secret", f"{_APPS}/RegenerateAPIClientSecret", done="%(name)s has a new client secret.",
            only=("keepSeconds", "expiresAfterDays"), words=KEPT_FOR | EXPIRES_AFTER,
            starts=KEPT_AT_FIRST | {"expiresAfterDays": "0"}, loses=SECRET_ENDS, once=("clientSecret",),
            needs="apiConfig",
        ),
        Action(
            "no-former-secret", "Revoke previous secret", f"{_APPS}/RemovePreviousClientSecret", done="The previous secret of %(name)s was revoked.",
            danger=Danger.CONFIRM, loses=FORMER_ENDS, needs="previousSecretUntil",
        ),
        *switches(_APPS, "App", loses=_APPS_STOP, several="applications"),
        removal(f"{_APPS}/RemoveApp", done="%(name)s was deleted.", title="Delete", danger=Danger.TYPE_NAME, loses=_APPS_STOP),
    ),
    hangs=("app-keys",),
    children=("app-keys", "app-agents", "scim-targets"),
    empty="No applications yet.",
)  # fmt: skip

APP_KEYS: Final = Screen(
    "app-keys",
    f"{_ONE}/apps/{{app}}/keys",
    "Keys",
    part="key",
    parts={"projectId": "project", "appId": "app", "keyId": "key"},
    listing=Listing(f"{_APPS}/ListAppKeys", (ID, ENDS)),
    getting=Getting(f"{_APPS}/GetAppKey", "key"),
    name="id",
    create=(
        Action(
            "new", "Create key", f"{_APPS}/AddAppKey", done="The key was created.",
            only=("expirationDate", "publicKey"), fixed={"type": "KEY_TYPE_JSON"}, once=("keyDetails",),
        ),
    ),
    actions=(removal(f"{_APPS}/RemoveAppKey", done="The key was removed.", loses="Programs that use it get no new tokens."),),
    empty="No keys yet.",
)  # fmt: skip

ROLE: Final = Screen(
    "roles",
    f"{_ONE}/roles",
    "Roles",
    part="role",
    parts={"projectId": "project", "roleKey": "role"},
    listing=Listing(
        f"{_PROJECTS}/ListProjectRoles",
        (Column("Key", "key", Kind.CODE), Column("Display name", "displayName"), Column("Group", "group")),
        id="key",
        sorts=(Sort("Key"),),
        searches=(search("key", "Key", "keyQuery", "key"), search("name", "Name", "displayNameQuery", "displayName")),
        one={"queries": [{"keyQuery": {"key": "$id", "method": "TEXT_QUERY_METHOD_EQUALS"}}]},
    ),
    name="displayName|key",
    address="key",
    create=(
        Action(
            "new",
            "Create role",
            f"{_PROJECTS}/AddProjectRole",
            done="The role %(name)s was created.",
            named="displayName|roleKey",
            only=("roleKey", "displayName", "group"),
        ),
        Action(
            "several",
            "Add several roles",
            f"{_PROJECTS}/BulkAddProjectRoles",
            done="The roles were created.",
            only=("roles",),
        ),
    ),
    actions=(
        Action(
            "change",
            "Edit role",
            f"{_PROJECTS}/UpdateProjectRole",
            done="The role %(name)s was changed.",
            only=("displayName", "group"),
            filled_from=".",
        ),
        removal(
            f"{_PROJECTS}/RemoveProjectRole",
            done="The role %(name)s was removed.",
            loses=_ROLE_ENDS,
            bulk="Remove %(count)s roles",
        ),
    ),
    empty="No roles yet.",
)

PROJECT_MEMBERS: Final = member_screen(
    "project-members",
    f"{_ONE}/members",
    "Administrators",
    "ProjectMember",
    {"projectId": "project"},
    f"{MANAGEMENT}.MemberService",
    "They administer this project, with the permissions of their roles.",
)

PROJECT_GRANT: Final = Screen(
    "project-grants",
    f"{_ONE}/grants",
    "Granted to organizations",
    part="grant",
    parts={"projectId": "project", "grantId": "grant"},
    listing=Listing(
        f"{_GRANTS}/ListProjectGrants",
        (Column("Organization", "grantedOrgName"), Column("Roles", "grantedRoleKeys", Kind.LIST), STATE, CREATED),
        id="grantId",
        sorts=(Sort("Created"),),
    ),
    getting=Getting(f"{_GRANTS}/GetProjectGrantByID", "projectGrant"),
    name="grantedOrgName",
    facts=(
        STATE,
        Column("Organization", "grantedOrgName"),
        Column("Organization ID", "grantedOrgId", Kind.CODE),
        Column("Roles", "grantedRoleKeys", Kind.LIST),
        CREATED,
        CHANGED,
        Column("Project grant", "grantId", Kind.CODE),
    ),
    create=(
        Action(
            "new", "Grant project", f"{_GRANTS}/AddProjectGrant", done="The project was granted.", only=("grantedOrgId", "roleKeys"), leads_to="grantId",
            options=_ROLES | _ORGS,
        ),
    ),
    actions=(
        Action(
            "roles", "Change roles", f"{_GRANTS}/UpdateProjectGrant", done="The roles of %(name)s were changed.", only=("roleKeys",), filled_from="roleKeys=grantedRoleKeys", options=_ROLES,
        ),
        *switches(_GRANTS, "ProjectGrant", loses="Users of that organization lose these roles."),
        removal(f"{_GRANTS}/RemoveProjectGrant", done="The grant to %(name)s was removed.", loses="Users of that organization lose these roles."),
    ),
    hangs=("grant-members",),
    children=("grant-members",),
    empty="No grants to other organizations.",
)  # fmt: skip

GRANT_MEMBERS: Final = member_screen(
    "grant-members",
    f"{_ONE}/grants/{{grant}}/members",
    "Administrators",
    "ProjectGrantMember",
    {"projectId": "project", "grantId": "grant"},
    f"{MANAGEMENT}.MemberService",
    "They grant the roles to users of their organization.",
)

PROJECT_HISTORY: Final = history("project-history", f"{_ONE}/history", "History", {"aggregateId": "project"})

SCREENS: Final = (
    PROJECT, APP, APP_KEYS, ROLE, PROJECT_MEMBERS, PROJECT_GRANT, GRANT_MEMBERS, PROJECT_HISTORY,
)  # fmt: skip
