"""The decision on an authorization request: ask the person, answer for a session, or refuse. Pure.

Every request goes through here twice at most: as it arrives, and after the login pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from portico_contracts.login import StepName
from portico_contracts.users import Factor
from portico_oauth.assurance import level_of
from portico_oauth.errors import ErrorCode, Kind

from portico_authz.context import Context
from portico_authz.domain.auth_request import UNTOUCHED, AuthRequest, Progress
from portico_authz.domain.factors import reachable_level, steps_of
from portico_authz.domain.prompt import Prompt
from portico_authz.domain.session import Session
from portico_authz.steps import LoginFacts, Proven, next_step

LOGIN_REQUIRED = ErrorCode(
    "AUTHZ-025",
    Kind.LOGIN_REQUIRED,
    "There is no session that could be used without asking the user.",
    "Send the request again without prompt=none.",
)
OTHER_ACCOUNT = ErrorCode(
    "AUTHZ-026",
    Kind.LOGIN_REQUIRED,
    "Another user signed in than the one the request names.",
    "Leave id_token_hint out to let any user sign in.",
)
SEVERAL_ACCOUNTS = ErrorCode(
    "AUTHZ-033",
    Kind.INTERACTION_REQUIRED,
    "Several users are signed in, and the user has to choose one.",
    "Send id_token_hint or login_hint, or the request without prompt=none.",
)
FACTOR_NEEDED = ErrorCode(
    "AUTHZ-200",
    Kind.INTERACTION_REQUIRED,
    "The user is signed in, but has to prove a second factor.",
    "Send the request again without prompt=none.",
)
ACR_UNMET = ErrorCode(
    "AUTHZ-201",
    Kind.UNMET_AUTHENTICATION_REQUIREMENTS,
    "The user cannot, or did not, sign in as strongly as the application demands.",
    "Name weaker levels in the claims parameter, or let the user register a second factor.",
)
CANCELLED = ErrorCode("AUTHZ-027", Kind.ACCESS_DENIED, "The sign-in was cancelled.", "Offer the user to sign in again.")


@dataclass(frozen=True, slots=True)
class Demand:
    """What a request asks of a session.

    Attributes:
        began: unix seconds of the request.
        subject: the only user that will do; empty for anybody.
        org_id: the only organization whose users will do; empty for any.
        hinted_user: the user a login_hint means: prefers a session, excludes none.
        may_register: people may make an account where they sign in.
        progress: what was answered on the login pages so far.
        proven: what is demanded of who proved something there.
        signed_in: sid of the session somebody signed in to for this request.
        denied: the person went back to the application.
        factors: what the users of the sessions have besides a password, by user id.
        acr_level: how strong a sign-in is wished for; 0 for any.
        acr_essential: a weaker one is none.
    """

    began: float
    prompts: frozenset[Prompt] = frozenset()
    max_age: int | None = None
    subject: str = ""
    org_id: str = ""
    hinted_user: str = ""
    may_register: bool = False
    progress: Progress = UNTOUCHED
    proven: Proven | None = None
    signed_in: str = ""
    denied: bool = False
    factors: Mapping[str, tuple[Factor, ...]] = field(default_factory=dict)
    acr_level: int = 0
    acr_essential: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A session somebody may choose.

    Attributes:
        usable: as it is.
        lacks_factor: as it is once a second factor is proven; where neither is said its password is asked for.
    """

    session: Session
    usable: bool
    lacks_factor: bool = False


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
class StepUp:
    """Somebody has to be asked for a second factor, and for nothing else: their session has the rest."""

    session: Session


@dataclass(frozen=True, slots=True)
class Issue:
    """The request can be answered for this session."""

    session: Session


@dataclass(frozen=True, slots=True)
class Refuse:
    """The request is answered with an error."""

    error: ErrorCode


Decision = Interact | StepUp | Issue | Refuse


@dataclass(frozen=True, slots=True)
class Standing:
    """How users looks at a login that is under way: asked anew for every decision (P3).

    Attributes:
        may_register, proven: see `Demand`.
    """

    may_register: bool = False
    proven: Proven | None = None


def demand_of(
    ctx: Context,
    began: float,
    factors: Mapping[str, tuple[Factor, ...]],
    request: AuthRequest | None = None,
    standing: Standing | None = None,
) -> Demand:
    """What a checked request asks; ``request`` is what was kept of it while somebody was asked."""
    standing = standing or Standing()
    return Demand(
        began=began,
        prompts=ctx.prompts,
        max_age=ctx.max_age,
        subject=ctx.subject,
        org_id=ctx.org_id,
        hinted_user=ctx.hinted_user,
        may_register=standing.may_register,
        progress=request.progress if request else UNTOUCHED,
        proven=standing.proven,
        signed_in=request.signed_in if request else "",
        denied=request.denied if request else False,
        factors=factors,
        acr_level=ctx.acr_level,
        acr_essential=ctx.acr_essential,
    )


