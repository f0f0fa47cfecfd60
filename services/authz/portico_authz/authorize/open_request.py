"""Opens a stored authorization request in the browser it started in, and decides it again (P3, LG-11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from portico_contracts.users import FIND_USER, FindUser
from portico_oauth.clock_leeway import is_issued_ahead
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.parameters import Parameters

from portico_authz.authorize import readable, run_checks_again
from portico_authz.authorize.consent import with_consent
from portico_authz.authorize.decide import Decision, StepUp, decide, requirements_of
from portico_authz.authorize.login_requirements import load_login_requirements, step_up_progress
from portico_authz.checked_request import UNKNOWN_AGENT, CheckedRequest, Pushed, SentRequest, UserAgent
from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.browser import Browser
from portico_authz.domain.session import Session
from portico_authz.session.find_sessions import find_signed_in


async def resolve_hint(deps: Dependencies, ctx: CheckedRequest, sessions: Sequence[Session]) -> str:
    """Returns the user whom the hint names, or nothing. A browser without sessions causes no lookup: a hint must not reveal whether an account exists."""
    if not ctx.login_hint or not sessions:
        return ""
    question = FindUser(login_name=ctx.login_hint, org_id=ctx.scope.org_id)
    user = (await deps.bus.call(FIND_USER, question)).user
    return user.user_id if user else ""


REQUEST_NOT_FOUND = ErrorCode(
    "AUTHZ-030",
    Kind.NOT_FOUND,
    "This sign-in is finished or has expired. Go back to the application and start again.",
    "Start a new authorization request.",
)
NO_COOKIE = ErrorCode(
    "AUTHZ-034",
    Kind.FAILED_PRECONDITION,
    "This browser sent no cookie. Allow cookies for this site, then start again from the application.",
    "Allow first-party cookies for the issuer.",
)
OTHER_BROWSER = ErrorCode(
    "AUTHZ-031",
    Kind.PERMISSION_DENIED,
    "This sign-in was started in another browser. Go back to the application and start again.",
    "Open the page in the browser where the sign-in began.",
)


class Decided(NamedTuple):
    decision: Decision
    request: AuthRequest
    ctx: CheckedRequest


async def open_request(deps: Dependencies, id: str, handle: str) -> tuple[AuthRequest, Browser]:
    """Raises AUTHZ-030 for an unknown request or browser, AUTHZ-031 for another browser's."""
    request, browser = await load_with_browser(deps, id, handle)
    if browser is None:
        raise REQUEST_NOT_FOUND.error(part="browser")
    return request, browser


async def load_with_browser(deps: Dependencies, id: str, handle: str) -> tuple[AuthRequest, Browser | None]:
    """Loads both in one round trip; AUTHZ-031 for another browser than the one the request started in."""
    request, browser = await load_both(deps, id, handle)
    return request, of_same_browser(browser, request)


async def load_both(deps: Dependencies, id: str, handle: str) -> tuple[AuthRequest, Browser | None]:
    """Like `load_with_browser`, without comparing the browsers. Raises AUTHZ-030 without the request."""
    browser, request = await deps.stores.browsers.find_with_request(handle, id)
    return usable(deps, request), browser


async def load_request(deps: Dependencies, id: str) -> AuthRequest:
    """Raises AUTHZ-030."""
    return usable(deps, await deps.stores.requests.find(id))


async def find_browser_of(deps: Dependencies, request: AuthRequest, handle: str) -> Browser | None:
    """Returns the browser with this handle if the request started in it. Raises AUTHZ-031 for another browser."""
    return of_same_browser(await deps.stores.browsers.find(handle), request)


def context_of(deps: Dependencies, request: AuthRequest, user_agent: UserAgent = UNKNOWN_AGENT) -> SentRequest:
    stored = readable(Parameters(list(request.parameters.items())))
    pushed = Pushed(request.pushed) if request.pushed else None
    return CheckedRequest(deps.sources, stored, user_agent, pushed, request.waiting, request.hint_subject)


async def decide_stored(deps: Dependencies, sent: SentRequest, request: AuthRequest, browser: Browser) -> Decided:
    ctx = await run_checks_again(sent)
    signed_in = await find_signed_in(deps, browser, ctx.user_agent.place)
    sessions = signed_in.sessions
    hinted = await resolve_hint(deps, ctx, sessions)

    async def decided(request: AuthRequest) -> Decided:
        may_register, user, progress = await load_login_requirements(deps, ctx, browser, request.progress)
        request = request if progress is request.progress else replace(request, progress=progress)
        requirements = requirements_of(
            ctx,
            request.began,
            signed_in,
            request,
            session_idle=deps.lifetimes.session_idle,
            hinted_user=hinted,
            may_register=may_register,
            user=user,
        )
        decision = decide(requirements, sessions, deps.clock.now())
        return Decided(await with_consent(deps, ctx, decision, request.progress), request, ctx)

    found = await decided(request)
    if isinstance(found.decision, StepUp):
        # The session counts as the first factor; the second is requested as after a password.
        return await decided(replace(request, progress=step_up_progress(found.decision.session)))
    return found


def usable(deps: Dependencies, request: AuthRequest | None) -> AuthRequest:
    """Raises AUTHZ-030."""
    if request is None or is_issued_ahead(request.began, deps.clock.now()):
        raise REQUEST_NOT_FOUND.error(part="request")
    return request


def of_same_browser(browser: Browser | None, request: AuthRequest) -> Browser | None:
    """Raises AUTHZ-031 for another browser than the one the request started in."""
    if browser is not None and browser.id != request.browser_id:
        raise OTHER_BROWSER.error()
    return browser
