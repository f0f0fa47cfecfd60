from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.screen import Action, Column, Danger, Getting, Kind, Listing, Screen, Sort
from portico_console.console_app.screens.tables.organizations import member_screen
from portico_console.console_app.screens.tables.shared import (
    ADMIN,
    CREATED,
    MANAGEMENT,
    STATE,
    history,
    narrowed,
    words,
)

_LIFETIMES: Final = (
    "accessTokenLifetime", "idTokenLifetime", "refreshTokenIdleExpiration", "refreshTokenExpiration",
)  # fmt: skip

ORGS: Final = Screen(
    "instance-orgs",
    "/instance/orgs",
    "Organizations",
    listing=Listing(
        f"{ADMIN}.OrganizationService/ListOrgs",
        (Column("Name", "name"), Column("Primary domain", "primaryDomain"), STATE, CREATED),
        searches=(words("Name or domain"),),
        filters=(
            narrowed("active", "Active", stateQuery={"state": "ORG_STATE_ACTIVE"}),
            narrowed("inactive", "Inactive", stateQuery={"state": "ORG_STATE_INACTIVE"}),
        ),
        sorts=(Sort("Name"),),
        leads_to="/orgs/{id}/organization",
    ),
    create=(
        Action("new", "Create organization", f"{MANAGEMENT}.OrganizationService/AddOrg", done="%(name)s was created.", only=("name",)),
        Action(
            "set-up", "Create organization with its administrator", f"{ADMIN}.OrganizationService/SetUpOrg", done="%(name)s was created.", named="org.name",
            only=("org", "human", "roles"),
        ),
    ),
    empty="No organizations yet.",
)  # fmt: skip

MEMBERS: Final = member_screen(
    "instance-members",
    "/instance/members",
    "Administrators",
    "IAMMember",
    {},
    f"{ADMIN}.MemberService",
    "They administer all organizations, with the permissions of their roles.",
    invites="/instance/invite",
)

LIFETIMES: Final = Screen(
    "lifetimes",
    "/instance/lifetimes",
    "Token lifetimes",
    getting=Getting(f"{ADMIN}.SettingsService/GetOIDCSettings", "settings"),
    name="",
    facts=(
        Column("Access token lifetime", "accessTokenLifetime", Kind.SECONDS),
        Column("ID token lifetime", "idTokenLifetime", Kind.SECONDS),
        Column("Refresh token idle lifetime", "refreshTokenIdleExpiration", Kind.SECONDS),
        Column("Refresh token lifetime", "refreshTokenExpiration", Kind.SECONDS),
    ),
    actions=(
        Action("change", "Edit", f"{ADMIN}.SettingsService/UpdateOIDCSettings", done="The token lifetimes were changed.", only=_LIFETIMES, filled_from="."),
    ),
)  # fmt: skip

_KEYS: Final = f"{ADMIN}.SigningKeyService"

SIGNING_KEYS: Final = Screen(
    "signing-keys",
    "/instance/signing-keys",
    "Signing keys",
    part="key",
    parts={"kid": "key"},
    listing=Listing(
        f"{_KEYS}/ListSigningKeys",
        (
            Column("ID", "kid", Kind.CODE),
            Column("Algorithm", "alg", Kind.CODE),
            STATE,
            Column("Since", "since", Kind.TIME),
            Column("Signs from", "activationDate", Kind.TIME),
        ),
        id="kid",
        page="",
    ),
    name="kid",
    create=(Action("rotate", "Rotate keys", f"{_KEYS}/RotateSigningKeys", done="The signing keys were rotated.", only=("alg", "now")),),
    actions=(
        Action(
            "revoke", "Revoke key", f"{_KEYS}/RevokeSigningKey", done="The signing key %(name)s was revoked.", danger=Danger.TYPE_NAME,
            states=("_CREATED", "_PUBLISHED", "_SIGNING", "_RETIRED"),
            loses="All tokens signed with this key are rejected immediately. Use this only if the key may have been leaked.",
        ),
    ),
    hint="Keys are rotated automatically. Rotate a key here to do it now. Older keys stay published while tokens they signed may be valid.",
)  # fmt: skip

INTENTS: Final = Screen(
    "intents",
    "/instance/intents",
    "Custom login page",
    getting=Getting(f"{ADMIN}.SettingsService/GetIDPIntentSettings", ""),
    name="",
    facts=(Column("Redirect URIs after sign-in", "urls", Kind.LIST),),
    actions=(
        Action("change", "Edit", f"{ADMIN}.SettingsService/SetIDPIntentSettings", done="The redirect URIs were changed.", only=("urls",), filled_from="."),
    ),
)  # fmt: skip

IMPERSONATION: Final = Screen(
    "impersonation",
    "/instance/impersonation",
    "Acting for users",
    getting=Getting(f"{ADMIN}.SettingsService/GetImpersonationSettings", ""),
    name="",
    facts=(Column("Administrators may act for users", "allowImpersonation", Kind.YES),),
    actions=(
        Action("change", "Edit", f"{ADMIN}.SettingsService/SetImpersonationSettings", done="The setting was changed.", only=("allowImpersonation",), filled_from="."),
    ),
    hint="With the permission user.impersonate, an application with token exchange gets tokens of users without more permissions. Each use is in the event log, and the user is notified.",
)  # fmt: skip

REQUESTS: Final = Screen(
    "instance-requests",
    "/instance/requests",
    "Refused requests",
    listing=Listing(
        f"{ADMIN}.TraceService/ListTraces",
        (
            Column("Request", "requestId", Kind.CODE),
            Column("Time", "at", Kind.TIME),
            Column("Endpoint", "endpoint", Kind.CODE),
            Column("Client ID", "clientId", Kind.CODE),
            Column("Error", "text"),
        ),
        id="requestId",
        fixed={"outcome": "TRACE_OUTCOME_REFUSED"},
        newest_first=True,
        sorts=(Sort("Time"),),
        leads_to="/requests/{requestId}",
    ),
    empty="No refused requests in the last 24 hours.",
)

INSTANCE_HISTORY: Final = history("instance-history", "/instance/audit", "Audit", {})

SCREENS: Final = (ORGS, MEMBERS, LIFETIMES, SIGNING_KEYS, INTENTS, IMPERSONATION, REQUESTS, INSTANCE_HISTORY)
