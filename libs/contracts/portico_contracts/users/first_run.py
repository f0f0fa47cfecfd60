"""Messages about the first administrator of an installation (decision 0057)."""

from __future__ import annotations

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.accounts import Factor, User
from portico_contracts.users.organizations import PasswordRules


class CreateFirstRunLink(Message, frozen=True):
    """Creates the one-time link and invalidates an earlier one; USER-943 while an administrator can sign in."""

    recover: bool = False


class FirstRunLinkCreated(Message, frozen=True):
    """The link, valid for an hour and once; `expires_at` is in unix seconds."""

    address: Secret
    expires_at: float


class GetFirstRun(Message, frozen=True):
    """Requests the data of the page behind a link; a wrong, used or expired link is an error (USER-942)."""

    code: Secret


class FirstRun(Message, frozen=True):
    """The data of the page.

    `factors` are the accepted factors, of `Factor.PASSKEY` and `Factor.TOTP`, which needs a password.
    `needs_organization`: no organization exists, so the page requests its name.
    """

    factors: tuple[Factor, ...]
    needs_organization: bool = False
    password_rules: PasswordRules = PasswordRules()


class FirstOwner(Message, frozen=True):
    """The administrator to create, as typed.

    `organization` is the name of the organization to create, where none exists.
    """

    email: str
    first_name: str
    last_name: str
    organization: str = ""


class BeginFirstRun(Message, frozen=True):
    """Starts the registration of a passkey or an authenticator app for the administrator. Nothing is created yet.

    `factor` is `Factor.PASSKEY` or `Factor.TOTP`. `attempt` is that of an earlier reply, to reuse the secret;
    empty for a new one.
    """

    code: Secret
    owner: FirstOwner
    factor: Factor
    attempt: Secret = ""


class FirstRunBegun(Message, frozen=True):
    """A started registration.

    Attributes:
        attempt: its id; to be stored in the form of the page and in no URL.
        uri: with `Factor.TOTP`: the content of the QR code.
        secret: with `Factor.TOTP`: the same for typing.
        registration: with `Factor.PASSKEY`: id of the registration.
        options: with `Factor.PASSKEY`: JSON for ``navigator.credentials.create()``.
    """

    attempt: Secret
    uri: Secret = ""
    secret: Secret = ""
    registration: Secret = ""
    options: Secret = ""


class FinishFirstRun(Message, frozen=True):
    """Creates the administrator with the credentials and invalidates the link, in one transaction; idempotent.

    Errors: the link (USER-942), invalid values, a wrong code of the app (USER-512), an invalid passkey
    (USER-501 to 503).

    `password` and `otp` belong to `Factor.TOTP`; `registration` and `credential` (JSON) to `Factor.PASSKEY`.
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

    `recovery_codes` are shown once; none with a passkey. `user` is the new administrator; None for a repeated
    submission, which may not sign in. `device_bound` as in `AssertionFinished`.
    """

    login_name: str
    recovery_codes: tuple[Secret, ...] = ()
    user: User | None = None
    device_bound: bool = False


class CompleteFirstRun(FinishFirstRun, frozen=True):
    """`FinishFirstRun` of the pages, with the device of the browser that is signed in."""

    device: str = ""


class FirstRunCompleted(Message, frozen=True):
    """The administrator exists.

    `set_cookie` is the handle of a browser in which the administrator is signed in, and `org_id` their organization;
    both are empty for a repeated submission, and where the sign-in failed.
    """

    login_name: str
    recovery_codes: tuple[Secret, ...] = ()
    org_id: str = ""
    set_cookie: Secret = ""


CREATE_FIRST_RUN_LINK = Rpc("users.v1.first_run.create_link", CreateFirstRunLink, FirstRunLinkCreated, ("operator",))
GET_FIRST_RUN = Rpc("users.v1.first_run.get", GetFirstRun, FirstRun, ("authz",))
BEGIN_FIRST_RUN = Rpc("users.v1.first_run.begin", BeginFirstRun, FirstRunBegun, ("authz",))
FINISH_FIRST_RUN = Rpc("users.v1.first_run.finish", FinishFirstRun, FirstRunFinished, ("authz",))
