"""The decision on an authorization request: ask the person, answer for a session, or refuse. Pure.

Every request goes through here twice at most: as it arrives, and after the login pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portico_contracts.login import StepName
from portico_oauth.errors import Fact, Kind

from portico_authz.context import Context
from portico_authz.domain.auth_request import UNTOUCHED, AuthRequest, Progress
from portico_authz.domain.prompt import Prompt
from portico_authz.domain.session import Session
from portico_authz.steps import LoginFacts, Proven, next_step

LOGIN_REQUIRED = Fact(
    "AUTHZ-025",
    Kind.LOGIN_NEEDED,
    "There is no session that could be used without asking the user.",
    "Send the request again without prompt=none.",
)
OTHER_ACCOUNT = Fact(
    "AUTHZ-026",
    Kind.LOGIN_NEEDED,
    "Another user signed in than the one the request names.",
    "Leave id_token_hint out to let any user sign in.",
)
SEVERAL_ACCOUNTS = Fact(
    "AUTHZ-033",
    Kind.INTERACTION_NEEDED,
    "Several users are signed in, and the user has to choose one.",
    "Send id_token_hint or login_hint, or the request without prompt=none.",
)
CANCELLED = Fact("AUTHZ-027", Kind.DENIED, "The sign-in was cancelled.", "Offer the user to sign in again.")


@dataclass(frozen=True, slots=True)
class Demand:
    """What a request asks of a session.

    Attributes:
        began: unix seconds of the request.
        subject: the only user that will do; empty for anybody.
        org_id: the only organization whose users will do; empty for any.
        login_hint: prefers a session, excludes none.
        may_register: people may make an account where they sign in.
        progress: what was answered on the login pages so far.
        proven: what is demanded of who proved something there.
        signed_in: sid of the session somebody signed in to for this request.
        denied: the person went back to the application.
    """

    began: float
    prompts: frozenset[Prompt] = frozenset()
    max_age: int | None = None
    subject: str = ""
    org_id: str = ""
    login_hint: str = ""
    may_register: bool = False
    progress: Progress = UNTOUCHED
    proven: Proven | None = None
    signed_in: str = ""
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A session somebody may choose.

    Attributes:
        usable: as it is; otherwise its password is asked for.
    """

    session: Session
    usable: bool


@dataclass(frozen=True, slots=True)
class Interact:
    """Somebody has to be asked.

    Attributes:
        step: `StepName.DONE` when all is answered and the login only has to be ended.
        accounts: what somebody may choose from, the most likely first.
    """

    step: StepName
    accounts: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Issue:
    """The request can be answered for this session."""

    session: Session


@dataclass(frozen=True, slots=True)
class Refuse:
    """The request is answered with an error."""

    error: Fact


Decision = Interact | Issue | Refuse


@dataclass(frozen=True, slots=True)
class Standing:
    """How users looks at a login that is under way: asked anew for every decision (P3).

    Attributes:
        may_register, proven: see `Demand`.
    """

    may_register: bool = False
    proven: Proven | None = None


def demand_of(
    ctx: Context, began: float, request: AuthRequest | None = None, standing: Standing | None = None
) -> Demand:
    """What a checked request asks; ``request`` is what was kept of it while somebody was asked."""
    standing = standing or Standing()
    return Demand(
        began=began,
        prompts=ctx.prompts,
        max_age=ctx.max_age,
        subject=ctx.subject,
        org_id=ctx.org_id,
        login_hint=ctx.login_hint,
        may_register=standing.may_register,
        progress=request.progress if request else UNTOUCHED,
        proven=standing.proven,
        signed_in=request.signed_in if request else "",
        denied=request.denied if request else False,
    )


def decide(request: Demand, sessions: Sequence[Session], now: float) -> Decision:
    """Decides on a request, given the sessions of its browser."""
    if request.denied:
        return Refuse(CANCELLED)
    live = [session for session in sessions if session.is_live(now)]
    if mine := _with_sid(live, request.signed_in):
        return Issue(mine) if _fits(request, mine) else Refuse(OTHER_ACCOUNT)
    fitting = [session for session in live if _fits(request, session)]
    usable = [session for session in fitting if _is_recent(request, session)]
    accounts = _accounts(request, fitting, usable)
    if Prompt.NONE in request.prompts:
        return _silently(accounts)
    if chosen := _with_sid(usable, request.progress.chosen):
        return Issue(chosen)
    if request.progress == UNTOUCHED and (only := _only_account(request, accounts)):
        return Issue(only)
    step = next_step(_facts(request, accounts))
    return Interact(step, accounts if step is StepName.SELECT_ACCOUNT else ())


def _facts(request: Demand, accounts: Sequence[Choice]) -> LoginFacts:
    progress = request.progress
    several = len(accounts) > 1 and not request.prompts & {Prompt.LOGIN, Prompt.CREATE}
    asked_for = bool(accounts) and Prompt.SELECT_ACCOUNT in request.prompts
    return LoginFacts(
        must_choose=progress == UNTOUCHED and (several or asked_for),
        registering=progress.registering and request.may_register,
        registered=progress.is_registered,
        login_name=progress.login_name,
        proven=request.proven,
    )


def _silently(accounts: Sequence[Choice]) -> Decision:
    usable = [account.session for account in accounts if account.usable]
    if len(usable) == 1:
        return Issue(usable[0])
    return Refuse(SEVERAL_ACCOUNTS if usable else LOGIN_REQUIRED)


def _only_account(request: Demand, accounts: Sequence[Choice]) -> Session | None:
    """The one there is no doubt about. With prompt=login only those count that were signed in to since."""
    if request.prompts & {Prompt.SELECT_ACCOUNT, Prompt.CREATE}:
        return None
    meant = [account for account in accounts if account.usable or Prompt.LOGIN not in request.prompts]
    return meant[0].session if len(meant) == 1 and meant[0].usable else None


def _accounts(request: Demand, fitting: Sequence[Session], usable: Sequence[Session]) -> tuple[Choice, ...]:
    """What there is to choose from: the hinted one first, then the last used.

    A hint that names one of them is the choice, unless the person is to be shown all.
    """
    hinted = [session for session in fitting if _is_hinted(request, session)]
    shown = hinted if hinted and Prompt.SELECT_ACCOUNT not in request.prompts else fitting
    ranked = sorted(shown, key=lambda session: (_is_hinted(request, session), session.idle_until), reverse=True)
    return tuple(Choice(session, session in usable) for session in ranked)


def _with_sid(sessions: Sequence[Session], sid: str) -> Session | None:
    return next((session for session in sessions if session.sid == sid), None)


def _fits(request: Demand, session: Session) -> bool:
    return request.subject in ("", session.user_id) and request.org_id in ("", session.org_id)


def _is_recent(request: Demand, session: Session) -> bool:
    """It was begun, or renewed, after what the request allows."""
    if Prompt.LOGIN in request.prompts and session.auth_time <= request.began:
        return False
    return request.max_age is None or session.auth_time > request.began - request.max_age


def _is_hinted(request: Demand, session: Session) -> bool:
    return bool(request.login_hint) and session.login_name.casefold() == request.login_hint.casefold()
