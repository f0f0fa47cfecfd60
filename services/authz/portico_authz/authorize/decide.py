"""Decides a request, on arrival and after the login pages: interact, issue for a session, or refuse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from portico_contracts.step_names import StepName
from portico_contracts.users import Factor
from portico_oauth.assurance import level_of
from portico_oauth.errors import ErrorCode, Kind

from portico_authz.authorize.counting import ANY, Counting, counting_for
from portico_authz.checked_request import CheckedRequest
from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.factors import reachable_level, steps_of
from portico_authz.domain.progress import UNTOUCHED, AtDirectory, Progress, Registering, UsingPasskey
from portico_authz.domain.prompt import Prompt, demanded_since
from portico_authz.domain.session import Session
from portico_authz.session.find_sessions import SignedIn
from portico_authz.steps import AuthenticatedUser, LoginState, next_step

LOGIN_REQUIRED = ErrorCode(
    "AUTHZ-025",
    Kind.LOGIN_REQUIRED,
    "No existing session satisfies the request without user interaction.",
    "Send the request again without prompt=none.",
)
OTHER_ACCOUNT = ErrorCode(
    "AUTHZ-026",
    Kind.LOGIN_REQUIRED,
    "The signed-in user is not the user named in the request.",
    "Omit id_token_hint to let any user sign in.",
)
SEVERAL_ACCOUNTS = ErrorCode(
    "AUTHZ-033",
    Kind.INTERACTION_REQUIRED,
    "Several users are signed in. The user has to choose one.",
    "Send id_token_hint or login_hint, or omit prompt=none.",
)
FACTOR_NEEDED = ErrorCode(
    "AUTHZ-200",
    Kind.INTERACTION_REQUIRED,
    "The user is signed in and has to confirm a second factor.",
    "Send the request again without prompt=none.",
)
ACR_UNMET = ErrorCode(
    "AUTHZ-201",
    Kind.UNMET_AUTHENTICATION_REQUIREMENTS,
    "The requested acr could not be satisfied.",
    "Request a lower level in the claims parameter, or have the user register a second factor.",
)
NOT_RECENT = ErrorCode(
    "AUTHZ-038",
    Kind.LOGIN_REQUIRED,
    "The identity provider did not confirm a sign-in as recent as the request requires.",
    "Omit prompt=login and max_age, or have the user set up a password or a second factor here.",
)
CANCELLED = ErrorCode(
    "AUTHZ-027", Kind.ACCESS_DENIED, "The sign-in was cancelled.", "Let the user start a new sign-in."
)


ASKED_AGAIN: Final = 1
"""How often a user must repeat the sign-in at a provider that does not prove its age."""


@dataclass(frozen=True, slots=True)
class AuthenticationRequirements:
    """The requirements of a request on a session.

    `subject` is the only accepted user; `hinted_user` is preferred, but others are accepted. `login_hinted`:
    without a session of that user, the end user chooses. `signed_in` is the sid of the session that was
    started for this request. `factors` are by user id. `trusted` users need none here. `acr_essential`: a weaker authentication fails the
    request; so does one below `minimum_level`. `counting`: the sessions that count for the application.
    """

    requested_at: float
    prompts: frozenset[Prompt] = frozenset()
    max_age: int | None = None
    subject: str = ""
    org_id: str = ""
    login_hinted: bool = False
    hinted_user: str = ""
    may_register: bool = False
    progress: Progress = UNTOUCHED
    user: AuthenticatedUser | None = None
    signed_in: str = ""
    denied: bool = False
    factors: Mapping[str, tuple[Factor, ...]] = field(default_factory=dict)
    forced: frozenset[str] = frozenset()
    trusted: frozenset[str] = frozenset()
    acr_level: int = 0
    acr_essential: bool = False
    minimum_level: int = 0
    counting: Counting = ANY

    @property
    def essential_level(self) -> int:
        """The level without which the request fails."""
        return max(self.acr_level, self.minimum_level) if self.acr_essential else self.minimum_level


@dataclass(frozen=True, slots=True)
class Choice:
    """`usable` without another authentication, or after a second factor (`lacks_factor`); else by password."""

    session: Session
    usable: bool
    lacks_factor: bool = False


@dataclass(frozen=True, slots=True)
class Interact:
    """`step` is `StepName.DONE` when the login only has to be completed; `accounts` are most likely first."""

    step: StepName
    accounts: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class StepUp:
    """Only a second factor is missing; the session satisfies the rest."""

    session: Session


@dataclass(frozen=True, slots=True)
class Issue:
    session: Session


@dataclass(frozen=True, slots=True)
class AskConsent:
    """Only the user's consent is missing."""

    session: Session


