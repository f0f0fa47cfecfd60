"""The messages of authz's login API; its calls are in `portico_contracts.login_calls`.

One resource, the authorization request, and its next step. The browser is named by the handle in its cookie: a request
opened by another browser is refused (P3, LG-11).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from portico_contracts.subjects import Message, Secret
from portico_contracts.users.branding import Branding
from portico_contracts.users.external import OfferedProvider, Profile
from portico_contracts.users.organizations import PasswordRules
from portico_contracts.users.passwords import PASSWORD_SECONDS

LOGIN_PASSWORD_SECONDS: Final = PASSWORD_SECONDS + 3
"""How long an answer with a password may take: what users may take for it, and authz's own stores."""


class StepName(StrEnum):
    """What the person is asked next; `DONE` sends the browser on."""

    SELECT_ACCOUNT = "select_account"
    REGISTER = "register"
    PASSKEY = "passkey"
    LOGIN_NAME = "login_name"
    PASSWORD = "password"
    SECURITY_KEY = "security_key"
    TOTP = "totp"
    OTP_EMAIL = "otp_email"
    RECOVERY_CODE = "recovery_code"
    FACTOR_MISSING = "factor_missing"
    ENROL_EMAIL = "enrol_mail"
    ENROL = "enrol"
    ENROL_PASSKEY = "enrol_passkey"
    ENROL_KEY = "enrol_key"
    ENROL_TOTP = "enrol_totp"
    RECOVERY_CODES = "recovery_codes"
    DIRECTORY = "directory"
    COMPLETE_EXTERNAL = "complete_external"
    EXTERNAL_NO_ACCOUNT = "external_no_account"
    VERIFY_EMAIL = "verify_mail"
    CHANGE_PASSWORD = "change_password"
    DONE = "done"


class Problem(StrEnum):
    """What was wrong with the last answer, to be shown beside the field."""

    NONE = ""
    WRONG_CREDENTIALS = "wrong_credentials"
    WRONG_CODE = "wrong_code"
    WRONG_KEY = "wrong_key"
    NOT_SENT = "not_sent"
    INVALID_PASSWORD = "password_refused"
    INVALID_FIELD = "field_refused"
    SLOW_DOWN = "slow_down"
    EXTERNAL_FAILED = "external_failed"
    EXTERNAL_CANCELLED = "external_cancelled"
    EXTERNAL_TOO_OLD = "external_too_old"


class Account(Message, frozen=True):
    """One account the end user may choose.

    Attributes:
        id: names it within this browser; means nothing elsewhere.
        signed_in: it can be used without its password, as far as this request goes; a second factor may be requested.
    """

    id: str
    login_name: str
    display_name: str = ""
    signed_in: bool = False


class Registration(Message, frozen=True):
    """What an end user enters to create an account (prompt=create)."""

    email: str
    first_name: str
    last_name: str
    password: Secret


class Look(Message, frozen=True):
    """How the pages of a request look.

    Attributes:
        client_name: the application, to be named in its links.
        client_logo, client_policy, client_tos: https addresses of its logo, its privacy policy and its terms (``logo_uri``,
            ``policy_uri`` and ``tos_uri`` of OpenID Connect Dynamic Client Registration 1.0 §2); empty for none.
        branding: of the organization whose look it is.
    """

    client_name: str = ""
    client_logo: str = ""
    client_policy: str = ""
    client_tos: str = ""
    branding: Branding = Branding()


class GetStep(Message, frozen=True):
    """Asks what to show.

    Attributes:
        browser: the handle from the browser's cookie.
    """

    browser: Secret


