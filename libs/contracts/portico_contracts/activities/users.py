from __future__ import annotations

from functools import partial
from typing import Final

from portico_contracts.activities.activity import (
    CREATED,
    DELETED,
    IMPORTED,
    Activity,
    becomes,
    filled,
    grew,
    shrank,
    states,
)

USERS: Final = "users"
USER_IMPORTS: Final = "userImports"
_user = partial(Activity, USERS)

_ACCOUNT: Final = (
    _user("imported", "%(actor)s imported the user %(object)s", action=IMPORTED),
    Activity(USER_IMPORTS, "created", "%(actor)s imported users", action=CREATED),
    _user("invited", "%(actor)s invited %(object)s", action=CREATED, changed="inviteCode"),
    _user("invited", "%(actor)s invited %(object)s", changed="inviteCode"),
    _user("invitationRevoked", "%(actor)s revoked the invitation of %(object)s", changed="inviteRevoked"),
    _user("created", "%(actor)s created the user %(object)s", "%(object)s registered", action=CREATED),
    _user("deleted", "%(actor)s deleted the user %(object)s", "%(actor)s deleted their account", action=DELETED),
    _user("locked", "%(actor)s locked %(object)s", changed="state", when=becomes("locked")),
    _user("unlocked", "%(actor)s unlocked %(object)s", changed="state", when=becomes("active", "locked")),
    *states(USERS),
)

_CREDENTIALS: Final = (
    _user("passwordSet", "%(actor)s set a password for %(object)s", "%(actor)s set a password", changed="password"),
    _user(
        "recoveryCodeUsed",
        "%(object)s used a recovery code",
        "%(object)s used a recovery code",
        changed="recoveryCodeUsed",
    ),
    _user(
        "keyAdded",
        "%(actor)s added a passkey or security key for %(object)s",
        "%(actor)s added a passkey or security key",
        changed="securityKeys",
        when=grew,
    ),
    _user(
        "keyRemoved",
        "%(actor)s removed a passkey or security key of %(object)s",
        "%(actor)s removed a passkey or security key",
        changed="securityKeys",
        when=shrank,
    ),
    _user(
        "keysChanged",
        "%(actor)s changed the passkeys or security keys of %(object)s",
        "%(actor)s changed a passkey or security key",
        changed="securityKeys",
    ),
    _user(
        "totpAdded",
        "%(actor)s set up an authenticator app for %(object)s",
        "%(actor)s set up an authenticator app",
        changed="hasTotp",
        when=filled,
    ),
    _user(
        "totpRemoved",
        "%(actor)s removed the authenticator app of %(object)s",
        "%(actor)s removed the authenticator app",
        changed="hasTotp",
    ),
    _user(
        "emailCodesAdded",
        "%(actor)s turned on codes by email for %(object)s",
        "%(actor)s turned on codes by email",
        changed="hasOtpEmail",
        when=filled,
    ),
    _user(
        "emailCodesRemoved",
        "%(actor)s turned off codes by email for %(object)s",
        "%(actor)s turned off codes by email",
        changed="hasOtpEmail",
    ),
    _user(
        "textCodesAdded",
        "%(actor)s turned on codes by text message for %(object)s",
        "%(actor)s turned on codes by text message",
        changed="hasOtpSms",
        when=filled,
    ),
    _user(
        "textCodesRemoved",
        "%(actor)s turned off codes by text message for %(object)s",
        "%(actor)s turned off codes by text message",
        changed="hasOtpSms",
    ),
    _user(
        "recoveryCodesRemoved",
        "%(actor)s removed the recovery codes of %(object)s",
        "%(actor)s removed the recovery codes",
        changed="recoveryCodes",
        when=becomes(0),
    ),
    _user(
        "recoveryCodesCreated",
        "%(actor)s created recovery codes for %(object)s",
        "%(actor)s created recovery codes",
        changed="recoveryCodeHashes",
    ),
    _user(
        "identityLinked",
        "%(actor)s linked an external account to %(object)s",
        "%(actor)s linked an external account",
        changed="idpLinks",
        when=grew,
    ),
    _user(
        "identityUnlinked",
        "%(actor)s unlinked an external account from %(object)s",
        "%(actor)s unlinked an external account",
        changed="idpLinks",
        when=shrank,
    ),
    _user(
        "identityChanged",
        "%(actor)s changed the external accounts of %(object)s",
        "%(actor)s changed an external account",
        changed="idpLinks",
    ),
    _user(
        "consentRevoked",
        "%(actor)s revoked what %(object)s had allowed an application",
        "%(actor)s revoked what an application was allowed",
        changed="consents",
        when=shrank,
    ),
    _user(
        "consentGiven",
        "%(object)s allowed an application to use the account",
        "%(object)s allowed an application to use the account",
        changed="consents",
    ),
    _user("secretChanged", "%(actor)s changed the client secret of %(object)s", changed="secretHash"),
    _user("tokensChanged", "%(actor)s changed the personal access tokens of %(object)s", changed="personalTokens"),
    _user("keysOfServiceChanged", "%(actor)s changed the keys of %(object)s", changed="keys"),
)