def decide(request: Demand, sessions: Sequence[Session], now: float) -> Decision:
    """Decides on a request, given the sessions of its browser."""
    decision = _decide(request, sessions, now)
    if isinstance(decision, Issue) and request.acr_essential and level_of(decision.session.acr) < request.acr_level:
        return Refuse(ACR_UNMET)
    return decision


def _decide(request: Demand, sessions: Sequence[Session], now: float) -> Decision:
    if request.denied:
        return Refuse(CANCELLED)
    live = [session for session in sessions if session.is_live(now)]
    mine = _with_sid(live, request.signed_in)
    if mine and not _lacks_factor(request, mine, now):
        return Issue(mine) if _fits(request, mine) else Refuse(OTHER_ACCOUNT)
    choices = [_choice(request, session, now) for session in live if _fits(request, session)]
    accounts = _accounts(request, choices)
    if Prompt.NONE in request.prompts:
        return _silently(accounts)
    if answer := _of_session(request, choices) or _of_only_account(request, accounts):
        return answer
    request = _without_lost_session(request, choices)
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
        passkey=progress.passkey,
        login_name=progress.login_name,
        proven=request.proven,
    )


def _silently(accounts: Sequence[Choice]) -> Decision:
    usable = [account.session for account in accounts if account.usable]
    if len(usable) == 1:
        return Issue(usable[0])
    if usable:
        return Refuse(SEVERAL_ACCOUNTS)
    return Refuse(FACTOR_NEEDED if any(account.lacks_factor for account in accounts) else LOGIN_REQUIRED)


def _of_session(request: Demand, choices: Sequence[Choice]) -> Issue | None:
    """The session somebody chose, or the one that lacked a second factor and got it meanwhile."""
    wanted = request.progress.chosen or request.progress.step_up
    return next((Issue(one.session) for one in choices if one.usable and one.session.sid == wanted), None)


def _of_only_account(request: Demand, accounts: Sequence[Choice]) -> Issue | StepUp | None:
    """The one there is no doubt about. With prompt=login only those count that were signed in to since."""
    if request.progress != UNTOUCHED or request.prompts & {Prompt.SELECT_ACCOUNT, Prompt.CREATE}:
        return None
    meant = [one for one in accounts if one.usable or one.lacks_factor or Prompt.LOGIN not in request.prompts]
    if len(meant) != 1:
        return None
    [only] = meant
    if only.lacks_factor:
        return StepUp(only.session)
    return Issue(only.session) if only.usable else None


def _without_lost_session(request: Demand, choices: Sequence[Choice]) -> Demand:
    """A second factor is worth nothing beside a session that ended: then the password is asked for (LG-08)."""
    sid = request.progress.step_up
    if not sid or any(one.lacks_factor and one.session.sid == sid for one in choices):
        return request
    return replace(request, progress=request.progress.only_name(), proven=None)


def _accounts(request: Demand, choices: Sequence[Choice]) -> tuple[Choice, ...]:
    """What there is to choose from: the hinted one first, then the last used.

    A hint that names one of them is the choice, unless the person is to be shown all.
    """
    hinted = [one for one in choices if _is_hinted(request, one.session)]
    shown = hinted if hinted and Prompt.SELECT_ACCOUNT not in request.prompts else choices
    return tuple(sorted(shown, key=lambda one: (one in hinted, one.session.idle_until), reverse=True))


def _choice(request: Demand, session: Session, now: float) -> Choice:
    recent = _is_recent(request, session)
    lacks = _lacks_factor(request, session, now) or _could_be_stronger(request, session)
    return Choice(session, recent and not lacks, recent and lacks)


def _lacks_factor(request: Demand, session: Session, now: float) -> bool:
    """Its user has a second factor, which this session never saw, or too long ago (LG-08)."""
    return bool(steps_of(request.factors.get(session.user_id, ()))) and now >= session.factor_until


def _could_be_stronger(request: Demand, session: Session) -> bool:
    """It is weaker than wished for, and its user has what it takes. A wish is no reason to refuse a silent request."""
    wanted = min(request.acr_level, reachable_level(request.factors.get(session.user_id, ())))
    silent = Prompt.NONE in request.prompts and not request.acr_essential
    return not silent and level_of(session.acr) < wanted


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
    return session.user_id == request.hinted_user