class Answer(Message, frozen=True):
    """What the person entered.

    Attributes:
        browser: the handle from the browser's cookie.
        csrf: the value the step was rendered with; each is good for one answer (LG-14), which is
            given again where it may have been lost and the same is submitted again.
        step: the step that is answered; when it is not the one requested, nothing changes.
        login_name: with `LOGIN_NAME`; with `DIRECTORY` that of the directory.
        password: with `PASSWORD` and `DIRECTORY`; with `CHANGE_PASSWORD` the one in force.
        cancel: go back to the application without signing in.
        restart: start over; what was answered or verified for this request counts no more.
        account: with `SELECT_ACCOUNT`: the `Account.id` chosen; empty for another account.
        register: with `LOGIN_NAME`: show the registration instead, where the organization allows it.
        registration: with `REGISTER`.
        code: with `VERIFY_EMAIL`, `OTP_EMAIL` and `ENROL_EMAIL`: the emailed code; with `TOTP` and `ENROL_TOTP` what the
            authenticator app shows; with `RECOVERY_CODE` one of those.
        resend: with `VERIFY_EMAIL`, `OTP_EMAIL` and `ENROL_EMAIL`: send another code instead.
        new_password: with `CHANGE_PASSWORD`.
        languages: language tags the person's browser prefers, for emails.
        passkey: with `LOGIN_NAME` and `PASSWORD`: sign in with a passkey instead.
        credential: with `PASSKEY` and `SECURITY_KEY`: what the key answered, as JSON
            (``PublicKeyCredential.toJSON()``), and with `ENROL_PASSKEY` and `ENROL_KEY` what it made; with `LOGIN_NAME`: what answered the challenge of `PasskeyOffered`.
        other: with the step of a second factor: the step of another one, to be requested instead; with `ENROL` the one of
            `Step.others` to register, and with the registration of one `ENROL` to choose again.
        provider: with a step that has `Step.providers`: the id of the one to sign in with instead.
        profile: with `COMPLETE_EXTERNAL`: the details of the account to make.
        link: with `COMPLETE_EXTERNAL` and `EXTERNAL_NO_ACCOUNT`: sign in to an account and link it.
        create: with a `Step.may_create`: make an account instead.
        address: the client's, for counting the emails it requests; empty where it is not known.
    """

    browser: Secret
    csrf: Secret
    step: StepName
    login_name: str = ""
    password: Secret = ""
    cancel: bool = False
    restart: bool = False
    account: str = ""
    register: bool = False
    registration: Registration | None = None
    code: Secret = ""
    resend: bool = False
    new_password: Secret = ""
    languages: tuple[str, ...] = ()
    passkey: bool = False
    credential: Secret = ""
    other: StepName | None = None
    provider: str = ""
    profile: Profile | None = None
    link: bool = False
    create: bool = False
    address: str = ""


