"""An authorization request that waits for the end user, bound to the browser it started in (P3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from portico_contracts.login import StepName

from portico_authz.domain.external import PendingIdentity, ProviderOrigin
from portico_authz.domain.submission import Submission


@dataclass(frozen=True, slots=True)
class FactorChallenge:
    """A challenge issued by users, of WebAuthn or of an emailed code. Its name is not sent to the browser.

    Attributes:
        step: the step it was issued for.
        name: its identifier at users.
        options: WebAuthn options for the browser; empty for a code.
        mail: the masked address a code was sent to.
        renew_at: unix seconds after which a reloaded page gets a new challenge.
    """

    step: StepName
    name: str = field(repr=False)
    options: str = field(default="", repr=False)
    mail: str = ""
    renew_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Enrolment:
    """The enrolment of a first second factor in this login (decision 0046). Its name is not sent to the browser.

    Attributes:
        name: its identifier at users; the emailed code is valid only with it.
        mail: the masked address the code was sent to; empty where none is required.
        is_open: the code was right, or none is required.
        chosen: the step of the selected factor; None before.
        is_done: the factor is registered, and the recovery codes are to be shown.
    """

    name: str = field(repr=False)
    mail: str = ""
    is_open: bool = False
    chosen: StepName | None = None
    is_done: bool = False


@dataclass(frozen=True, slots=True)
class Progress:
    """The answers so far. Replaced as a whole, so that no two answers can mix (LG-08).

    Attributes:
        chosen: sid of the session selected on the account page.
        other: none of the shown accounts was selected.
        registering: the registration page is open, until there is a ``challenge``.
        login_name: as entered and accepted; empty before.
        shown: displayed instead of ``login_name``, where that is a qualified name that the user did not enter.
        org_id: the organization of the name's domain; empty for none.
        user_id: the authenticated user, while requirements remain.
        amr: the authentication methods; in a step-up those of the session.
        second: a second factor was verified for this request.
        step_up: sid of the session that a second factor is added to; empty for a whole sign-in.
        passkey: a passkey is requested instead of name and password.
        factor: the second factor that the end user selected; None for the default.
        external: a verified external identity without an account (decision 0047); None without one.
        directory: the LDAP provider whose login name and password are requested (decision 0050); None for none.
        external_factor: the first factor was an external identity.
        auth_time: unix seconds of the authentication as stated by the provider; 0 if not stated.
        unproven: number of external identities without the required proof of age.
        asked: the pending challenge of WebAuthn, or of the second factor's code.
        enrolment: the enrolment of a second factor; None without one.
        challenge: of the pending code that verifies an email address; empty for none.
        mail: the address it was sent to.
    """

    chosen: str = ""
    other: bool = False
    registering: bool = False
    login_name: str = ""
    org_id: str = ""
    user_id: str = ""
    amr: tuple[str, ...] = ()
    challenge: str = ""
    mail: str = ""
    second: bool = False
    step_up: str = ""
    passkey: bool = False
    factor: StepName | None = None
    asked: FactorChallenge | None = None
    shown: str = ""
    external: PendingIdentity | None = None
    external_factor: bool = False
    auth_time: int = 0
    unproven: int = 0
    directory: ProviderOrigin | None = None
    enrolment: Enrolment | None = None

    @property
    def shown_name(self) -> str:
        return self.shown or self.login_name

    @property
    def is_proof(self) -> bool:
        return bool(self.user_id or self.external or self.challenge)

    def only_name(self) -> Progress:
        return Progress(login_name=self.login_name, shown=self.shown)

    @property
    def is_registered(self) -> bool:
        return bool(self.challenge) and not self.user_id


UNTOUCHED: Final = Progress()

MOST_OF_ADDRESS: Final = 1_000
"""Open requests per client address; beyond that the oldest unproven one is dropped (decision 6.10)."""


@dataclass(frozen=True, slots=True)
class AuthRequest:
    """The stored authorization request, until its response.

    Attributes:
        id: opaque, in the browser's bucket; part of the URL of the login pages.
        parameters: the known parameters as sent; checked again before the response.
        began: unix seconds of the request, the reference of prompt=login and max_age.
        hint_subject: the user id of a verified id_token_hint; empty without one.
        prefill: the initial value of the login name field.
        progress: the answers so far.
        signed_in: sid of the session started for this request; empty before.
        denied: the end user cancelled.
        csrf: required of the next answer; valid for one (LG-14).
        submission: the last submitted form.
        settled: the CSRF value of the last form whose processing is complete and rotated no handle.
        offered: the challenge of conditional mediation on the login name page; None until requested.
        answer: reference of the code in the response (`domain.code.reference_of`); empty before.
        device: browser and system in words from a closed list; empty if unknown.
        client_address: fingerprint of the client's address, for rate limiting; empty if unknown.
        is_restart: it replaced an unproven request of another browser.
    """

    id: str
    browser_id: str
    parameters: dict[str, str]
    began: float
    hint_subject: str = ""
    prefill: str = ""
    progress: Progress = UNTOUCHED
    signed_in: str = ""
    denied: bool = False
    csrf: str = ""
    submission: Submission | None = None
    settled: str = ""
    offered: FactorChallenge | None = None
    answer: str = ""
    device: str = ""
    is_restart: bool = False
    client_address: str = ""

    @property
    def is_proven(self) -> bool:
        """Whether a user authenticated for it, at least in part; typed values alone prove nothing."""
        return bool(self.signed_in or self.answer) or self.progress.is_proof