_CONTACTS: Final = (
    _user(
        "emailChanged",
        "%(actor)s changed the email address of %(object)s",
        "%(actor)s changed the email address",
        changed="email",
    ),
    _user(
        "emailRequested",
        "%(actor)s requested a new email address for %(object)s",
        "%(actor)s requested a new email address",
        changed="pendingEmail",
        when=filled,
    ),
    _user(
        "emailVerified",
        "%(actor)s verified the email address of %(object)s",
        "%(actor)s verified the email address",
        changed="emailVerified",
        when=filled,
    ),
    _user(
        "phoneChanged",
        "%(actor)s changed the phone number of %(object)s",
        "%(actor)s changed the phone number",
        changed="phone",
    ),
    _user(
        "phoneVerified",
        "%(actor)s verified the phone number of %(object)s",
        "%(actor)s verified the phone number",
        changed="phoneVerified",
        when=filled,
    ),
    _user(
        "passwordLinkSent",
        "%(actor)s sent a password link to %(object)s",
        "%(actor)s requested a password link",
        changed="passwordCode",
    ),
    _user(
        "emailCodeSent",
        "%(actor)s sent an email verification code to %(object)s",
        "%(actor)s requested an email verification code",
        changed="emailCode",
    ),
    _user(
        "phoneCodeSent",
        "%(actor)s requested a phone verification code for %(object)s",
        "%(actor)s requested a phone verification code",
        changed="phoneCode",
    ),
)

_PROFILE: Final = (
    "firstName", "lastName", "displayName", "nickName", "preferredLanguage", "gender", "middleName", "profileUrl",
    "website", "picture", "birthdate", "zoneinfo", "address", "name", "description",
)  # fmt: skip

_REST: Final = (
    _user("rolesChanged", "%(actor)s changed the roles of %(object)s", changed="grants"),
    _user("groupsChanged", "%(actor)s changed the groups of %(object)s", changed="groups"),
    _user(
        "userNameChanged",
        "%(actor)s changed the user name of %(object)s",
        "%(actor)s changed the user name",
        changed="userName",
    ),
    _user(
        "passwordChangeRequired",
        "%(actor)s required a new password of %(object)s",
        changed="passwordChangeRequired",
        when=filled,
    ),
    _user("metadataChanged", "%(actor)s changed the metadata of %(object)s", changed="metadata"),
    *(
        _user(
            "profileChanged",
            "%(actor)s changed the profile of %(object)s",
            "%(actor)s changed the profile",
            changed=one,
        )
        for one in _PROFILE
    ),
    _user("updated", "%(actor)s changed %(object)s", "%(actor)s changed the account"),
)

OF_USERS: Final = (*_ACCOUNT, *_CREDENTIALS, *_CONTACTS, *_REST)
"""The first that matches an event is its activity."""
