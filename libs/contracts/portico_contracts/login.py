"""The messages of authz's login API: an authorization request and its next step.

The browser is named by the handle in its cookie; a request opened by another browser is refused (P3, LG-11).
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Final

from portico_contracts.step_names import StepName
from portico_contracts.subjects import Message, Secret
from portico_contracts.users.branding import Branding
from portico_contracts.users.external import OfferedProvider
from portico_contracts.users.passwords import PASSWORD_SECONDS

LOGIN_PASSWORD_SECONDS: Final = PASSWORD_SECONDS + 3
"""Timeout of an answer with a password: that of users plus authz's stores."""


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

    `browser` is the handle from the browser's cookie, `address` the client's IP address; empty if unknown.
    """

    browser: Secret
    address: str = ""


class Step(Message, frozen=True, tag_field="name"):
    """The next step and its data: each has its own message in `login_steps`.

    Attributes:
        csrf: to be sent with the answer.
        client_name: the application the end user signs in to.
        return_uri: the validated redirect URI of the application.
        login_name: as typed or hinted, for display.
        retry_after: with `Problem.SLOW_DOWN`: seconds to wait.
        confirms: the user of a session proves again who it is; no other user is accepted.
        set_cookie: a Set-Cookie value for the browser; empty for none.
        ui_locales: language tags preferred by the application, best first.
        detail: with `INVALID_PASSWORD`, `INVALID_FIELD` and mostly with `EXTERNAL_FAILED`: the error id.
        look: branding of the page.
    """

    name: ClassVar[StepName]
    csrf: Secret = ""
    client_name: str = ""
    return_uri: str = ""
    login_name: str = ""
    problem: Problem = Problem.NONE
    retry_after: int = 0
    confirms: bool = False
    set_cookie: Secret = ""
    ui_locales: tuple[str, ...] = ()
    detail: str = ""
    look: PageBranding = PageBranding()


class LinkingStep(Step, frozen=True):
    """A step of which an account for the identity of another provider can be the result.

    Attributes:
        external_name: display name of the provider whose identity has no account yet; empty without one.
        may_link, may_create: an account may be linked to, or created for, that identity.
    """

    external_name: str = ""
    may_link: bool = False
    may_create: bool = False


class FirstStep(LinkingStep, frozen=True):
    """`providers` are other identity providers to sign in with."""

    providers: tuple[OfferedProvider, ...] = ()


class SecondFactorStep(Step, frozen=True):
    """A second factor.

    Attributes:
        others: the steps of the user's other factors, most likely first.
        trust_days: for how many days the user may trust this browser; 0 for never.
    """

    others: tuple[StepName, ...] = ()
    trust_days: int = 0


class Answer(Message, frozen=True, tag_field="step"):
    """The user's answer to a step: each has its own message in `login_steps`.

    If the step is not the current one, nothing changes.

    Attributes:
        browser: the handle from the browser's cookie.
        csrf: the value sent with the step, unchanged. It is valid for one answer (LG-14); resubmitting the same
            answer after a lost response is accepted. With `CONSENT` and `COMPLETE_EXTERNAL` it is also bound to
            the user or identity of the page: if the request has another one by now, the page is shown again, for it.
        cancel: return to the application without signing in.
        restart: start over; earlier answers and verifications of this request are discarded.
        languages: language tags preferred by the browser, for emails.
        provider: with a step that has `providers`: the id of the provider to sign in with.
        create: with `LinkingStep.may_create`: create an account instead.
        address: the client's IP address, for rate limiting of emails and rules by network; empty if unknown.
        to_application: the pages can send the browser to the application themselves (`DoneStep.continue_to`).
    """

    step: ClassVar[StepName]
    browser: Secret
    csrf: Secret
    cancel: bool = False
    restart: bool = False
    languages: tuple[str, ...] = ()
    provider: str = ""
    create: bool = False
    address: str = ""
    to_application: bool = False

    @property
    def single_use(self) -> str:
        """The value that works once, by which a repeated form is recognized; empty for none."""
        return ""


class CodeAnswer(Answer, frozen=True):
    """A code that was sent, or that an app shows."""

    code: Secret = ""

    @property
    def single_use(self) -> str:
        return self.code.strip()


class KeyAnswer(Answer, frozen=True):
    """`credential` is the assertion or attestation as JSON (``PublicKeyCredential.toJSON()``)."""

    credential: Secret = ""

    @property
    def single_use(self) -> str:
        return self.credential


class SecondFactorAnswer(Answer, frozen=True):
    """A second factor, or another step of `SecondFactorStep.others` to switch to.

    `trust`: request none in this browser for `SecondFactorStep.trust_days`.
    """

    other: StepName | None = None
    trust: bool = False


class FactorCodeAnswer(SecondFactorAnswer, frozen=True):
    """`code` was sent, is shown by an app, or is a recovery code."""

    code: Secret = ""

    @property
    def single_use(self) -> str:
        return self.code.strip()


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
    """The challenge, valid for 5 minutes and one answer, a `LoginNameAnswer` with a credential.

    `options` is as in `PasskeyStep`; empty where no passkey is accepted or the step is not `LOGIN_NAME`.
    """

    options: Secret = ""
