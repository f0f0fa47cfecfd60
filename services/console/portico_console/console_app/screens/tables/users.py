from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.screen import Action, Column, Danger, Getting, Kind, Listing, Screen, Sort
from portico_console.console_app.screens.tables.shared import (
    CHANGED,
    CREATED,
    LANGUAGES,
    MANAGEMENT,
    STATE,
    USERS,
    narrowed,
    removal,
    search,
    switches,
    words,
)
from portico_console.console_app.screens.tables.users_together import TOGETHER

_USERS: Final = f"{MANAGEMENT}.UserService"
_METADATA: Final = f"{MANAGEMENT}.UserMetadataService"
_SESSIONS: Final = f"{MANAGEMENT}.SessionService"
_ACCESS: Final = f"{MANAGEMENT}.AppAccessService"
_ONE: Final = "/orgs/{org}/users/{user}"

_SIGN_IN_ENDS: Final = "The user can no longer sign in. All sessions and tokens end."

USER: Final = Screen(
    "users",
    "/orgs/{org}/users",
    "Users",
    part="user",
    parts={"userId": "user"},
    listing=Listing(
        f"{_USERS}/ListUsers",
        (
            Column("Name", "human.profile.displayName|machine.name|userName"),
            STATE,
            Column("Last sign-in", "human.lastSignIn", Kind.TIME),
            CREATED,
        ),
        with_address=True,
        sorts=(
            Sort("Name", "USER_FIELD_NAME_DISPLAY_NAME"),
            Sort("State", "USER_FIELD_NAME_STATE"),
            Sort("Created", "USER_FIELD_NAME_CREATION_DATE"),
        ),
        some={"queries": [{"inUserIdsQuery": {"userIds": "$ids"}}]},
        only_exported=(
            Column("User name", "userName"),
            Column("Email", "human.email.email"),
            Column("First name", "human.profile.firstName"),
            Column("Last name", "human.profile.lastName"),
            Column("Email verified", "human.email.isEmailVerified|human.email.isVerified", Kind.YES),
            Column("Phone", "human.phone.phone"),
            Column("Language", "human.profile.preferredLanguage"),
            CHANGED,
        ),
        fixed={"sortingColumn": "USER_FIELD_NAME_DISPLAY_NAME", "queries": [{"typeQuery": {"type": "TYPE_HUMAN"}}]},
        searches=(words("Name, email or phone"),),
        filters=(
            narrowed("active", "Active", stateQuery={"state": "USER_STATE_ACTIVE"}),
            narrowed("inactive", "Inactive", stateQuery={"state": "USER_STATE_INACTIVE"}),
            narrowed("locked", "Locked", stateQuery={"state": "USER_STATE_LOCKED"}),
        ),
    ),
    getting=Getting(f"{USERS}/GetUserByID", "user"),
    name="human.profile.displayName|machine.name|username|userName",
    address="human.email.email|username|userName",
    create=(
        Action(
            "new", "Create user", f"{USERS}/AddHumanUser", at="/orgs/{org}/users/do/new",
            invites="/orgs/{org}/invite",
        ),
    ),
    actions=(
        Action(
            "profile", "Edit profile", f"{_USERS}/UpdateHumanProfile", done="The profile of %(name)s was changed.",
            only=("firstName", "lastName", "nickName", "displayName", "preferredLanguage", "gender"),
            filled_from="human.profile", words={"preferredLanguage": LANGUAGES},
        ),
        *TOGETHER,
        Action("name", "Change user name", f"{_USERS}/UpdateUserName", done="The user name of %(name)s was changed.", only=("userName",)),
        Action(
            "email", "Change email address", f"{_USERS}/UpdateHumanEmail", done="The email address of %(name)s was changed.",
            only=("email", "isEmailVerified"), filled_from="human.email|isEmailVerified=human.email.isVerified",
        ),
        Action(
            "phone", "Change phone number", f"{_USERS}/UpdateHumanPhone", done="The phone number of %(name)s was changed.",
            only=("phone", "isPhoneVerified"), filled_from="human.phone|isPhoneVerified=human.phone.isVerified",
        ),
        Action("password", "Set password", f"{_USERS}/SetHumanPassword", done="The password of %(name)s was changed.", only=("password", "noChangeRequired")),
        Action(
            "reset", "Send password reset link", f"{_USERS}/SendHumanResetPasswordNotification", done="%(name)s was sent a link to reset the password.",
            fixed={"type": "TYPE_EMAIL"}, states=("_ACTIVE",), bulk="Send password reset links to %(count)s users",
        ),
        Action("invite", "Send invitation", f"{USERS}/CreateInviteCode", done="%(name)s was invited.", fixed={"sendCode": {}}, bulk="Invite %(count)s users"),
        Action("passkey", "Send passkey registration link", f"{_USERS}/SendPasswordlessRegistration", done="%(name)s was sent a link to add a passkey.", bulk="Send passkey registration links to %(count)s users"),
        *switches(USERS, "User", loses=_SIGN_IN_ENDS, several="users"),
        Action(
            "lock", "Lock", f"{USERS}/LockUser", done="%(name)s was locked.", undo="unlock",
            states=("_ACTIVE",), danger=Danger.CONFIRM, loses=_SIGN_IN_ENDS, bulk="Lock %(count)s users",
        ),
        Action("unlock", "Unlock", f"{USERS}/UnlockUser", done="%(name)s was unlocked.", states=("_LOCKED",), bulk="Unlock %(count)s users"),
        removal(
            f"{USERS}/DeleteUser", done="%(name)s was deleted.", title="Delete", danger=Danger.TYPE_NAME, bulk="Delete %(count)s users",
            loses="The user and all related data are deleted. This cannot be undone.",
        ),
    ),
    hangs=("user-sessions", "user-access", "user-grants", "user-memberships", "user-links"),
    empty="No users yet.",
    imports=f"{_USERS}/ImportHumanUsers",
)  # fmt: skip

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
        (Column("Key", "key", Kind.CODE), Column("Value", "value", Kind.BYTES), CHANGED),
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
    USER, FACTORS, PASSKEYS, SECURITY_KEYS, SESSIONS, TRUSTED_DEVICES, ACCESS, MEMBERSHIPS, LINKS, METADATA,
)  # fmt: skip
