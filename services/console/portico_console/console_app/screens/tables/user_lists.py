"""Users of an organization, and those of them who have not accepted their invitation."""

from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.screen import (
    Action,
    Column,
    Danger,
    Filter,
    Getting,
    Kind,
    Listing,
    Narrowing,
    Screen,
    Sort,
    Template,
)
from portico_console.console_app.screens.tables.shared import (
    CHANGED,
    CREATED,
    LANGUAGES,
    MANAGEMENT,
    USERS,
    narrowed,
    removal,
    switches,
    words,
)
from portico_console.console_app.screens.tables.users_together import TOGETHER

_USERS: Final = f"{MANAGEMENT}.UserService"

_DEACTIVATED: Final = (
    "The user can no longer sign in, and all sessions and tokens end. Use this for a user who has left: groups, roles"
    " and data stay until you reactivate or delete the user."
)
_REVOKED: Final = "The link in the email stops working. The user stays, and can be invited again or deleted."
_LOCKED: Final = (
    "The user can no longer sign in, and all sessions and tokens end. Use this for an account that may be misused: it"
    " stays as it is until you unlock it."
)


def _in(situation: str) -> Template:
    return {"situationQuery": {"situation": f"USER_SITUATION_{situation}"}}


PERSON_STATE: Final = Column("State", "human.invitation.state|human.wayIn|state", Kind.STATE)
"""An active person who has not accepted the invitation is invited, and one without any way to sign in cannot yet."""

_ONLY_PEOPLE: Final = {"typeQuery": {"type": "TYPE_HUMAN"}}

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
            PERSON_STATE,
            Column("Groups", "human.groupNames", Kind.NAMES),
            Column("Last sign-in", "human.lastSignIn", Kind.TIME),
            CREATED,
        ),
        with_address=True,
        sorts=(
            Sort("Name", "USER_FIELD_NAME_DISPLAY_NAME"),
            Sort("Last sign-in", "USER_FIELD_NAME_LAST_SIGN_IN"),
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
        fixed={"sortingColumn": "USER_FIELD_NAME_DISPLAY_NAME", "queries": [_ONLY_PEOPLE]},
        searches=(words("Name, email or phone"),),
        filters=(
            Filter("active", "Active", {"queries": [{"stateQuery": {"state": "USER_STATE_ACTIVE"}}, _in("WITH_WAY_IN")]}),
            Filter("invited", "Invited", {"queries": [_in("INVITED")]}),
            Filter(
                "no-way-in", "Cannot sign in yet",
                {"queries": [{"stateQuery": {"state": "USER_STATE_ACTIVE"}}, _in("WITHOUT_WAY_IN")]},
            ),
            Filter("never", "Never signed in", {"queries": [_in("NEVER_SIGNED_IN")]}),
            Filter("without-factor", "Without a second factor", {"queries": [_in("WITHOUT_SECOND_FACTOR")]}),
            narrowed("inactive", "Inactive", stateQuery={"state": "USER_STATE_INACTIVE"}),
            narrowed("locked", "Locked", stateQuery={"state": "USER_STATE_LOCKED"}),
        ),
        narrowings=(
            Narrowing("group", "Group", {"queries": [{"groupIdQuery": {"groupId": "$value"}}]}, "groupId"),
            Narrowing(
                "role", "Role", {"queries": [{"roleQuery": {"projectId": "$before", "roleKey": "$after"}}]}, "projectId"
            ),
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
        Action(
            "revoke", "Revoke invitation", f"{USERS}/RevokeInviteCode", done="The invitation of %(name)s was revoked.",
            needs="human.invitation", danger=Danger.CONFIRM, loses=_REVOKED,
        ),
        Action("passkey", "Send passkey registration link", f"{_USERS}/SendPasswordlessRegistration", done="%(name)s was sent a link to add a passkey.", bulk="Send passkey registration links to %(count)s users"),
        *switches(USERS, "User", loses=_DEACTIVATED, several="users"),
        Action(
            "lock", "Lock", f"{USERS}/LockUser", done="%(name)s was locked.", undo="unlock",
            states=("_ACTIVE",), danger=Danger.CONFIRM, loses=_LOCKED, bulk="Lock %(count)s users",
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

INVITATIONS: Final = Screen(
    "invitations",
    "/orgs/{org}/invitations",
    "Invitations",
    part="user",
    parts={"userId": "user"},
    listing=Listing(
        f"{_USERS}/ListUsers",
        (
            Column("Name", "human.profile.displayName|userName"),
            PERSON_STATE,
            Column("Invited by", "human.invitation.inviterName"),
            Column("Sent", "human.invitation.sent", Kind.TIME),
            Column("Expires", "human.invitation.expires", Kind.TIME),
        ),
        with_address=True,
        sorts=(Sort("Name", "USER_FIELD_NAME_DISPLAY_NAME"),),
        some={"queries": [{"inUserIdsQuery": {"userIds": "$ids"}}]},
        fixed={"sortingColumn": "USER_FIELD_NAME_DISPLAY_NAME", "queries": [_ONLY_PEOPLE, _in("INVITED")]},
        searches=(words("Name, email or phone"),),
        leads_to="/orgs/{org}/users/{id}",
    ),
    getting=Getting(f"{USERS}/GetUserByID", "user"),
    name=USER.name,
    address=USER.address,
    create=(
        Action("new", "Invite", f"{USERS}/AddHumanUser", at="/orgs/{org}/invite"),
    ),
    actions=(
        Action("resend", "Resend", f"{USERS}/CreateInviteCode", done="%(name)s was invited again.", fixed={"sendCode": {}}, bulk="Resend %(count)s invitations"),
        Action(
            "revoke", "Revoke", f"{USERS}/RevokeInviteCode", done="The invitation of %(name)s was revoked.",
            danger=Danger.CONFIRM, loses=_REVOKED, bulk="Revoke %(count)s invitations",
        ),
    ),
    hint="Users who have not accepted their invitation yet.",
    empty="No pending invitations.",
)  # fmt: skip

SCREENS: Final = (USER, INVITATIONS)
