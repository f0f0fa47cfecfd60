"""What users answers about every authenticator but passwords.

Every request counts the attempt first; a caller that must wait gets the error `slow_down` with a retry-after.
"""

from __future__ import annotations

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.people import Factor, User


class BeginAssertion(Message, frozen=True):
    """Requests a challenge for an authenticator (WebAuthn); it is good for 5 minutes and one answer.

    Attributes:
        user_id: whose keys may answer; empty for a sign-in that begins with a passkey.
        passkey: the key takes the place of a password: it must verify who holds it.
        kinds: of the user's keys only those may answer.
    """

    user_id: str = ""
    passkey: bool = False
    kinds: tuple[Factor, ...] = (Factor.U2F, Factor.PASSKEY)


class AssertionBegun(Message, frozen=True):
    """The challenge; nothing for a user without an authenticator that could answer.

    Attributes:
        assertion: names it; to be stored where the browser cannot change it.
        options: JSON for ``navigator.credentials.get()``, binary values in base64url.
    """

    assertion: Secret = ""
    options: str = ""


class FinishAssertion(Message, frozen=True):
    """Verifies the assertion of an authenticator.

    Attributes:
        user_id: as in `BeginAssertion`.
        credential: JSON as ``PublicKeyCredential.toJSON()`` makes it.
    """

    assertion: Secret
    credential: Secret
    user_id: str = ""


class AssertionFinished(Message, frozen=True):
    """The user whose key it was; nothing for a wrong, late or second answer.

    Attributes:
        user_verified: the key verified who holds it (PIN, finger), so that it counts as two factors.
        kind: which kind of the user's keys it was.
    """

    user: User | None = None
    user_verified: bool = False
    kind: Factor = Factor.U2F


class VerifyTotp(Message, frozen=True):
    """Checks a code of the user's authenticator app; each is good once."""

    user_id: str
    code: Secret


class VerifyRecoveryCode(Message, frozen=True):
    """Checks a recovery code, and uses it up."""

    user_id: str
    code: Secret


class SendFactorEmail(Message, frozen=True):
    """Emails a sign-in code to a user whose second factor that is.

    Attributes:
        languages: what to write the email in, best first.
    """

    user_id: str
    languages: tuple[str, ...] = ()


class FactorEmailSent(Message, frozen=True):
    """The code is on its way.

    Attributes:
        challenge: names it; to be stored where the browser cannot change it.
        mail: the address, to be shown in part.
    """

    challenge: str
    mail: str


class VerifyFactorEmail(Message, frozen=True):
    """Checks an emailed sign-in code: 8 digits, 5 minutes, 10 guesses, good once."""

    user_id: str
    challenge: str
    code: Secret


class FactorVerified(Message, frozen=True):
    """The user who proved the factor; nothing for everything else."""

    user: User | None = None


BEGIN_ASSERTION = Rpc("users.v1.assertion.begin", BeginAssertion, AssertionBegun, ("authz",))
FINISH_ASSERTION = Rpc("users.v1.assertion.finish", FinishAssertion, AssertionFinished, ("authz",))
VERIFY_TOTP = Rpc("users.v1.totp.verify", VerifyTotp, FactorVerified, ("authz",))
VERIFY_RECOVERY_CODE = Rpc("users.v1.recovery_code.verify", VerifyRecoveryCode, FactorVerified, ("authz",))
SEND_FACTOR_EMAIL = Rpc("users.v1.factor_mail.send", SendFactorEmail, FactorEmailSent, ("authz",))
VERIFY_FACTOR_EMAIL = Rpc("users.v1.factor_mail.verify", VerifyFactorEmail, FactorVerified, ("authz",))
