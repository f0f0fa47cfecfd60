"""The authorization endpoint: checks, sessions, decision, response (OIDC Core section 3.1.2)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import structlog
from portico_contracts.diagnostics import DiagnosedEndpoint
from portico_contracts.http import AUTHORIZE, LOGIN
from portico_oauth.assurance import PASSWORD, has_key
from portico_oauth.errors import SERVER_ERROR, ErrorCode, Kind, ServiceError
from portico_oauth.opaque import new_opaque
from portico_oauth.parameters import Parameters
from portico_oauth.response_types import ResponseType
from portico_web.surfaces import redirect
from starlette.responses import Response

from portico_authz.authorize import KNOWN_PARAMETERS, STORED_PARAMETERS, Endpoint, readable, run_checks
from portico_authz.authorize.checks.check_pushed_request import REQUEST_URI
from portico_authz.authorize.checks.check_sizes import stored_parameters
from portico_authz.authorize.consent import with_consent
from portico_authz.authorize.counting import counting_for
from portico_authz.authorize.decide import (
    LOGIN_REQUIRED,
    AskConsent,
    Interact,
    Issue,
    Refuse,
    StepUp,
    decide,
    requirements_of,
)
from portico_authz.authorize.diagnostics import record_error
from portico_authz.authorize.open_request import REQUEST_NOT_FOUND, resolve_hint
from portico_authz.authorize.posted import restore_posted, see_other, store_posted
from portico_authz.authorize.project_access import require_project_access
from portico_authz.authorize.push import claim_for_code, claim_pushed, require_unanswered
from portico_authz.checked_request import CheckedRequest, Pushed, SentRequest, UserAgent
from portico_authz.codes.issue import issue_code, issue_tokens, new_code
from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.browser import Browser, new_browser
from portico_authz.domain.code import IssueResult
from portico_authz.domain.external import FLOW_SECONDS, ExternalFlow
from portico_authz.domain.progress import UNTOUCHED, Progress, Registering, UsingPasskey
from portico_authz.domain.prompt import Prompt, demanded_since
from portico_authz.domain.request_parameters import RequestParameters
from portico_authz.domain.session import Session, short_name
from portico_authz.session.find_sessions import find_signed_in
from portico_authz.session.trusted_devices import find_browser

log = structlog.get_logger("portico.authorize")

POST_NOT_FOUND = ErrorCode(
    "AUTHZ-032",
    Kind.INVALID_REQUEST,
    "This sign-in has expired. Go back to the application and start again.",
    "Start a new authorization request.",
)


class Begun(NamedTuple):
    """A request that is to be stored, with its browser; `cookie` is set for a new browser."""

    ctx: CheckedRequest
    request: AuthRequest
    browser: Browser
    handle: str
    cookie: str = ""


class Leaving(NamedTuple):
    """A flow to a provider that is to be stored under its `state`, and the address of the provider."""

    address: str
    state: str
    flow: ExternalFlow


LeaveAtOnce = Callable[[Dependencies, Begun, Interact], Awaitable[tuple[Leaving, Progress] | None]]
"""Returns the flow that a sign-in begins with, and its progress; None if it begins on the login pages."""


async def authorize(
    deps: Dependencies, parameters: Parameters, user_agent: UserAgent, leave_at_once: LeaveAtOnce
) -> Response:
    """Raises errors without a verified return address, and 503; both become a page."""
    sent = readable(await restore_posted(deps, parameters, POST_NOT_FOUND.error()))
    ctx = _context(deps, sent, user_agent)
    return await with_errors(deps, ctx, _authorize(deps, ctx, leave_at_once))


async def store_posted_request(deps: Dependencies, parameters: Parameters, user_agent: UserAgent) -> Response:
    """Redirects to a GET, which carries the SameSite=Lax cookie that a cross-site POST lacks."""
    ctx = _context(deps, readable(parameters), user_agent)
    return await with_errors(deps, ctx, _store_posted(deps, ctx))


def _context(deps: Dependencies, parameters: RequestParameters, user_agent: UserAgent) -> SentRequest:
    return CheckedRequest(deps.sources, parameters, user_agent)


async def with_errors(deps: Dependencies, ctx: SentRequest, response: Awaitable[Response]) -> Response:
    """Redirects an error to the verified return address; raises it without one.

    Unavailability stays a 503 page, which the end user can reload; the application could not retry.
    """
    try:
        return await response
    except ServiceError as error:
        record_error(deps, ctx, error)
        if ctx.address is None or error.kind is Kind.UNAVAILABLE:
            raise
        log.info("refused", error_code=error.id, kind=error.kind.value, private=error.private)
        return redirect(error, ctx.address)
    except Exception:  # the boundary: no detail of an unknown error is returned
        if ctx.address is None:
            raise
        log.exception("fault")
        return redirect(SERVER_ERROR.error(), ctx.address)


async def issue(deps: Dependencies, ctx: CheckedRequest, session: Session) -> Response:
    if ctx.response_type is ResponseType.CODE:
        return await answer_with(deps, ctx, session, new_code(deps, session))
    tokens = await issue_tokens(deps, ctx, session)
    if tokens is None:
        raise _session_ended()
    deps.traces.issued(ctx.client, DiagnosedEndpoint.AUTHORIZATION)
    return ctx.verified_address.respond(tokens)


async def answer_with(deps: Dependencies, ctx: CheckedRequest, session: Session, code: str) -> Response:
    match await issue_code(deps, ctx, session, code):
        case IssueResult.SESSION_ENDED:
            raise _session_ended()
        case IssueResult.WITHDRAWN:
            raise request_not_found(ctx)
        case IssueResult.ISSUED:
            deps.traces.issued(ctx.client, DiagnosedEndpoint.AUTHORIZATION)
            return ctx.verified_address.respond({"code": code})


async def answer_with_tokens(deps: Dependencies, ctx: CheckedRequest, session: Session) -> Response:
    """The request is consumed already: a reload would not find it, so errors are redirected."""
    try:
        return await issue(deps, ctx, session)
    except ServiceError as error:
        if error.kind is not Kind.UNAVAILABLE:
            raise
        record_error(deps, ctx, error)
        return redirect(error, ctx.verified_address)


def request_not_found(ctx: SentRequest) -> ServiceError:
    """The error when a concurrent call answered the request, so that the application gets one response."""
    ctx.address = None
    return REQUEST_NOT_FOUND.error(part="request")


def _session_ended() -> ServiceError:
    return LOGIN_REQUIRED.error(cause="the session ended meanwhile")


def redirect_to_login(request_id: str) -> Response:
    return see_other(f"{LOGIN}?request={request_id}")


def redirect_to_sign_in(deps: Dependencies, ctx: CheckedRequest, request: AuthRequest) -> Response:
    """Own login pages get what no page of Portico has answered yet; they know no devices and no providers."""
    if not deps.own_login_url or ctx.device or ctx.scope.provider or not request.is_at_start:
        return redirect_to_login(request.id)
    return see_other(f"{deps.own_login_url}/login?authRequest={request.id}")


async def _authorize(deps: Dependencies, sent: SentRequest, leave_at_once: LeaveAtOnce) -> Response:
    ctx = await run_checks(sent, Endpoint.AUTHORIZE)
    browser = await find_browser(deps, ctx.user_agent.handle)
    found = await find_signed_in(deps, browser, ctx.user_agent.place)
    sessions = found.sessions
    hinted = await resolve_hint(deps, ctx, sessions)
    now = deps.clock.now()
    decision = decide(
        requirements_of(ctx, now, found, session_idle=deps.lifetimes.session_idle, hinted_user=hinted), sessions, now
    )
    decision = await with_consent(deps, ctx, decision, UNTOUCHED)
    if not isinstance(decision, Issue):
        require_unanswered(ctx)
    match decision:
        case AskConsent(session):
            await require_project_access(deps, ctx, session)
            return await _store(deps, await _begin(deps, ctx, browser, sessions))
        case Issue(session):
            await require_project_access(deps, ctx, session)
            return await (_answer_pushed(deps, ctx, ctx.pushed, session) if ctx.pushed else issue(deps, ctx, session))
        case Refuse(error):
            raise error.error()
        case StepUp():
            return await _store(deps, await _begin(deps, ctx, browser, sessions))
        case Interact() as interact:
            begun = await _begin(deps, ctx, browser, sessions)
            names = ctx.scope.provider or ctx.login_hint
            left = await leave_at_once(deps, begun, interact) if names else None
            if left is None:
                return await _store(deps, begun, to_sign_in=True)
            leaving, progress = left
            return await _store(deps, begun._replace(request=replace(begun.request, progress=progress)), leaving)


async def _answer_pushed(deps: Dependencies, ctx: CheckedRequest, pushed: Pushed, session: Session) -> Response:
    """A page that is loaded again gets another code, which invalidates the first; tokens cannot be withdrawn."""
    code = new_code(deps, session)
    if ctx.response_type is ResponseType.CODE:
        await claim_for_code(deps, ctx, pushed, code)
        return await answer_with(deps, ctx, session, code)
    await claim_pushed(deps, ctx, code)
    return await answer_with_tokens(deps, ctx, session)


async def begin_for_device(deps: Dependencies, ctx: CheckedRequest, browser: Browser | None) -> Begun:
    begun = await _begin(deps, ctx, browser, ())
    await _save(deps, begun)
    return begun


async def begin_again(deps: Dependencies, ctx: CheckedRequest, browser: Browser | None) -> Response:
    return await _store(deps, await _begin(deps, ctx, browser, (), is_restart=True), to_sign_in=True)


async def _store(
    deps: Dependencies, begun: Begun, leaving: Leaving | None = None, *, to_sign_in: bool = False
) -> Response:
    """Stores everything, and redirects to the login pages or the provider."""
    await _save(deps, begun, leaving)
    if leaving:
        response = see_other(leaving.address)
    elif to_sign_in:
        response = redirect_to_sign_in(deps, begun.ctx, begun.request)
    else:
        response = redirect_to_login(begun.request.id)
    if begun.cookie:
        response.headers.append("Set-Cookie", begun.cookie)
    return response


async def _save(deps: Dependencies, begun: Begun, leaving: Leaving | None = None) -> None:
    """Stores everything together, in one round trip."""
    seconds, browsers = deps.lifetimes.auth_request, deps.stores.browsers
    stored = [
        # First, because it sends two commands, a turn of the loop later than the others.
        deps.stores.requests.create(begun.request, seconds, begun.handle if begun.browser.is_anonymous else ""),
        browsers.create(begun.handle, begun.browser, seconds)
        if begun.cookie
        else browsers.extend(begun.handle, seconds),
    ]
    if leaving:
        stored.append(deps.stores.external_flows.create(leaving.state, leaving.flow, FLOW_SECONDS))
    await asyncio.gather(*stored)


async def _begin(
    deps: Dependencies,
    ctx: CheckedRequest,
    browser: Browser | None,
    sessions: Sequence[Session],
    *,
    is_restart: bool = False,
) -> Begun:
    cookie, handle = "", ctx.user_agent.handle
    if browser is None:
        browser = new_browser(deps.random)
        handle = browser.new_handle(deps.random)
        cookie = deps.cookie.set(handle)
    confirmed = _session_to_confirm(deps, ctx, sessions)
    request = AuthRequest(
        id=new_opaque(browser.bucket, deps.random),
        browser_id=browser.id,
        parameters=stored_parameters(ctx.parameters, STORED_PARAMETERS),
        began=deps.clock.now(),
        hint_subject=ctx.subject,
        prefill=ctx.login_hint or await _login_name_of(deps, ctx.subject) or _only_login_name(ctx, sessions),
        progress=_confirming(confirmed) if confirmed else _first(ctx),
        confirms=confirmed is not None,
        pushed=ctx.pushed.id if ctx.pushed else "",
        csrf=new_opaque(browser.bucket, deps.random),
        device=ctx.user_agent.device,
        country=ctx.user_agent.country,
        is_restart=is_restart,
        waiting=ctx.device,
        client_address=ctx.user_agent.client_address,
    )
    return Begun(ctx, request, browser, handle, cookie)


def _session_to_confirm(deps: Dependencies, ctx: CheckedRequest, sessions: Sequence[Session]) -> Session | None:
    """Returns the session of the only accepted user, if it is too old for the request and began without a provider.

    The browser shows such a user already, so the sign-in begins with the proof instead of the name.
    """
    if not ctx.subject or ctx.prompts & {Prompt.SELECT_ACCOUNT, Prompt.CREATE}:
        return None
    now = deps.clock.now()
    since, counting = (
        demanded_since(ctx.prompts, ctx.max_age, now),
        counting_for(ctx.client, now, deps.lifetimes.session_idle),
    )
    fitting = (
        session
        for session in sessions
        if session.user_id == ctx.subject and ctx.scope.org_id in ("", session.org_id) and session.is_live(now)
    )
    old = (one for one in fitting if not one.is_later_than(since) or not counting.includes(one))
    return next((one for one in old if not one.external_factor), None)


def _first(ctx: CheckedRequest) -> Progress:
    return Progress(under_way=Registering()) if Prompt.CREATE in ctx.prompts else UNTOUCHED


def _confirming(session: Session) -> Progress:
    """Starts with what the user proved before: the passkey, or the password."""
    passkey = UsingPasskey() if has_key(session.amr) and PASSWORD not in session.amr else None
    return Progress(chosen=session.sid, login_name=session.login_name, shown=session.shown_name, under_way=passkey)


async def _login_name_of(deps: Dependencies, user_id: str) -> str:
    user = await deps.users_client.find_user(user_id) if user_id else None
    return short_name(user.login_name) if user else ""


def _only_login_name(ctx: CheckedRequest, sessions: Sequence[Session]) -> str:
    names = [session.shown_name for session in sessions if ctx.scope.org_id in ("", session.org_id)]
    return names[0] if len(names) == 1 else ""


async def _store_posted(deps: Dependencies, sent: SentRequest) -> Response:
    ctx = await run_checks(sent, Endpoint.AUTHORIZE)
    if ctx.pushed:
        stored = {"client_id": ctx.client.client_id, "request_uri": REQUEST_URI + ctx.pushed.id}
    else:
        stored = stored_parameters(ctx.parameters, KNOWN_PARAMETERS)
    return await store_posted(deps, AUTHORIZE, stored, ctx.user_agent.client_address)