class Step(Message, frozen=True):
    """What to show next.

    Attributes:
        csrf: to be sent back with the answer.
        client_name: the application the end user signs in to.
        return_uri: the verified address the application gets its answer at.
        login_name: as typed or hinted, to be shown.
        retry_after: seconds to wait with `Problem.SLOW_DOWN`.
        continue_to: with `DONE`: path on this origin to send the browser to, by a page and not by a redirect.
        set_cookie: a Set-Cookie value to hand to the browser; empty for none.
        ui_locales: language tags the application prefers, best first; none when it named none.
        accounts: with `SELECT_ACCOUNT`.
        may_register: an account can be made here.
        may_reset: with `PASSWORD`: an end user who forgot it can be emailed a link that sets one.
        mail: with `VERIFY_EMAIL`: the address the code went to; with `OTP_EMAIL` and `ENROL_EMAIL` a part of it, empty while
            none was sent.
        password_rules: with `REGISTER` and `CHANGE_PASSWORD`: what the new password must have.
        detail: with `PASSWORD_REFUSED` and `FIELD_REFUSED`: the id of the error.
        may_use_passkey: with `LOGIN_NAME` and `PASSWORD`: a passkey will do as well.
        options: with `PASSKEY` and `SECURITY_KEY`: JSON for ``navigator.credentials.get()``, binary values in
            base64url; empty where no key can answer. With `ENROL_PASSKEY` and `ENROL_KEY` for ``create()``.
        others: with the step of a second factor: the steps of the others this person has, the likeliest first; with `ENROL`
            the steps that register one.
        uri, secret: with `ENROL_TOTP`: what an authenticator app is set up with, as the content of a QR code (``otpauth``)
            and to be typed; empty where it may not be shown again.
        recovery_codes: with `RECOVERY_CODES`: to be shown once; empty where they cannot be shown any more.
        providers: other identity providers to sign in with.
        leave_to: with `DONE`: the address of such a provider, instead of ``continue_to``; the only foreign one.
        external_name: the provider whose identity waits for an account, to be shown; with `DIRECTORY` the directory.
        profile: with `COMPLETE_EXTERNAL`: what the provider states of the person.
        missing: with `COMPLETE_EXTERNAL`: the names of fields that have to be filled in.
        may_link, may_create: of that identity: with an account that is signed in to; a new account.
        look: how the page looks.
    """

    name: StepName
    csrf: Secret = ""
    client_name: str = ""
    return_uri: str = ""
    login_name: str = ""
    problem: Problem = Problem.NONE
    retry_after: int = 0
    continue_to: str = ""
    set_cookie: Secret = ""
    ui_locales: tuple[str, ...] = ()
    accounts: tuple[Account, ...] = ()
    may_register: bool = False
    may_reset: bool = False
    mail: str = ""
    detail: str = ""
    may_use_passkey: bool = False
    options: Secret = ""
    others: tuple[StepName, ...] = ()
    password_rules: PasswordRules | None = None
    providers: tuple[OfferedProvider, ...] = ()
    leave_to: str = ""
    external_name: str = ""
    profile: Profile | None = None
    missing: tuple[str, ...] = ()
    may_link: bool = False
    may_create: bool = False
    uri: Secret = ""
    secret: Secret = ""
    recovery_codes: tuple[Secret, ...] = ()
    look: Look = Look()


class GetAccounts(Message, frozen=True):
    """Asks who is signed in in a browser; changes nothing.

    Attributes:
        browser: the handle from the browser's cookie.
    """

    browser: Secret


class Accounts(Message, frozen=True):
    """The accounts that are signed in in a browser, the one used last first; none for an unknown browser."""

    accounts: tuple[Account, ...] = ()


class RequestPasskey(Message, frozen=True):
    """Requests a challenge for a passkey that the browser may offer beside the login name (conditional mediation)."""

    browser: Secret


class PasskeyOffered(Message, frozen=True):
    """The challenge, valid for 5 minutes and one answer; the answer is an `Answer` to `LOGIN_NAME` with a credential.

    Attributes:
        options: as `Step.options`; empty where no passkey would do, or another step than `LOGIN_NAME` is open.
    """

    options: Secret = ""


class RequestLogout(Message, frozen=True):
    """Asks what a logout that waits for confirmation is about."""

    browser: Secret


class ConfirmLogout(Message, frozen=True):
    """The person confirmed.

    Attributes:
        csrf: the value the page was rendered with; good once (LG-14).
    """

    browser: Secret
    csrf: Secret


class Logout(Message, frozen=True):
    """A logout, before or after it happened (OpenID Connect RP-Initiated Logout 1.0).

    Attributes:
        done: the sessions ended; `continue_to` and `set_cookie` state what is next.
        csrf: to be sent back with the confirmation.
        client_name: the application that asked; empty when none is known.
        accounts: who is signed out by confirming.
        continue_to: address to send the browser to: a path of this origin, or the verified post_logout_redirect_uri with
            its state, to which a page leads and not a redirect.
        return_uri: that post_logout_redirect_uri; empty without one.
        set_cookie: takes the handle away.
        look: how the page looks.
    """

    done: bool = False
    csrf: Secret = ""
    client_name: str = ""
    accounts: tuple[Account, ...] = ()
    continue_to: str = ""
    return_uri: str = ""
    set_cookie: Secret = ""
    ui_locales: tuple[str, ...] = ()
    look: Look = Look()
