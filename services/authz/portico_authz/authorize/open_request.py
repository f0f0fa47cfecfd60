"""Opens a kept authorization request for the browser it began in, and decides on it again (P3, LG-11)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import NamedTuple

from portico_oauth.clock_leeway import is_issued_ahead
from portico_oauth.errors import ErrorCode, Kind

from portico_authz.authorize import Endpoint, run_checks
from portico_authz.authorize.decide import Decision, StepUp, decide, demand_of
from portico_authz.authorize.resolve_hint import resolve_hint
from portico_authz.authorize.standing import standing_of, stepping_up
from portico_authz.context import Context, recalled
from portico_authz.desk import Desk
from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.browser import Browser
from portico_authz.session.find_sessions import find_signed_in

REQUEST_GONE = ErrorCode(
    "AUTHZ-030",
    Kind.NOT_FOUND,
    "This sign-in is finished or has expired. Go back to the application and start again.",
    "Start a new authorization request.",
)
OTHER_BROWSER = ErrorCode(
    "AUTHZ-031",
    Kind.PERMISSION_DENIED,
    "This sign-in was started in another browser. Go back to the application and start again.",
    "Open the page in the browser where the sign-in began.",
)


class Decided(NamedTuple):
    """A decision, and the request with the progress it was made on."""

    decision: Decision
    request: AuthRequest


async def open_request(desk: Desk, id: str, handle: str) -> tuple[AuthRequest, Browser]:
    """The request and its browser.

    Raises:
        ServiceError: AUTHZ-030 for a request or a browser that is not known, AUTHZ-031 for another browser's.
    """
    request, browser = await load_with_browser(desk, id, handle)
    if browser is None:
        raise REQUEST_GONE.error(part="browser")
    return request, browser


async def load_with_browser(desk: Desk, id: str, handle: str) -> tuple[AuthRequest, Browser | None]:
    """The request, and the browser with this handle; both are asked for in one round trip.

    Raises:
        ServiceError: AUTHZ-030 without the request, AUTHZ-031 for another browser than the one it began in.
    """
    request, browser = await asyncio.gather(desk.stores.requests.find(id), desk.stores.browsers.find(handle))
    kept = _there(desk, request)
    return kept, _own(browser, kept)


async def load_request(desk: Desk, id: str) -> AuthRequest:
    """The request.

    Raises:
        ServiceError: AUTHZ-030.
    """
    return _there(desk, await desk.stores.requests.find(id))


async def find_own_browser(desk: Desk, request: AuthRequest, handle: str) -> Browser | None:
    """The browser with this handle, in which the request began.

    Raises:
        ServiceError: AUTHZ-031 for another browser.
    """
    return _own(await desk.stores.browsers.find(handle), request)


def context_of(desk: Desk, request: AuthRequest, languages: tuple[str, ...] = ()) -> Context:
    """A context to check a kept request again."""
    ctx = Context(desk.issuer, desk.directory, recalled(request.parameters), languages)
    ctx.subject = request.hint_subject
    return ctx


async def decide_again(desk: Desk, ctx: Context, request: AuthRequest, browser: Browser) -> Decided:
    """Checks a kept request again and decides on it with the sessions and the people of this moment."""
    await run_checks(ctx, Endpoint.RESUME)
    sessions, factors = await find_signed_in(desk, browser)
    await resolve_hint(desk, ctx, sessions)

    async def decided(request: AuthRequest) -> Decided:
        standing = await standing_of(desk, ctx, request.progress)
        demand = demand_of(ctx, request.began, factors, request, standing)
        return Decided(decide(demand, sessions, desk.clock.now()), request)

    found = await decided(request)
    if isinstance(found.decision, StepUp):
        # The session stands for what was proven so far; what is missing is asked for as after a password.
        return await decided(replace(request, progress=stepping_up(found.decision.session)))
    return found


def _there(desk: Desk, request: AuthRequest | None) -> AuthRequest:
    if request is None or is_issued_ahead(request.began, desk.clock.now()):
        raise REQUEST_GONE.error(part="request")
    return request


def _own(browser: Browser | None, request: AuthRequest) -> Browser | None:
    if browser is not None and browser.id != request.browser_id:
        raise OTHER_BROWSER.error()
    return browser
