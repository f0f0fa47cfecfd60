"""The decision on an authorization request: ask the person, answer for a session, or refuse. Pure.

Every request goes through here twice at most: as it arrives, and after the login pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portico_contracts.login import StepName
from portico_oauth.errors import Fact, Kind

from portico_authz.context import Context
from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.prompt import Prompt
from portico_authz.domain.session import Session
from portico_authz.steps import LoginFacts, next_step

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
CANCELLED = Fact("AUTHZ-027", Kind.DENIED, "The sign-in was cancelled.", "Offer the user to sign in again.")


@dataclass(frozen=True, slots=True)
class Demand:
    """What a request asks of a session.

    Attributes:
        began: unix seconds of the request.
        subject: the only user that will do; empty for anybody.
        org_id: the only organization whose users will do; empty for any.
        login_hint: prefers a session, excludes none.
        login_name: typed on the login pages so far.
        signed_in: sid of the session somebody signed in to for this request.
        denied: the person went back to the application.
    """

    began: float
    prompts: frozenset[Prompt] = frozenset()
    max_age: int | None = None
    subject: str = ""
    org_id: str = ""
    login_hint: str = ""
    login_name: str = ""
    signed_in: str = ""
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Interact:
    """Somebody has to be asked."""

    step: StepName


@dataclass(frozen=True, slots=True)
class Issue:
    """The request can be answered for this session."""

    session: Session


@dataclass(frozen=True, slots=True)
class Refuse:
    """The request is answered with an error."""

    error: Fact


Decision = Interact | Issue | Refuse


def demand_of(ctx: Context, began: float, request: AuthRequest | None = None) -> Demand:
    """What a checked request asks; ``request`` is what was kept of it while somebody was asked."""
    return Demand(
        began=began,
        prompts=ctx.prompts,
        max_age=ctx.max_age,
        subject=ctx.subject,
        org_id=ctx.org_id,
        login_hint=ctx.login_hint,
        login_name=request.login_name if request else "",
        signed_in=request.signed_in if request else "",
        denied=request.denied if request else False,
    )


def decide(request: Demand, sessions: Sequence[Session], now: float) -> Decision:
    """Decides on a request, given the sessions of its browser."""
    if request.denied:
        return Refuse(CANCELLED)
    live = [session for session in sessions if session.is_live(now)]
    usable = [session for session in live if _fits(request, session) and _is_recent(request, session)]
    if usable:
        return Issue(max(usable, key=lambda session: _rank(request, session)))
    if Prompt.NONE in request.prompts:
        return Refuse(LOGIN_REQUIRED)
    if any(session.sid == request.signed_in for session in live):
        return Refuse(OTHER_ACCOUNT)
    return Interact(next_step(LoginFacts(request.login_name)))


def _fits(request: Demand, session: Session) -> bool:
    return request.subject in ("", session.user_id) and request.org_id in ("", session.org_id)


def _is_recent(request: Demand, session: Session) -> bool:
    """A sign-in for this very request always is; otherwise it must have been after what the request allows."""
    if session.sid == request.signed_in:
        return True
    if request.prompts & {Prompt.LOGIN, Prompt.SELECT_ACCOUNT} and session.auth_time <= request.began:
        return False
    return request.max_age is None or session.auth_time > request.began - request.max_age


def _rank(request: Demand, session: Session) -> tuple[bool, bool, float]:
    hinted = bool(request.login_hint) and session.login_name.casefold() == request.login_hint.casefold()
    return session.sid == request.signed_in, hinted, session.idle_until
