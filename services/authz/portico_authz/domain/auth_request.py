"""An authorization request that waits for the end user, bound to the browser it started in (P3)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from portico_contracts.step_names import StepName
from portico_contracts.users import ApiScope

from portico_authz.domain.device import DeviceRequest
from portico_authz.domain.external import PendingIdentity, ProviderOrigin
from portico_authz.domain.submission import Submission


@dataclass(frozen=True, slots=True)
class FactorChallenge:
    """A WebAuthn challenge, or a code that was sent; `name` (at users) is never sent to the browser.

    `mail` is the part of the address or phone number to show; `delayed`: the code may come late or never. `renew_at` is in unix seconds: a page reloaded later gets a new challenge.
    """

    step: StepName
    name: str = field(repr=False)
    options: str = field(default="", repr=False)
    mail: str = ""
    renew_at: float = 0.0
    delayed: bool = False


@dataclass(frozen=True, slots=True)
class Enrolment:
    """The enrolment of a first second factor (decision 0046); `name` (at users) is never sent to the browser."""

    name: str = field(repr=False)
    mail: str = ""
    is_open: bool = False
    chosen: StepName | None = None
    is_done: bool = False


@dataclass(frozen=True, slots=True)
class Progress:
    """The answers so far. Replaced as a whole, so that no two answers can mix (LG-08).

    `chosen` is the sid selected on the account page; `step_up` is the sid of a session that a second factor
    is added to. `shown` replaces a ``login_name`` that the user did not enter. `amr` is in a step-up that of
    the session. `external` is a verified identity without an account (decision 0047). `auth_time` is unix
    seconds by the provider, 0 if not stated; `unproven` counts identities without the required proof of age. `allowed`
    is what the user `consented_by` has allowed for this request. `device_bound`: a key of the sign-in
    cannot be copied to another device. `emailed`: the first factor was an emailed code, so that none counts as a
    second one. `trust_by` is the step of a verified second factor whose user trusts this browser, `trust_epoch` the
    user's `User.trust_epoch` then. `login_session` is the login session of a custom login page that
    it comes from; `first_at` and `second_at` are when its factors were verified, 0 for now. `epoch` is the user's
    `User.trust_epoch` when the first factor was verified; None for the session of a step-up, and from a release that
    did not store it.
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
    users_client: ProviderOrigin | None = None
    enrolment: Enrolment | None = None
    allowed: tuple[ApiScope, ...] = ()
    consented_by: str = ""
    device_bound: bool = False
    emailed: bool = False
    trust_by: StepName | None = None
    trust_epoch: int = 0
    first_at: float = 0.0
    second_at: float = 0.0
    login_session: str = ""
    epoch: int | None = None

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

MOST_OF_ADDRESS: Final = 2_000
"""Open requests, new browsers and flows per client address; beyond that the oldest is dropped (decision 0127)."""


@dataclass(frozen=True, slots=True)
class AuthRequest:
    """The stored authorization request, until its response.

    `parameters` are as sent, and checked again before the response. `began` (unix seconds) is the reference
    of prompt=login and max_age. `csrf` is valid for one answer (LG-14). `settled` is the CSRF value of the
    last form whose processing is complete and rotated no handle. `answer` is `domain.code.reference_of` the
    code in the response. `confirms`: the user of a session of this browser, whom `hint_subject` names, proves
    again who it is. `pushed` is the id of the pushed request that it comes from, `waiting` the device that gets the
    response instead of a redirect URI.
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
    country: str = ""
    is_restart: bool = False
    client_address: str = ""
    confirms: bool = False
    pushed: str = ""
    waiting: DeviceRequest | None = None

    @property
    def is_at_start(self) -> bool:
        """Whether nothing was answered for it yet; the user of a session who confirms it is named from the start."""
        left = replace(self.progress, other=False)
        if self.confirms:
            left = replace(left, chosen="", login_name="", shown="", passkey=False)
        return left == UNTOUCHED and not self.signed_in

    @property
    def is_proven(self) -> bool:
        """Whether a user authenticated for it, at least in part; typed values alone prove nothing."""
        return bool(self.signed_in or self.answer) or self.progress.is_proof
