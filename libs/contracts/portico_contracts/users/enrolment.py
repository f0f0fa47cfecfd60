"""Messages for enrolling a required second factor during a sign-in (decision 0046).

Only authz knows the id of an enrolment, so a code is valid only for the sign-in and browser that requested it.
"""

from __future__ import annotations

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.accounts import Factor, User


class BeginEnrolment(Message, frozen=True):
    """Starts the enrolment of a first second factor, and emails a code where the policy requires one.

    `proved_address`: the user has already entered a code of an email in this sign-in, and no second one is sent.
    """

    user_id: str
    languages: tuple[str, ...] = ()
    proved_address: bool = False


class EnrolmentBegun(Message, frozen=True):
    """Valid for 30 minutes; its id must be stored where the browser cannot change it."""

    enrolment: Secret
    mail: str = ""


class VerifyEnrolmentCode(Message, frozen=True):
    """Verifies the emailed code; 10 attempts, counted per enrolment and per account."""

    user_id: str
    enrolment: Secret
    code: Secret


class EnrolmentCodeVerified(Message, frozen=True):
    """Whether the code was right; verifying a right code again succeeds."""

    right: bool = False


class BeginEnrolledTotp(Message, frozen=True):
    """Starts the registration of an authenticator app; repeated calls return the same secret."""

    user_id: str
    enrolment: Secret


class EnrolledTotpBegun(Message, frozen=True):
    """The secret of the app: as content of a QR code (`uri`) and for typing (`secret`)."""

    uri: Secret
    secret: Secret


class BeginEnrolledKey(Message, frozen=True):
    """Starts the registration of a passkey or security key, valid for 5 minutes and one response."""

    user_id: str
    enrolment: Secret
    factor: Factor


class EnrolledKeyBegun(Message, frozen=True):
    """A started registration; `registration` must be stored where the browser cannot change it."""

    registration: Secret
    options: Secret


class FinishEnrolment(Message, frozen=True):
    """Registers the factor and creates recovery codes in one transaction; idempotent.

    Errors: the enrolment is over (USER-350), a factor exists (USER-351), the factor is not accepted (USER-353).
    """

    user_id: str
    enrolment: Secret
    factor: Factor
    code: Secret = ""
    registration: Secret = ""
    credential: Secret = ""


class EnrolmentFinished(Message, frozen=True):
    """The user with the factor; None for a wrong code or credential. `device_bound` as in `AssertionFinished`."""

    user: User | None = None
    device_bound: bool = False


class GetEnrolledCodes(Message, frozen=True):
    """Requests the recovery codes of a finished enrolment while it is retained."""

    user_id: str
    enrolment: Secret


class EnrolledCodes(Message, frozen=True):
    """The recovery codes; empty once they were replaced or the enrolment expired."""

    codes: tuple[Secret, ...] = ()


BEGIN_ENROLMENT = Rpc("users.v1.enrolment.begin", BeginEnrolment, EnrolmentBegun, ("authz",))
VERIFY_ENROLMENT_CODE = Rpc("users.v1.enrolment.verify_code", VerifyEnrolmentCode, EnrolmentCodeVerified, ("authz",))
BEGIN_ENROLLED_TOTP = Rpc("users.v1.enrolment.begin_totp", BeginEnrolledTotp, EnrolledTotpBegun, ("authz",))
BEGIN_ENROLLED_KEY = Rpc("users.v1.enrolment.begin_key", BeginEnrolledKey, EnrolledKeyBegun, ("authz",))
FINISH_ENROLMENT = Rpc("users.v1.enrolment.finish", FinishEnrolment, EnrolmentFinished, ("authz",))
GET_ENROLLED_CODES = Rpc("users.v1.enrolment.codes", GetEnrolledCodes, EnrolledCodes, ("authz",))
