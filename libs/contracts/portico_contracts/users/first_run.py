"""What users answers the operator and the page of the first run: the first administrator of an installation (decision 0057).

The code of the link is in every request of the page; users stores its hash only.
"""

from __future__ import annotations

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.organizations import PasswordRules
from portico_contracts.users.people import Factor


class CreateFirstRunLink(Message, frozen=True):
    """Creates the one-time link, in the place of an earlier one, which becomes invalid.

    Refused while an administrator of the instance can sign in (USER-943).

    Attributes:
        recover: the administrators that there are cannot sign in any more: another one is created beside them.
    """

    recover: bool = False


class FirstRunLinkCreated(Message, frozen=True):
    """It is valid for an hour, and once.

    Attributes:
        address: the link.
        expires_at: unix seconds.
    """

    address: Secret
    expires_at: float


class GetFirstRun(Message, frozen=True):
    """Requests what the page of a link requests; a wrong, used or expired one is refused (USER-942)."""

    code: Secret


class FirstRun(Message, frozen=True):
    """What the page requests.

    Attributes:
        factors: what the administrator may sign in with, of `Factor.PASSKEY` and `Factor.TOTP`, which needs a password.
        needs_organization: there is none yet, so that the page requests its name.
        password_rules: of the organization.
    """

    factors: tuple[Factor, ...]
    needs_organization: bool = False
    password_rules: PasswordRules = PasswordRules()


class FirstOwner(Message, frozen=True):
    """The administrator to be created, as typed.

    Attributes:
        organization: name of the organization to be created, where there is none.
    """

    email: str
    first_name: str
    last_name: str
    organization: str = ""


class BeginFirstRun(Message, frozen=True):
    """Begins the registration of a passkey or an authenticator app for the administrator. Nothing is created yet.

    Attributes:
        factor: `Factor.PASSKEY` or `Factor.TOTP`.
        attempt: that of an earlier answer, so that an authenticator app keeps its secret; empty for a new one.
    """

    code: Secret
    owner: FirstOwner
    factor: Factor
    attempt: Secret = ""


class FirstRunBegun(Message, frozen=True):
    """It is under way.

    Attributes:
        attempt: names it; to be stored in the form of the page and in no address.
        uri: with `Factor.TOTP`: the content of the QR code.
        secret: with `Factor.TOTP`: the same to be typed.
        registration: with `Factor.PASSKEY`: names the registration.
        options: with `Factor.PASSKEY`: JSON for ``navigator.credentials.create()``.
    """

    attempt: Secret
    uri: Secret = ""
    secret: Secret = ""
    registration: Secret = ""
    options: Secret = ""


class FinishFirstRun(Message, frozen=True):
    """Creates the administrator with the credentials and uses the link up, in one change; the same again gets the same answer.

    Refused are a link as before (USER-942), values that break a rule by their own errors, a wrong code of the app (USER-512),
    and a passkey that does not fit (USER-501 to 503).

    Attributes:
        attempt: as `FirstRunBegun` named it.
        password: with `Factor.TOTP`.
        otp: with `Factor.TOTP`: what the app shows.
        registration: with `Factor.PASSKEY`: which one it answers.
        credential: with `Factor.PASSKEY`: what the authenticator made, as JSON.
    """

    code: Secret
    owner: FirstOwner
    factor: Factor
    attempt: Secret
    password: Secret = ""
    otp: Secret = ""
    registration: Secret = ""
    credential: Secret = ""


class FirstRunFinished(Message, frozen=True):
    """The administrator can sign in.

    Attributes:
        login_name: what to type at the sign-in.
        recovery_codes: to be shown once; none beside a passkey.
    """

    login_name: str
    recovery_codes: tuple[Secret, ...] = ()


CREATE_FIRST_RUN_LINK = Rpc("users.v1.first_run.create_link", CreateFirstRunLink, FirstRunLinkCreated, ("operator",))
GET_FIRST_RUN = Rpc("users.v1.first_run.get", GetFirstRun, FirstRun, ("authz",))
BEGIN_FIRST_RUN = Rpc("users.v1.first_run.begin", BeginFirstRun, FirstRunBegun, ("authz",))
FINISH_FIRST_RUN = Rpc("users.v1.first_run.finish", FinishFirstRun, FirstRunFinished, ("authz",))
