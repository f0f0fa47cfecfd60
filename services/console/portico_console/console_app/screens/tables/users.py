"""What belongs to one person."""

from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.screen import Action, Column, Danger, Getting, Kind, Listing, Screen
from portico_console.console_app.screens.tables.shared import (
    CREATED,
    MANAGEMENT,
    STATE,
    USERS,
    removal,
    search,
)

_METADATA: Final = f"{MANAGEMENT}.UserMetadataService"
_SESSIONS: Final = f"{MANAGEMENT}.SessionService"
_ACCESS: Final = f"{MANAGEMENT}.AppAccessService"
_ONE: Final = "/orgs/{org}/users/{user}"

FACTORS: Final = Screen(
    "user-factors",
    f"{_ONE}/factors",
    "Ways to sign in",
    parts={"userId": "user"},
    listing=Listing(f"{USERS}/ListAuthenticationMethodTypes", (), page=""),
    create=tuple(
        Action(word, title, f"{USERS}/{method}", done=done, danger=Danger.CONFIRM, loses="The user signs in without it or sets it up again.")
        for word, title, method, done in (
            ("no-totp", "Remove authenticator app", "RemoveTOTP", "The authenticator app was removed."),
            ("no-email", "Remove email codes", "RemoveOTPEmail", "Email codes were removed."),
            ("no-text", "Remove codes by text message", "RemoveOTPSMS", "Codes by text message were removed."),
            ("no-codes", "Remove recovery codes", "RemoveRecoveryCodes", "The recovery codes were removed."),
        )
    ),
)  # fmt: skip

PASSKEYS: Final = Screen(
    "user-passkeys",
    f"{_ONE}/passkeys",
    "Passkeys",
    part="passkey",
    parts={"userId": "user", "passkeyId": "passkey"},
    listing=Listing(
        f"{USERS}/ListPasskeys",
        (
            Column("Name", "name|id"), STATE, Column("Added", "creationDate", Kind.TIME),
            Column("Last used", "lastUsed", Kind.TIME),
        ),
        page="",
    ),
    actions=(
        Action("rename", "Rename", f"{USERS}/RenamePasskey", done="The passkey was renamed to %(name)s.", named="passkeyName", only=("passkeyName",)),
        removal(f"{USERS}/RemovePasskey", done="The passkey %(name)s was removed.", loses="The user can no longer sign in with it."),
    ),
    empty="No passkeys yet.",
)  # fmt: skip

SECURITY_KEYS: Final = Screen(
    "user-keys",
    f"{_ONE}/security-keys",
    "Security keys and other factors",
    part="key",
    parts={"userId": "user", "u2fId": "key"},
    listing=Listing(
        f"{USERS}/ListAuthenticationFactors",
        (
            Column("Name", "u2f.name|u2f.id"), STATE, Column("Added", "u2f.creationDate|otp.creationDate", Kind.TIME),
            Column("Last used", "u2f.lastUsed|otp.lastUsed", Kind.TIME),
        ),
        id="u2f.id",
        page="",
    ),
    name="u2f.name",
    actions=(
        Action("rename", "Rename", f"{USERS}/RenameU2F", done="The security key was renamed to %(name)s.", named="tokenName", only=("tokenName",)),
        removal(f"{USERS}/RemoveU2F", done="The security key %(name)s was removed.", loses="The user can no longer sign in with it."),
    ),
    empty="No security keys yet.",
)  # fmt: skip

SESSIONS: Final = Screen(
    "user-sessions",
    f"{_ONE}/sessions",
    "Sessions",
    part="session",
    parts={"userId": "user", "sessionId": "session"},
    listing=Listing(
        f"{_SESSIONS}/ListUserSessions",
        (
            Column("Signed in", "authTime", Kind.TIME),
            Column("Device", "device"),
            Column("Last used", "lastUsed", Kind.TIME),
            Column("Method", "amr", Kind.METHODS),
        ),
        page="",
    ),
    name="device|id",
    create=(
        Action(
            "end-all", "End all sessions", f"{_SESSIONS}/RemoveUserSessions", done="All sessions were ended.", danger=Danger.CONFIRM,
            loses="The user is signed out of all browsers and of all applications that support it.",
        ),
    ),
    actions=(
        removal(
            f"{_SESSIONS}/RemoveUserSession", done="The session was ended.", title="End session",
            loses="The user is signed out of this browser and its applications.", bulk="End %(count)s sessions",
        ),
    ),
    empty="No active sessions.",
)  # fmt: skip

