from __future__ import annotations

from enum import StrEnum

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.accounts import User


class LinkKind(StrEnum):
    """What a link is for. An invitation is a link for a password."""

    EMAIL = "mail"
    PASSWORD = "password"
    PASSKEY = "passkey"


class CheckLink(Message, frozen=True, kw_only=True):
    """Asks whether a link would be accepted, without using it up; `code_id` is of a link for a passkey."""

    kind: LinkKind
    user_id: str
    code: Secret
    code_id: str = ""


class LinkChecked(Message, frozen=True):
    """`usable`: the link would be accepted now. False alike for an unknown user and for a wrong code (LG-01)."""

    usable: bool


class VerifyEmailLink(Message, frozen=True):
    """Verifies an email address by the code in the link; a wrong, used or expired code is an error (USER-402)."""

    user_id: str
    code: Secret


class EmailLinkVerified(Message, frozen=True):
    """The address is verified.

    `has_password`: the user has a password; otherwise the next step is to set one.
    """

    has_password: bool


class SetPasswordByLink(Message, frozen=True):
    """Sets a password by the code in the link, and revokes all grants and sessions.

    A wrong, used or expired code is an error (USER-402); a password that violates the policy has an error
    code for each rule.
    """

    user_id: str
    code: Secret
    new_password: Secret


class PasswordSet(Message, frozen=True):
    """The password was set.

    Attributes:
        start: registered address of the application that the user was invited to; empty for none.
        user: whom it was set for and who may be signed in, if the account is active; None after a recovery, and after
            a link other than an invitation.
    """

    start: str = ""
    user: User | None = None


class SendPasswordLink(Message, frozen=True):
    """Requests a password reset link. The reply is the same with and without an account (LG-01).

    Attributes:
        login_name: as typed.
        languages: languages of the email where the user's is unknown, best first.
        sender: the client's IP address, for rate limiting; empty if unknown.
    """

    login_name: str
    sender: str
    languages: tuple[str, ...] = ()


class PasswordLinkSent(Message, frozen=True):
    """An email was sent if the login name has an account that may receive one.

    `challenge` binds the emailed code to the browser; it looks the same without an account (P9).
    """

    challenge: Secret = ""


class SetPasswordByCode(Message, frozen=True):
    """Sets a password by the emailed code in the browser that requested it, and revokes all grants and sessions.

    A wrong, used or expired code is an error (USER-402), and so is a password that violates a rule.

    `challenge` is that of `PasswordLinkSent`.
    """

    challenge: Secret
    code: Secret
    new_password: Secret


class UseLink(SetPasswordByLink, frozen=True, kw_only=True):
    """`SetPasswordByLink` of the pages.

    Attributes:
        browser: handle from the cookie of the browser, in which the user is signed in; empty for no cookie, None where
            no user is to be signed in.
        device: its name for the user's list of sessions.
    """

    browser: Secret | None = None
    device: str = ""


class RequestPasswordCode(SendPasswordLink, frozen=True, kw_only=True):
    """`SendPasswordLink` of the pages; `request_id` is the authorization request that waits, empty for none."""

    request_id: str = ""
    browser: Secret = ""


class PasswordCodeRequested(PasswordLinkSent, frozen=True):
    """`binding` shows later that this browser has requested the code; empty without an authorization request."""

    binding: Secret = ""


class UsePasswordCode(SetPasswordByCode, frozen=True, kw_only=True):
    """`SetPasswordByCode` of the pages, with the authorization request and the binding of `PasswordCodeRequested`."""

    request_id: str = ""
    browser: Secret = ""
    binding: Secret = ""


class LinkUsed(Message, frozen=True):
    """The credential is set.

    Attributes:
        start: as in `PasswordSet`.
        set_cookie: handle of the browser in which the user is signed in; empty where none is.
        continue_to: path that continues with the sign-in that waited; empty for none.
    """

    start: str = ""
    set_cookie: Secret = ""
    continue_to: Secret = ""


