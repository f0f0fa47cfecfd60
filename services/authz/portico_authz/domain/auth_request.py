"""An authorization request that waits for the end user, bound to the browser it began in (P3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from portico_contracts.login import StepName

from portico_authz.domain.external import PendingIdentity, ProviderOrigin
from portico_authz.domain.submission import Submission


@dataclass(frozen=True, slots=True)
class FactorChallenge:
    """A challenge issued by users: of WebAuthn, or for an emailed code. No browser gets its name.

    Attributes:
        step: the step it was issued for.
        name: its identifier at users.
        options: WebAuthn options for the browser; empty for a code.
        mail: the masked address a code was sent to.
        renew_at: unix seconds; from then on a reloaded page gets another one.
    """

    step: StepName
    name: str = field(repr=False)
    options: str = field(default="", repr=False)
    mail: str = ""
    renew_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Enrolment:
    """The registration of a first second factor in this login (decision 0046). No browser gets its name.

    Attributes:
        name: its identifier at users; the emailed code is good with it alone.
        mail: the masked address the code was sent to; empty where none was demanded.
        is_open: the code was right, or none was demanded.
        chosen: the step of the factor the end user chose; None before.
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
        shown: the login name to show instead of ``login_name``, where that is a qualified one the user did not enter.
        org_id: the organization the domain of that name belongs to; empty for none.
        user_id: the user who authenticated, while requirements remain.
        amr: the authentication methods; in a step-up those of the session.
        second: a second factor was verified for this request.
        step_up: sid of the session a second factor is to be added to; empty for a whole sign-in.
        passkey: a passkey is requested instead of name and password.
        factor: the second factor the end user chose; None for the likeliest.
        external: a verified identity of another provider that belongs to no account yet (decision 0047); None without one.
        directory: the directory whose login name and password are requested (decision 0050); None for none.
        external_factor: the first factor was an identity of another provider.
        auth_time: unix seconds at which its provider states that the user authenticated; 0 where it does not.
        unproven: how often an identity came without a proof that it is as recent as the request demands.
        asked: the pending challenge of WebAuthn, or of the second factor's code.
        enrolment: the registration of a second factor, for a user who has none; None without one.
        challenge: names the pending code that verifies an email address; empty for none.
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
        """The login name as the end user entered it, or knows it."""
        return self.shown or self.login_name

    @property
    def is_proof(self) -> bool:
        """A user authenticated, or an account waits for the code that was emailed."""
        return bool(self.user_id or self.external or self.challenge)

    def only_name(self) -> Progress:
        """The progress reduced to the login name."""
        return Progress(login_name=self.login_name, shown=self.shown)

    @property
    def is_registered(self) -> bool:
        """An account was requested; it is created once the emailed code is entered."""
        return bool(self.challenge) and not self.user_id


UNTOUCHED: Final = Progress()
"""No step is answered."""

MOST_OF_ADDRESS: Final = 1_000
"""Open requests of one client address; beyond that the oldest in which nothing was proven is dropped (decision 6.10)."""


@dataclass(frozen=True, slots=True)
class AuthRequest:
    """The stored authorization request, until its response.

    Attributes:
        id: opaque, in the browser's bucket; travels in the address of the login pages.
        parameters: the known parameters as sent; they are checked again before the answer.
        began: unix seconds of the request, which prompt=login and max_age count from.
        hint_subject: the user id a verified id_token_hint names; empty without one.
        prefill: the initial value of the login name field.
        progress: the answers so far.
        signed_in: sid of the session started for this request; empty before.
        denied: the end user cancelled.
        csrf: required of the next answer; each is valid for one (LG-14).
        submission: the last submitted form.
        settled: the CSRF value of the last form whose answer is complete and rotated no handle.
        offered: the challenge of conditional mediation on the login name page; None before a script requested one.
        answer: names the code of the response (`domain.code.reference_of`); empty before.
        device: what the browser is, in words from a closed list; empty for none of them.
        client_address: the fingerprint of the client's address, for counting; empty for an unknown one.
        is_restart: it took the place of a request of another browser, in which nothing was proven.
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
        """A user authenticated for it, in whole or in part; what was only typed proves nothing."""
        return bool(self.signed_in or self.answer) or self.progress.is_proof
