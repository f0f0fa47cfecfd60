"""The messages of authz's login API: an authorization request and its next step.

The browser is named by the handle in its cookie; a request opened by another browser is refused (P3, LG-11).
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
"""Timeout of an answer with a password: that of users plus authz's stores."""


class StepName(StrEnum):
    """The next step of a sign-in; after `DONE` the browser is redirected."""

    SELECT_ACCOUNT = "select_account"
    REGISTER = "register"
    PASSKEY = "passkey"
    LOGIN_NAME = "login_name"
    PASSWORD = "password"
    EMAIL_CODE = "email_code"
    SECURITY_KEY = "security_key"
    TOTP = "totp"
    OTP_EMAIL = "otp_email"
    OTP_SMS = "otp_sms"
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
    CONSENT = "consent"
    DONE = "done"


class Problem(StrEnum):
    """The problem with the last answer, shown next to the field."""

    NONE = ""
    WRONG_CREDENTIALS = "wrong_credentials"
    WRONG_CODE = "wrong_code"
    WRONG_KEY = "wrong_key"
    NOT_SENT = "not_sent"
    INVALID_PASSWORD = "password_refused"
    INVALID_FIELD = "field_refused"
    SLOW_DOWN = "slow_down"
    CREDENTIALS_CHANGED = "credentials_changed"
    EXTERNAL_FAILED = "external_failed"
    EXTERNAL_CANCELLED = "external_cancelled"
    EXTERNAL_TOO_OLD = "external_too_old"


class Account(Message, frozen=True):
    """One account that the end user may select.

    Attributes:
        id: unique within this browser only.
        signed_in: usable without a password for this request; a second factor may still be required.
    """

    id: str
    login_name: str
    display_name: str = ""
    signed_in: bool = False


class RequestedScope(Message, frozen=True):
    """A scope that the user is asked to allow.

    Attributes:
        api, title, description: of a scope of an API, as its administrator entered them; else empty.
        allowed: whether the user has allowed it before.
    """

    scope: str
    api: str = ""
    title: str = ""
    description: str = ""
    allowed: bool = False


class AskingDevice(Message, frozen=True):
    """The device that a user is asked to sign in on (RFC 8628), when it asked and from where.

    `asked_at` is in unix seconds; the IP address and its country (ISO 3166-1) are empty if unknown.
    """

    user_code: str
    asked_at: float
    address: str = ""
    country: str = ""


class Registration(Message, frozen=True):
    """Data of a new account (prompt=create)."""

    email: str
    first_name: str
    last_name: str
    password: Secret


class PageBranding(Message, frozen=True):
    """Branding of the pages of a request.

    Attributes:
        client_name: the application's name, shown in its links.
        client_logo, client_policy, client_tos: https URLs of its logo, privacy policy and terms (``logo_uri``,
            ``policy_uri`` and ``tos_uri`` of OpenID Connect Dynamic Client Registration 1.0 section 2); empty
            for none.
        branding: that of the organization.
        client_is_own: the application is Portico's console or account page, whose name the pages translate.
    """

    client_name: str = ""
    client_logo: str = ""
    client_policy: str = ""
    client_tos: str = ""
    branding: Branding = Branding()
    client_is_own: bool = False


class GetStep(Message, frozen=True):
    """Requests the current step.

    `browser` is the handle from the browser's cookie.
    """

    browser: Secret


