"""Messages about all authenticators except passwords.

Every request counts the attempt first; a caller that must wait receives `slow_down` with a retry-after.
"""

from __future__ import annotations

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.accounts import Factor, User


class BeginAssertion(Message, frozen=True):
    """Requests a WebAuthn challenge, valid for 5 minutes and one response; `passkey` requires user verification.

    `user_id` is empty for a passkey of any user.
    """

    user_id: str
    passkey: bool = False
    kinds: tuple[Factor, ...] = (Factor.U2F, Factor.PASSKEY)


class AssertionBegun(Message, frozen=True):
    """None without a usable authenticator; `assertion` must be stored where the browser cannot change it."""

    assertion: Secret = ""
    options: str = ""


class FinishAssertion(Message, frozen=True):
    """Verifies a WebAuthn assertion; `credential` is JSON as of ``PublicKeyCredential.toJSON()``.

    `user_id` is empty for a passkey of any user.
    """

    assertion: Secret
    credential: Secret
    user_id: str


class AssertionFinished(Message, frozen=True):
    """None for a wrong, late or repeated response; with `user_verified` it counts as two factors.

    `device_bound`: the authenticator states with its signature that the credential cannot be backed up (WebAuthn
    section 6.1, flag BE), as it did at its registration, so its key stays on one device.
    """

    user: User | None = None
    user_verified: bool = False
    kind: Factor = Factor.U2F
    device_bound: bool = False


class VerifyTotp(Message, frozen=True):
    """Verifies a code of the user's authenticator app; each code is valid once."""

    user_id: str
    code: Secret


class VerifyRecoveryCode(Message, frozen=True):
    """Verifies a recovery code and invalidates it."""

    user_id: str
    code: Secret


class SendFactorEmail(Message, frozen=True):
    """Emails a sign-in code to a user who has email as a second factor."""

    user_id: str
    languages: tuple[str, ...] = ()


class FactorEmailSent(Message, frozen=True):
    """`challenge` must be stored where the browser cannot change it; `mail` is for display in part."""

    challenge: str
    mail: str


class VerifyFactorEmail(Message, frozen=True):
    """Verifies an emailed sign-in code: 8 digits, 5 minutes, 10 attempts, valid once."""

    user_id: str
    challenge: str
    code: Secret


class SendFactorText(Message, frozen=True):
    """Sends a sign-in code as a text message to a user who has text messages as a second factor."""

    user_id: str
    languages: tuple[str, ...] = ()


class FactorTextSent(Message, frozen=True):
    """`challenge` must be stored where the browser cannot change it; `phone` is for display in part.

    `delayed`: the sender did not accept the last message, so that this one may come later or never.
    """

    challenge: str
    phone: str
    delayed: bool = False


class VerifyFactorText(Message, frozen=True):
    """Verifies a sign-in code of a text message: 8 digits, 5 minutes, 10 attempts, valid once."""

    user_id: str
    challenge: str
    code: Secret


class FactorVerified(Message, frozen=True):
    """The user if the factor was verified; None otherwise."""

    user: User | None = None


BEGIN_ASSERTION = Rpc("users.v1.assertion.begin", BeginAssertion, AssertionBegun, ("authz",))
FINISH_ASSERTION = Rpc("users.v1.assertion.finish", FinishAssertion, AssertionFinished, ("authz",))
VERIFY_TOTP = Rpc("users.v1.totp.verify", VerifyTotp, FactorVerified, ("authz",))
VERIFY_RECOVERY_CODE = Rpc("users.v1.recovery_code.verify", VerifyRecoveryCode, FactorVerified, ("authz",))
SEND_FACTOR_EMAIL = Rpc("users.v1.factor_mail.send", SendFactorEmail, FactorEmailSent, ("authz",))
VERIFY_FACTOR_EMAIL = Rpc("users.v1.factor_mail.verify", VerifyFactorEmail, FactorVerified, ("authz",))
SEND_FACTOR_TEXT = Rpc("users.v1.factor_text.send", SendFactorText, FactorTextSent, ("authz",))
VERIFY_FACTOR_TEXT = Rpc("users.v1.factor_text.verify", VerifyFactorText, FactorVerified, ("authz",))