@dataclass(frozen=True, slots=True)
class Refuse:
    error: ErrorCode


Decision = Interact | StepUp | Issue | AskConsent | Refuse


def requirements_of(
    ctx: CheckedRequest,
    requested_at: float,
    signed_in: SignedIn,
    request: AuthRequest | None = None,
    *,
    session_idle: int,
    hinted_user: str = "",
    may_register: bool = False,
    user: AuthenticatedUser | None = None,
) -> AuthenticationRequirements:
    """Returns the requirements of a checked request; ``request`` is its stored form after the login pages."""
    return AuthenticationRequirements(
        requested_at=requested_at,
        prompts=ctx.prompts,
        max_age=ctx.max_age,
        subject=ctx.subject,
        org_id=ctx.scope.org_id,
        login_hinted=bool(ctx.login_hint),
        hinted_user=hinted_user,
        may_register=may_register,
        progress=request.progress if request else UNTOUCHED,
        user=user,
        signed_in=request.signed_in if request else "",
        denied=request.denied if request else False,
        factors=signed_in.factors,
        forced=frozenset(signed_in.factors) if ctx.demands_factor else signed_in.forced,
        trusted=signed_in.trusted if ctx.accepts_trust else frozenset(),
        acr_level=ctx.acr.level,
        acr_essential=ctx.acr.essential,
        minimum_level=ctx.minimum_level,
        counting=counting_for(ctx.client, requested_at, session_idle),
    )


def decide(required: AuthenticationRequirements, sessions: Sequence[Session], now: float) -> Decision:
    decision = _decide(required, sessions, now)
    if isinstance(decision, Issue) and level_of(decision.session.acr) < required.essential_level:
        return Refuse(ACR_UNMET)
    return decision


def _decide(required: AuthenticationRequirements, sessions: Sequence[Session], now: float) -> Decision:
    if required.denied:
        return Refuse(CANCELLED)
    if required.progress.unproven > ASKED_AGAIN:
        return Refuse(NOT_RECENT)
    live = [session for session in sessions if session.is_live(now)]
    started = _with_sid(live, required.signed_in) if required.signed_in else None
    if started and not _lacks_factor(required, started, now):
        return Issue(started) if _fits(required, started) else Refuse(OTHER_ACCOUNT)
    choices = [_choice(required, session, now) for session in live if _fits(required, session)]
    accounts = _accounts(required, choices) if choices else ()
    if Prompt.NONE in required.prompts:
        return _decide_without_interaction(required, accounts)
    if choices and (answer := _of_session(required, choices) or _of_only_account(required, accounts)):
        return answer
    required = _without_lost_session(required, choices)
    step = next_step(_state_of(required, accounts))
    return Interact(step, accounts if step is StepName.SELECT_ACCOUNT else ())


def _state_of(required: AuthenticationRequirements, accounts: Sequence[Choice]) -> LoginState:
    progress = required.progress
    return LoginState(
        must_choose=bool(accounts) and progress == UNTOUCHED and _must_choose(required, accounts),
        registering=isinstance(progress.under_way, Registering) and required.may_register,
        registered=progress.is_registered,
        passkey=isinstance(progress.under_way, UsingPasskey),
        email_code=progress.asked is not None and progress.asked.step is StepName.EMAIL_CODE,
        login_name=progress.login_name,
        user=required.user,
        external=_external_page(progress),
    )


def _must_choose(required: AuthenticationRequirements, accounts: Sequence[Choice]) -> bool:
    if Prompt.SELECT_ACCOUNT in required.prompts:
        return True
    is_open = len(accounts) > 1 or _names_another(required, accounts)
    return is_open and not required.prompts & {Prompt.LOGIN, Prompt.CREATE}


def _external_page(progress: Progress) -> StepName | None:
    if isinstance(progress.under_way, AtDirectory):
        return StepName.LDAP
    return progress.external.step if progress.external else None