TRUSTED_DEVICES: Final = Screen(
    "user-trusted-devices",
    f"{_ONE}/trusted-devices",
    "Trusted browsers",
    part="device",
    parts={"userId": "user", "deviceId": "device"},
    listing=Listing(
        f"{_SESSIONS}/ListUserTrustedDevices",
        (
            Column("Device", "device"),
            Column("Trusted since", "since", Kind.TIME),
            Column("Trusted until", "until", Kind.TIME),
        ),
        page="",
    ),
    name="device|id",
    actions=(
        removal(
            f"{_SESSIONS}/RemoveUserTrustedDevice", done="The browser is no longer trusted.", title="End trust",
            loses="The next sign-in of the user with this browser requests a second factor.",
        ),
    ),
    empty="No trusted browsers.",
)  # fmt: skip

ACCESS: Final = Screen(
    "user-access",
    f"{_ONE}/access",
    "Applications with access",
    part="client",
    parts={"userId": "user", "clientId": "client"},
    listing=Listing(
        f"{_ACCESS}/ListUserAppAccess",
        (
            Column("Application", "name|clientId"),
            Column("Since", "since", Kind.TIME),
            Column("Last sign-in", "lastGranted", Kind.TIME),
            Column("Offline access", "offline", Kind.YES),
            Column("Scopes", "scopes", Kind.LIST),
            Column("Allowed", "allowed", Kind.TIME),
            Column("Allowed scopes", "allowedScopes", Kind.LIST),
        ),
        id="clientId",
        page="",
    ),
    name="name|clientId",
    actions=(
        removal(
            f"{_ACCESS}/RemoveUserAppAccess", done="The access of %(name)s was revoked.", title="Revoke access",
            loses="Its tokens stop working immediately, and what the user allowed it is forgotten. It gets new tokens when the user opens it again.", bulk="Revoke the access of %(count)s applications",
        ),
    ),
    empty="No application has access.",
)  # fmt: skip

MEMBERSHIPS: Final = Screen(
    "user-memberships",
    f"{_ONE}/memberships",
    "Administrator of",
    parts={"userId": "user"},
    listing=Listing(
        f"{MANAGEMENT}.MemberService/ListUserMemberships",
        (
            Column("Roles", "roles", Kind.LIST),
            Column("Instance", "iam", Kind.YES),
            Column("Organization", "orgName|orgId"),
            Column("Project", "projectName|projectId"),
            CREATED,
        ),
    ),
    named=("orgId", "projectId"),
    empty="The user has no administrator roles.",
)

LINKS: Final = Screen(
    "user-links",
    f"{_ONE}/links",
    "Linked identities",
    part="link",
    parts={"userId": "user"},
    listing=Listing(
        f"{USERS}/ListIDPLinks",
        (
            Column("Identity provider", "idpName|idpId"),
            Column("External user name", "userName"),
            Column("External ID", "userId", Kind.CODE),
        ),
        id="idpId+userId",
    ),
    name="userName",
    create=(Action("new", "Link identity", f"{USERS}/AddIDPLink", done="The identity was linked.", only=("idpLink",)),),
    actions=(
        removal(
            f"{USERS}/RemoveIDPLink", done="The link to %(name)s was removed.", loses="The user can no longer sign in through this provider.",
            fixed={"idpId": "$.idpId", "linkedUserId": "$.userId"},
        ),
    ),
    empty="No linked identities.",
)  # fmt: skip

METADATA: Final = Screen(
    "user-metadata",
    f"{_ONE}/metadata",
    "Metadata",
    part="key",
    parts={"id": "user", "key": "key"},
    listing=Listing(
        f"{_METADATA}/ListMetadata",
        (Column("Key", "key", Kind.CODE), Column("Value", "value", Kind.BYTES)),
        id="key",
        searches=(search("key", "Key", "keyQuery", "key"),),
    ),
    getting=Getting(f"{_METADATA}/GetMetadata", "metadata"),
    name="key",
    create=(
        Action(
            "new",
            "Add metadata",
            f"{_METADATA}/SetMetadata",
            replaces=True,
            done="%(name)s was added.",
            named="key",
            only=("key", "value"),
        ),
    ),
    actions=(
        Action(
            "change", "Edit", f"{_METADATA}/SetMetadata", done="%(name)s was changed.", only=("value",), filled_from="."
        ),
        removal(
            f"{_METADATA}/RemoveMetadata",
            done="%(name)s was removed.",
            loses="Tokens and userinfo no longer contain it.",
            bulk="Remove %(count)s entries",
        ),
    ),
    empty="No metadata yet.",
)

SCREENS: Final = (
    FACTORS, PASSKEYS, SECURITY_KEYS, SESSIONS, TRUSTED_DEVICES, ACCESS, MEMBERSHIPS, LINKS, METADATA,
)  # fmt: skip