class Answer(Message, frozen=True):
    """The user's answer to a step.

    Attributes:
        browser: the handle from the browser's cookie.
        csrf: the value sent with the step, unchanged. It is valid for one answer (LG-14); resubmitting the same
            answer after a lost response is accepted. With `CONSENT` and `COMPLETE_EXTERNAL` it is also bound to
            the user or identity of the page: if the request has another one by now, the page is shown again, for it.
        step: the answered step; if it is not the current one, nothing changes.
        login_name: with `LOGIN_NAME`; with `DIRECTORY` that of the LDAP directory.
        password: with `PASSWORD` and `DIRECTORY`; with `CHANGE_PASSWORD` the current one.
        cancel: return to the application without signing in.
        restart: start over; earlier answers and verifications of this request are discarded.
        account: with `SELECT_ACCOUNT`: the selected `Account.id`; empty for another account.
        register: with `LOGIN_NAME`: continue with registration, where the organization allows it.
        registration: with `REGISTER`.
        code: with `VERIFY_EMAIL`, `EMAIL_CODE`, `OTP_EMAIL`, `OTP_SMS` and `ENROL_EMAIL`: the code that was sent; with
            `TOTP` and `ENROL_TOTP` that of the authenticator app; with `RECOVERY_CODE` a recovery code.
        resend: with `VERIFY_EMAIL`, `EMAIL_CODE`, `OTP_EMAIL`, `OTP_SMS` and `ENROL_EMAIL`: send another code.
        new_password: with `CHANGE_PASSWORD`.
        languages: language tags preferred by the browser, for emails.
        passkey: with `LOGIN_NAME` and `PASSWORD`: sign in with a passkey instead.
        credential: with `PASSKEY` and `SECURITY_KEY`: the assertion as JSON (``PublicKeyCredential.toJSON()``);
            with `ENROL_PASSKEY` and `ENROL_KEY` the attestation; with `LOGIN_NAME` the assertion for
            `PasskeyOffered`.
        email_code: with `PASSWORD`: sign in with an emailed code instead (`Step.may_use_email_code`).
        other: with `EMAIL_CODE` and the step of a second factor: the step of `Step.others` to switch to; with
            `ENROL` the step of `Step.others` to enrol, and during enrolment `ENROL` to choose again.
        provider: with a step that has `Step.providers`: the id of the provider to sign in with.
        profile: with `COMPLETE_EXTERNAL`: the data of the new account.
        link: with `COMPLETE_EXTERNAL` and `EXTERNAL_NO_ACCOUNT`: sign in to an account and link it.
        create: with `Step.may_create`: create an account instead.
        scopes: with `CONSENT`: the scopes of the page, all of which the user allows.
        address: the client's IP address, for rate limiting of emails; empty if unknown.
        to_application: the pages can send the browser to the application themselves (`Step.continue_to`).
        trust: with the step of a second factor and `Step.trust_days`: request none in this browser for so long.
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
    email_code: bool = False
    credential: Secret = ""
    other: StepName | None = None
    provider: str = ""
    profile: Profile | None = None
    link: bool = False
    create: bool = False
    address: str = ""
    scopes: tuple[str, ...] = ()
    to_application: bool = False
    trust: bool = False


class Step(Message, frozen=True):
    """The next step and its data.

    Attributes:
        csrf: to be sent with the answer.
        client_name: the application the end user signs in to.
        return_uri: the validated redirect URI of the application.
        login_name: as typed or hinted, for display.
        retry_after: with `Problem.SLOW_DOWN`: seconds to wait.
        confirms: the user of a session proves again who it is; no other user is accepted.
        continue_to: with `DONE`: path on this origin to navigate to, by a page instead of an HTTP redirect. After
            an answer with `Answer.to_application` it may be ``return_uri`` with the authorization response.
        set_cookie: a Set-Cookie value for the browser; empty for none.
        ui_locales: language tags preferred by the application, best first.
        may_register, may_reset: registration and, with `PASSWORD`, password reset by email are allowed.
        mail: with `VERIFY_EMAIL`: the address the code was sent to; with `OTP_EMAIL` and `ENROL_EMAIL` a part
            of it, empty until a code was sent; with `OTP_SMS` the end of the phone number.
        delayed: with `OTP_SMS`: the sender of text messages fails, so that the code may come late or never.
        password_rules: with `REGISTER` and `CHANGE_PASSWORD`: the rules for the new password.
        detail: with `INVALID_PASSWORD`, `INVALID_FIELD` and mostly with `EXTERNAL_FAILED`: the error id.
        may_use_passkey: with `LOGIN_NAME` and `PASSWORD`: a passkey is accepted too.
        may_use_email_code: with `PASSWORD`: an emailed code is accepted instead.
        options: with `PASSKEY` and `SECURITY_KEY`: JSON for ``navigator.credentials.get()``, binary values in
            base64url; empty without a usable credential. With `ENROL_PASSKEY` and `ENROL_KEY` for ``create()``.
        others: with the step of a second factor: the steps of the user's other factors, most likely first; with
            `ENROL` the steps that enrol a factor; with `EMAIL_CODE` that of the password, where it is offered.
        uri, secret: with `ENROL_TOTP`: the secret as content of a QR code (``otpauth``) and for typing; empty
            where it must not be shown again.
        recovery_codes: with `RECOVERY_CODES`: shown once; empty afterwards.
        providers: other identity providers to sign in with.
        leave_to: with `DONE`: the URL of an identity provider instead of ``continue_to``.
        external_name: display name of the provider whose identity has no account yet; with `DIRECTORY` of the
            LDAP directory.
        profile: with `COMPLETE_EXTERNAL`: the user's data from the provider.
        missing: with `COMPLETE_EXTERNAL`: the names of required fields without a value.
        may_link, may_create: an account may be linked to, or created for, that identity.
        scopes, org_name: with `CONSENT`: what the application requests, and its organization.
        device: with `CONSENT`: the device that asks; None for a browser.
        look: branding of the page.
        trust_days: with the step of a second factor: for how many days the user may trust this browser; 0 for never.
        emailed: with `FACTOR_MISSING`: the first factor was an emailed code, so that email is no second factor.
    """

    name: StepName
    csrf: Secret = ""
    client_name: str = ""
    return_uri: str = ""
    login_name: str = ""
    problem: Problem = Problem.NONE
    retry_after: int = 0
    confirms: bool = False
    continue_to: str = ""
    set_cookie: Secret = ""
    ui_locales: tuple[str, ...] = ()
    accounts: tuple[Account, ...] = ()
    may_register: bool = False
    may_reset: bool = False
    mail: str = ""
    delayed: bool = False
    detail: str = ""
    may_use_passkey: bool = False
    may_use_email_code: bool = False
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
    scopes: tuple[RequestedScope, ...] = ()
    org_name: str = ""
    device: AskingDevice | None = None
    look: PageBranding = PageBranding()
    trust_days: int = 0
    emailed: bool = False


class GetAccounts(Message, frozen=True):
    """Requests the accounts signed in in a browser; read-only.

    `browser` is the handle from the browser's cookie.
    """

    browser: Secret


class Accounts(Message, frozen=True):
    """The accounts signed in in a browser, most recently used first; empty for an unknown browser."""

    accounts: tuple[Account, ...] = ()


class RequestPasskey(Message, frozen=True):
    """Requests a passkey challenge for conditional mediation on the login name page."""

    browser: Secret


class PasskeyOffered(Message, frozen=True):
    """The challenge, valid for 5 minutes and one answer, an `Answer` to `LOGIN_NAME` with a credential.

    `options` is as in `Step.options`; empty where no passkey is accepted or the step is not `LOGIN_NAME`.
    """

    options: Secret = ""