def _decide_without_interaction(required: AuthenticationRequirements, accounts: Sequence[Choice]) -> Decision:
    usable = [account.session for account in accounts if account.usable]
    if len(usable) > 1:
        return Refuse(SEVERAL_ACCOUNTS)
    if _names_another(required, accounts):
        return Refuse(LOGIN_REQUIRED)
    if usable:
        return Issue(usable[0])
    return Refuse(FACTOR_NEEDED if any(account.lacks_factor for account in accounts) else LOGIN_REQUIRED)


def _of_session(required: AuthenticationRequirements, choices: Sequence[Choice]) -> Issue | None:
    """Returns the selected session, or the one that a second factor was added to."""
    selected = required.progress.chosen or required.progress.step_up
    return next((Issue(one.session) for one in choices if one.usable and one.session.sid == selected), None)


def _of_only_account(required: AuthenticationRequirements, accounts: Sequence[Choice]) -> Issue | StepUp | None:
    """Returns the only candidate. With prompt=login only sessions authenticated after the request count."""
    if required.progress != UNTOUCHED or required.prompts & {Prompt.SELECT_ACCOUNT, Prompt.CREATE}:
        return None
    if _names_another(required, accounts):
        return None
    meant = [one for one in accounts if one.usable or one.lacks_factor or Prompt.LOGIN not in required.prompts]
    if len(meant) != 1:
        return None
    [only] = meant
    if only.lacks_factor:
        return StepUp(only.session)
    return Issue(only.session) if only.usable else None


def _without_lost_session(
    required: AuthenticationRequirements, choices: Sequence[Choice]
) -> AuthenticationRequirements:
    """A second factor cannot be added to an ended session: the password is requested instead (LG-08)."""
    sid = required.progress.step_up
    if not sid or any(one.lacks_factor and one.session.sid == sid for one in choices):
        return required
    return replace(required, progress=required.progress.only_name(), user=None)


def _accounts(required: AuthenticationRequirements, choices: Sequence[Choice]) -> tuple[Choice, ...]:
    """The hinted account first, then by last use; a hint selects it, unless prompt=select_account is requested."""
    hinted = [one for one in choices if _is_hinted(required, one.session)]
    shown = hinted if hinted and Prompt.SELECT_ACCOUNT not in required.prompts else choices
    return tuple(sorted(shown, key=lambda one: (one in hinted, one.session.idle_until), reverse=True))


def _choice(required: AuthenticationRequirements, session: Session, now: float) -> Choice:
    recent = _is_recent(required, session)
    lacks = _lacks_factor(required, session, now) or _could_be_stronger(required, session)
    return Choice(session, recent and not lacks, recent and lacks)


def _lacks_factor(required: AuthenticationRequirements, session: Session, now: float) -> bool:
    """Reports whether the user has or needs a second factor, and none was verified in this session recently enough
    (LG-08).
    """
    needed = session.user_id in required.forced or bool(steps_of(required.factors.get(session.user_id, ())))
    return needed and now >= session.factor_until and session.user_id not in required.trusted


def _could_be_stronger(required: AuthenticationRequirements, session: Session) -> bool:
    """The session is weaker than requested and could be stronger; a voluntary acr fails no silent request."""
    silent = Prompt.NONE in required.prompts
    level = required.essential_level if silent else max(required.acr_level, required.minimum_level)
    if not level:
        return False
    essential = level == required.essential_level
    reachable = min(level, reachable_level(required.factors.get(session.user_id, ()), essential=essential))
    return level_of(session.acr) < reachable


def _with_sid(sessions: Sequence[Session], sid: str) -> Session | None:
    return next((session for session in sessions if session.sid == sid), None)


def _fits(required: AuthenticationRequirements, session: Session) -> bool:
    return required.subject in ("", session.user_id) and required.org_id in ("", session.org_id)


def _is_recent(required: AuthenticationRequirements, session: Session) -> bool:
    return required.counting.includes(session) and session.is_later_than(
        demanded_since(required.prompts, required.max_age, required.requested_at)
    )


def _names_another(required: AuthenticationRequirements, accounts: Sequence[Choice]) -> bool:
    """The login_hint matches no session's user (P9). An id_token_hint has excluded others already."""
    is_hinted = required.login_hinted and not required.subject
    return is_hinted and not any(_is_hinted(required, one.session) for one in accounts)


def _is_hinted(required: AuthenticationRequirements, session: Session) -> bool:
    return session.user_id == required.hinted_user
