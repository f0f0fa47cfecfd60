"""What users answers a person who must register a second factor before a sign-in goes on (decision 0046).

An enrolment is one attempt of one sign-in: its name is known to authz alone, so that a code is good for the sign-in it
was requested for, and for no other browser.
"""

from __future__ import annotations

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.people import Factor, User


class BeginEnrolment(Message, frozen=True):
    """Begins an enrolment of a user without a second factor that counts, and emails a code where one is demanded.

    Attributes:
        languages: what to write the email in, best first.
    """

    user_id: str
    languages: tuple[str, ...] = ()


class EnrolmentBegun(Message, frozen=True):
    """It is under way for half an hour.

    Attributes:
        enrolment: names it; to be stored where the browser cannot change it.
        mail: the address the code went to, to be shown in part; empty where the organization demands no code.
    """

    enrolment: Secret
    mail: str = ""


class VerifyEnrolmentCode(Message, frozen=True):
    """Checks the emailed code: 10 guesses, counted for the enrolment and for the account."""

    user_id: str
    enrolment: Secret
    code: Secret


class EnrolmentCodeVerified(Message, frozen=True):
    """Whether it was right; a second time it is as well."""

    right: bool = False


class BeginEnrolledTotp(Message, frozen=True):
    """Begins the registration of an authenticator app; while it is under way, the secret stays the same."""

    user_id: str
    enrolment: Secret


class EnrolledTotpBegun(Message, frozen=True):
    """What the app is set up with.

    Attributes:
        uri: the content of the QR code.
        secret: the same to be typed.
    """

    uri: Secret
    secret: Secret


class BeginEnrolledKey(Message, frozen=True):
    """Begins the registration of a passkey or a security key; good for 5 minutes and one answer.

    Attributes:
        factor: `Factor.PASSKEY` or `Factor.U2F`.
    """

    user_id: str
    enrolment: Secret
    factor: Factor


class EnrolledKeyBegun(Message, frozen=True):
    """It is under way.

    Attributes:
        registration: names it; to be stored where the browser cannot change it.
        options: JSON for ``navigator.credentials.create()``, binary values in base64url.
    """

    registration: Secret
    options: Secret


class FinishEnrolment(Message, frozen=True):
    """Registers the factor and makes recovery codes, in one change; the same again gets the same answer.

    Refused are an enrolment that is over (USER-350), a user who has a factor by now (USER-351), and a factor that does not
    count (USER-353).

    Attributes:
        factor: what is registered.
        code: with `Factor.TOTP`: what the app shows.
        registration: with a key: which one it answers.
        credential: with a key: what it made, as JSON (``PublicKeyCredential.toJSON()``).
    """

    user_id: str
    enrolment: Secret
    factor: Factor
    code: Secret = ""
    registration: Secret = ""
    credential: Secret = ""


class EnrolmentFinished(Message, frozen=True):
    """The user with the factor; nothing for a wrong code or credential."""

    user: User | None = None


class GetEnrolledCodes(Message, frozen=True):
    """Requests the recovery codes of an enrolment that is finished, while it is remembered."""

    user_id: str
    enrolment: Secret


class EnrolledCodes(Message, frozen=True):
    """The codes, to be shown; none once they were replaced, or the enrolment is over."""

    codes: tuple[Secret, ...] = ()


BEGIN_ENROLMENT = Rpc("users.v1.enrolment.begin", BeginEnrolment, EnrolmentBegun, ("authz",))
VERIFY_ENROLMENT_CODE = Rpc("users.v1.enrolment.verify_code", VerifyEnrolmentCode, EnrolmentCodeVerified, ("authz",))
BEGIN_ENROLLED_TOTP = Rpc("users.v1.enrolment.begin_totp", BeginEnrolledTotp, EnrolledTotpBegun, ("authz",))
BEGIN_ENROLLED_KEY = Rpc("users.v1.enrolment.begin_key", BeginEnrolledKey, EnrolledKeyBegun, ("authz",))
FINISH_ENROLMENT = Rpc("users.v1.enrolment.finish", FinishEnrolment, EnrolmentFinished, ("authz",))
GET_ENROLLED_CODES = Rpc("users.v1.enrolment.codes", GetEnrolledCodes, EnrolledCodes, ("authz",))
