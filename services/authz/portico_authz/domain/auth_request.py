"""An authorization request that waits for a person, bound to the browser it began in (P3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from portico_contracts.login import StepName

from portico_authz.domain.submission import Submission


@dataclass(frozen=True, slots=True)
class Asked:
    """What a key or a mailed code has to answer. Only users can tell what it is; no browser gets the name.

    Attributes:
        step: what it was asked for with.
        name: as users calls it.
        options: for the browser, where a key answers.
        mail: a part of the address a code went to.
        renew_at: unix seconds; from then on a page that is loaded anew gets another one.
    """

    step: StepName
    name: str = field(repr=False)
    options: str = field(default="", repr=False)
    mail: str = ""
    renew_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the person has come. Replaced as a whole, so that no two answers can mix (LG-08).

    Attributes:
        chosen: sid of the session picked on the account page.
        other: none of the accounts shown was picked.
        registering: the registration is shown; it is over once a ``challenge`` is there.
        login_name: as typed and accepted; empty while it is asked for.
        shown: the login name to show instead of ``login_name``, where that is the qualified one nobody entered.
        org_id: the organization the domain of that name belongs to; empty for none.
        user_id: who proved to be the owner of an account, while something is still demanded of them.
        amr: how; with a session that only lacks a second factor what was done to begin that.
        second: a second factor is among it, proven for this request.
        step_up: sid of the session that lacks a second factor and is to get one; empty for a whole sign-in.
        passkey: a passkey is asked for instead of name and password.
        factor: the second factor the person chose; None for the likeliest.
        asked: the challenge of the key, or of the second factor's code, that is waited for.
        challenge: names the mailed code that is waited for; empty for none.
        mail: the address it went to.
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
    asked: Asked | None = None
    shown: str = ""

    @property
    def shown_name(self) -> str:
        """The login name as the person entered it, or knows it."""
        return self.shown or self.login_name

    def only_name(self) -> Progress:
        """Nothing but the login name is left."""
        return Progress(login_name=self.login_name, shown=self.shown)

    @property
    def is_registered(self) -> bool:
        """An account was asked for; it is somebody's once the mailed code is entered."""
        return bool(self.challenge) and not self.user_id


UNTOUCHED: Final = Progress()
"""Nothing was answered yet."""


@dataclass(frozen=True, slots=True)
class AuthRequest:
    """What is kept between the authorization endpoint and its answer.

    Attributes:
        id: opaque, in the browser's bucket; travels in the address of the login pages.
        parameters: the known parameters as sent; they are checked again before the answer.
        began: unix seconds of the request, which prompt=login and max_age count from.
        hint_subject: the user id a verified id_token_hint names; empty without one.
        prefill: what the login name field shows at first.
        progress: what was answered so far.
        signed_in: sid of the session somebody signed in to for this request; empty before.
        denied: the person went back to the application.
        csrf: what the next answer must bring; each is good for one (LG-14).
        submission: the form that was sent last.
        offered: the challenge a passkey may answer while the login name is asked for; None before one was requested.
        answer: names the code that was the answer (`domain.code.reference_of`); empty before.
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
    offered: Asked | None = None
    answer: str = ""
