"""What users answers an end user who followed an emailed link, or requests one; no sign-in is under way."""

from __future__ import annotations

from portico_contracts.subjects import Message, Rpc, Secret


class VerifyEmailLink(Message, frozen=True):
    """Verifies an email address by the code in the link; a wrong, used or old one is refused (USER-402)."""

    user_id: str
    code: Secret


class EmailLinkVerified(Message, frozen=True):
    """The address is verified.

    Attributes:
        has_password: the user can sign in with one; otherwise the next thing to do is to set one.
    """

    has_password: bool


class SetPasswordByLink(Message, frozen=True):
    """Sets a password by the code in the link, and ends everything granted so far.

    A wrong, used or old code is refused (USER-402), and a password by its policy's own error code.
    """

    user_id: str
    code: Secret
    new_password: Secret


class PasswordSet(Message, frozen=True):
    """It is set."""


class SendPasswordLink(Message, frozen=True):
    """Requests the link that sets a password. The answer is the same with and without an account (LG-01).

    Attributes:
        login_name: as typed.
        languages: what to write the email in where the user's own language is not known, best first.
        sender: the client's address, for counting its emails; empty where it is not known.
    """

    login_name: str
    languages: tuple[str, ...] = ()
    sender: str = ""


class PasswordLinkSent(Message, frozen=True):
    """An email is on its way, if the login name has an account that may get one.

    Attributes:
        challenge: identifies the emailed code to its browser; alike for names without an account (P9).
    """

    challenge: Secret = ""


class SetPasswordByCode(Message, frozen=True):
    """Sets a password by the emailed code, where it was requested, and ends everything granted so far.

    A wrong, used or expired code is refused (USER-402), and so is a password that violates a rule, with its error id.

    Attributes:
        challenge: as `PasswordLinkSent` named it.
    """

    challenge: Secret
    code: Secret
    new_password: Secret


class BeginRecovery(Message, frozen=True):
    """The owner of an account denies a change that a notice named. All sessions and grants of the account end.

    An unknown, used or expired link is refused (USER-684).

    Attributes:
        code: of the link in the notice.
        languages: what to write the email in where the user's own language is not known, best first.
    """

    code: Secret
    languages: tuple[str, ...] = ()


class RecoveryBegun(Message, frozen=True):
    """All sessions end.

    Attributes:
        challenge: identifies the code that was sent to the address of the notice, for `SetPasswordByCode`; empty where
            none was sent.
        waits: none is sent yet, as the address was set less than a day ago (ADR 0020); the link remains valid.
    """

    challenge: Secret = ""
    waits: bool = False


class BeginPasskeyByLink(Message, frozen=True):
    """Begins the registration of a passkey by the code in the link; a wrong, used or old one is refused (USER-541)."""

    user_id: str
    code_id: str
    code: Secret


class PasskeyBegun(Message, frozen=True):
    """It is under way for 5 minutes.

    Attributes:
        passkey_id: names the registration.
        options: JSON for ``navigator.credentials.create()``, binary values in base64url.
    """

    passkey_id: str
    options: Secret


class FinishPasskeyByLink(Message, frozen=True):
    """Completes the registration, and uses the link up.

    Refused are a code as before, a registration that is not under way with this link (USER-501), and a credential that
    does not fit (USER-502) or is registered already (USER-503).

    Attributes:
        credential: what the key made, as JSON (``PublicKeyCredential.toJSON()``).
    """

    user_id: str
    code_id: str
    code: Secret
    passkey_id: str
    credential: Secret


class PasskeyRegistered(Message, frozen=True):
    """The passkey is registered, and its user can sign in with it."""


BEGIN_PASSKEY_BY_LINK = Rpc("users.v1.link.begin_passkey", BeginPasskeyByLink, PasskeyBegun, ("authz",))
FINISH_PASSKEY_BY_LINK = Rpc("users.v1.link.finish_passkey", FinishPasskeyByLink, PasskeyRegistered, ("authz",))
VERIFY_EMAIL_LINK = Rpc("users.v1.link.verify_mail", VerifyEmailLink, EmailLinkVerified, ("authz",))
SET_PASSWORD_BY_LINK = Rpc("users.v1.link.set_password", SetPasswordByLink, PasswordSet, ("authz",))
SET_PASSWORD_BY_CODE = Rpc("users.v1.link.set_password_by_code", SetPasswordByCode, PasswordSet, ("authz",))
BEGIN_RECOVERY = Rpc("users.v1.link.begin_recovery", BeginRecovery, RecoveryBegun, ("authz",))
SEND_PASSWORD_LINK = Rpc("users.v1.link.send_password", SendPasswordLink, PasswordLinkSent, ("authz",))
