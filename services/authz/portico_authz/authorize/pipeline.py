"""The authorization endpoint: checks, sessions, decision, answer (OIDC Core §3.1.2)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Final

import structlog
from portico_contracts.http import AUTHORIZE, LOGIN
from portico_oauth.errors import SERVER_ERROR, ErrorCode, Kind, ServiceError
from portico_oauth.opaque import new_opaque
from portico_oauth.parameters import Parameters
from portico_oauth.response_types import ResponseType
from portico_web.headers import NO_STORE
from portico_web.surfaces import redirect
from starlette.responses import Response

from portico_authz.authorize import Endpoint, run_checks
from portico_authz.authorize.admission import require_admission
from portico_authz.authorize.decide import LOGIN_REQUIRED, Interact, Issue, Refuse, StepUp, decide, demand_of
from portico_authz.authorize.open_request import REQUEST_GONE
from portico_authz.authorize.resolve_hint import resolve_hint
from portico_authz.codes.issue_code import issue_code, new_code
from portico_authz.codes.issue_tokens import issue_tokens
from portico_authz.context import Context, known, recalled
from portico_authz.desk import Desk
from portico_authz.domain.auth_request import AuthRequest, Progress
from portico_authz.domain.browser import Browser, new_browser
from portico_authz.domain.code import Issued
from portico_authz.domain.prompt import Prompt
from portico_authz.domain.session import Session, short_name
from portico_authz.session.find_sessions import find_signed_in

log = structlog.get_logger("portico.authorize")

POSTED: Final = "portico_posted"
"""The one parameter of the GET that follows a POST: where its parameters are kept."""

PARKED_SECONDS: Final = 300

POST_GONE = ErrorCode(
    "AUTHZ-032",
    Kind.INVALID_REQUEST,
    "This sign-in has expired. Go back to the application and start again.",
    "Start a new authorization request.",
)


async def authorize(desk: Desk, parameters: Parameters, handle: str, languages: tuple[str, ...] = ()) -> Response:
    """Answers an authorization request.

    Args:
        handle: from the browser's cookie; empty without one.
        languages: tags the browser prefers, best first.

    Raises:
        ServiceError: what has no proven address to go to, and 503; both become a page.
    """
    ctx = Context(desk.issuer, desk.directory, await _unpark(desk, parameters), languages)
    return await answered(ctx, _authorize(desk, ctx, handle))


async def park_post(desk: Desk, parameters: Parameters, languages: tuple[str, ...] = ()) -> Response:
    """Keeps a posted request that passes the checks and sends the browser on with a GET.

    A post from another site carries no SameSite=Lax cookie; the GET that follows does.
    """
    ctx = Context(desk.issuer, desk.directory, parameters, languages)
    return await answered(ctx, _park(desk, ctx))


async def answered(ctx: Context, work: Awaitable[Response]) -> Response:
    """The work's answer, or its error at the proven address; without one the error is raised on.

    An unavailable part stays a 503 page: the browser can load it again, the application could not.
    """
    try:
        return await work
    except ServiceError as error:
        if ctx.address is None or error.kind is Kind.UNAVAILABLE:
            raise
        log.info("refused", error_code=error.id, kind=error.kind.value, private=error.private)
        return redirect(error, ctx.address)
    except Exception:  # the border: nothing of an unknown error leaves
        if ctx.address is None:
            raise
        log.exception("fault")
        return redirect(SERVER_ERROR.error(), ctx.address)


async def issue(desk: Desk, ctx: Context, session: Session) -> Response:
    """The successful answer for a session: a code, or the tokens that were asked for."""
    if ctx.response_type is ResponseType.CODE:
        return await answer_with(desk, ctx, session, new_code(desk, session))
    tokens = await issue_tokens(desk, ctx, session)
    if tokens is None:
        raise _session_ended()
    return ctx.proven.respond(tokens)


async def answer_with(desk: Desk, ctx: Context, session: Session, code: str) -> Response:
    """The answer with this code, which is issued by that."""
    match await issue_code(desk, ctx, session, code):
        case Issued.SESSION_ENDED:
            raise _session_ended()
        case Issued.WITHDRAWN:
            raise gone(ctx)
        case Issued.ISSUED:
            return ctx.proven.respond({"code": code})


def gone(ctx: Context) -> ServiceError:
    """Somebody else answered the request, so this answer must not go to the application as well."""
    ctx.address = None
    return REQUEST_GONE.error(part="request")


def _session_ended() -> ServiceError:
    return LOGIN_REQUIRED.error(cause="the session ended meanwhile")


def to_login(request_id: str) -> Response:
    """Sends the browser to the login pages."""
    return _see_other(f"{LOGIN}?request={request_id}")


async def _authorize(desk: Desk, ctx: Context, handle: str) -> Response:
    await run_checks(ctx, Endpoint.AUTHORIZE)
    browser = await desk.stores.browsers.find(handle)
    sessions, factors = await find_signed_in(desk, browser)
    await resolve_hint(desk, ctx, sessions)
    now = desk.clock.now()
    match decide(demand_of(ctx, now, factors), sessions, now):
        case Issue(session):
            await require_admission(desk, ctx, session)
            return await issue(desk, ctx, session)
        case Refuse(error):
            raise error.error()
        case Interact() | StepUp():
            return await _begin_login(desk, ctx, browser, handle, sessions)


async def _begin_login(
    desk: Desk, ctx: Context, browser: Browser | None, handle: str, sessions: Sequence[Session]
) -> Response:
    """Keeps the request for this browser, which gets a handle if it has none that is known."""
    seconds = desk.lifetimes.auth_request
    cookie = ""
    if browser is None:
        browser = new_browser(desk.random)
        handle = browser.new_handle(desk.random)
        kept = desk.stores.browsers.create(handle, browser, seconds)
        cookie = desk.cookie.set(handle)
    else:
        kept = desk.stores.browsers.extend(handle, seconds)
    request = AuthRequest(
        id=new_opaque(browser.bucket, desk.random),
        browser_id=browser.id,
        parameters=ctx.stored_parameters(),
        began=desk.clock.now(),
        hint_subject=ctx.subject,
        prefill=ctx.login_hint or await _login_name_of(desk, ctx.subject) or _only_login_name(ctx, sessions),
        progress=Progress(registering=Prompt.CREATE in ctx.prompts),
        csrf=new_opaque(browser.bucket, desk.random),
    )
    await asyncio.gather(kept, desk.stores.requests.create(request, seconds))  # together: one round trip
    response = to_login(request.id)
    if cookie:
        response.headers.append("Set-Cookie", cookie)
    return response


async def _login_name_of(desk: Desk, user_id: str) -> str:
    user = await desk.directory.find_user(user_id) if user_id else None
    return short_name(user.login_name) if user else ""


def _only_login_name(ctx: Context, sessions: Sequence[Session]) -> str:
    """Whoever signs in again need not type their name again."""
    names = [session.shown_name for session in sessions if ctx.org_id in ("", session.org_id)]
    return names[0] if len(names) == 1 else ""


async def _park(desk: Desk, ctx: Context) -> Response:
    await run_checks(ctx, Endpoint.AUTHORIZE)
    parked = new_opaque(desk.random(1).hex(), desk.random)
    await desk.stores.parked.park(parked, known(ctx.parameters), PARKED_SECONDS)
    return _see_other(f"{AUTHORIZE}?{POSTED}={parked}")


async def _unpark(desk: Desk, parameters: Parameters) -> Parameters:
    """The parameters of the post this GET follows; the parameters themselves where it follows none."""
    if tuple(parameters) != (POSTED,):
        return parameters
    kept = await desk.stores.parked.find(parameters[POSTED])
    if kept is None:
        raise POST_GONE.error()
    return recalled(kept)


def _see_other(path: str) -> Response:
    return Response(status_code=303, headers={**NO_STORE, "Location": path})