class BeginRecovery(Message, frozen=True):
    """Reports that the user did not make the change in a notice. All sessions and grants of the account are revoked.

    An unknown, used or expired link is an error (USER-684).

    `languages` are those of the email where the user's is unknown, best first.
    """

    code: Secret
    languages: tuple[str, ...] = ()


class RecoveryBegun(Message, frozen=True):
    """All sessions were ended.

    Attributes:
        challenge: of the code sent to the address of the notice, for `SetPasswordByCode`; empty where none was
            sent.
        waits: no code was sent yet, because the address was set less than a day ago (decision 0020); the link
            remains valid.
    """

    challenge: Secret = ""
    waits: bool = False


class BeginPasskeyByLink(Message, frozen=True):
    """Starts the registration of a passkey by the code in the link; USER-541 if it is wrong, used or expired."""

    user_id: str
    code_id: str
    code: Secret


class PasskeyBegun(Message, frozen=True):
    """A started registration, valid for 5 minutes.

    `options` is JSON for ``navigator.credentials.create()``, binary values in base64url.
    """

    passkey_id: str
    options: Secret


class FinishPasskeyByLink(Message, frozen=True):
    """Completes the registration; the link cannot be used again.

    Errors: the code as in `BeginPasskeyByLink`, a registration not started with this link (USER-501), an
    invalid credential (USER-502), and one that is already registered (USER-503).

    `credential` is JSON as of ``PublicKeyCredential.toJSON()``.
    """

    user_id: str
    code_id: str
    code: Secret
    passkey_id: str
    credential: Secret


class PasskeyRegistered(Message, frozen=True):
    """The passkey is registered and can be used to sign in."""


class BeginPasskeyByInvitation(Message, frozen=True):
    """Starts the registration of a passkey instead of a first password; USER-941 for a wrong, used or expired code."""

    user_id: str
    code: Secret


class FinishPasskeyByInvitation(Message, frozen=True):
    """Completes the registration and uses up the invitation; errors as in `FinishPasskeyByLink`, the code USER-941."""

    user_id: str
    code: Secret
    passkey_id: str
    credential: Secret


class InvitationAccepted(Message, frozen=True):
    """The passkey is registered; `start` and `user` as in `PasswordSet`, `device_bound` as in `AssertionFinished`."""

    start: str = ""
    user: User | None = None
    device_bound: bool = False


class UsePasskey(FinishPasskeyByInvitation, frozen=True, kw_only=True):
    """`FinishPasskeyByInvitation` of the pages; further fields as in `UseLink`."""

    browser: Secret | None = None
    device: str = ""


CHECK_LINK = Rpc("users.v1.link.check", CheckLink, LinkChecked, ("authz",))
BEGIN_PASSKEY_BY_INVITATION = Rpc(
    "users.v1.link.begin_invited_passkey", BeginPasskeyByInvitation, PasskeyBegun, ("authz",)
)
FINISH_PASSKEY_BY_INVITATION = Rpc(
    "users.v1.link.finish_invited_passkey", FinishPasskeyByInvitation, InvitationAccepted, ("authz",)
)
BEGIN_PASSKEY_BY_LINK = Rpc("users.v1.link.begin_passkey", BeginPasskeyByLink, PasskeyBegun, ("authz",))
FINISH_PASSKEY_BY_LINK = Rpc("users.v1.link.finish_passkey", FinishPasskeyByLink, PasskeyRegistered, ("authz",))
VERIFY_EMAIL_LINK = Rpc("users.v1.link.verify_mail", VerifyEmailLink, EmailLinkVerified, ("authz",))
SET_PASSWORD_BY_LINK = Rpc("users.v1.link.set_password", SetPasswordByLink, PasswordSet, ("authz",))
SET_PASSWORD_BY_CODE = Rpc("users.v1.link.set_password_by_code", SetPasswordByCode, PasswordSet, ("authz",))
BEGIN_RECOVERY = Rpc("users.v1.link.begin_recovery", BeginRecovery, RecoveryBegun, ("authz",))
SEND_PASSWORD_LINK = Rpc("users.v1.link.send_password", SendPasswordLink, PasswordLinkSent, ("authz",))
