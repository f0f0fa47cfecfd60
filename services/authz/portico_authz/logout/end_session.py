"""``/oidc/v1/end_session``: a valid hint for a session of this browser ends it, else a page confirms (IR-13).

A request without a cookie comes from a relying party's server, and its hint names the session. Sessions end
before the redirect: only then are their tokens known to be inactive (IR-08).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from portico_contracts.http import END_SESSION, LOGOUT
from portico_oauth.opaque import new_opaque
from portico_oauth.parameters import Parameters
from portico_web.headers import NO_STORE
from starlette.responses import Response

from portico_authz.authorize.posted import restore_posted, see_other, store_posted
from portico_authz.dependencies import Dependencies
from portico_authz.domain.browser import Browser
from portico_authz.domain.pending_logout import PendingLogout
from portico_authz.domain.session import Session
from portico_authz.logout.logout_request import LOGOUT_NOT_FOUND, LogoutRequest, parse_logout_request, stored_parameters
from portico_authz.session.end_sessions import end_sessions
from portico_authz.session.find_sessions import is_endable, list_endable
from portico_authz.session.trusted_devices import remember_handle


async def end_session(deps: Dependencies, parameters: Parameters, handle: str) -> Response:
    """302 to the application or the signed-out page, 303 to the confirmation; `handle` may be empty."""
    logout = await parse_logout_request(
        deps, await restore_posted(deps, parameters, LOGOUT_NOT_FOUND.error(part="post"))
    )
    if not handle:
        await _end_for_server(deps, logout)
        return _found(logout.continue_to, "")
    browser = await deps.stores.browsers.find(handle)
    sessions = await list_endable(deps, browser)
    hinted = [session for session in sessions if _is_hinted(logout, session)]
    if not hinted and sessions and deps.confirm_logout:
        return await _request_confirmation(deps, logout, sessions[0].browser_id, handle)
    ending = hinted or sessions
    await end_sessions(deps, ending)
    return _found(logout.continue_to, await leave_browser(deps, browser, handle, ending, sessions))


async def store_posted_logout(deps: Dependencies, parameters: Parameters, client_address: str) -> Response:
    """Redirects to a GET, which carries the SameSite=Lax cookie that a cross-site POST lacks."""
    await parse_logout_request(deps, parameters)
    return await store_posted(deps, END_SESSION, stored_parameters(parameters), client_address)


async def leave_browser(
    deps: Dependencies, browser: Browser | None, handle: str, ended: Sequence[Session], known: Sequence[Session]
) -> str:
    """Removes ended sessions from the browser; returns Set-Cookie, empty while the handle stays valid."""
    if browser is None:
        return deps.cookie.clear() if handle else ""
    ended_sids = {session.sid for session in ended}
    if any(session.sid not in ended_sids for session in known):
        await deps.stores.browsers.replace(handle, browser.without_sessions(ended_sids))
        return ""
    if not browser.session_ids:
        # No user is signed in, but a login may be in progress, which another site must not abort.
        return ""
    return await _forget_sessions(deps, browser, handle)


async def _forget_sessions(deps: Dependencies, browser: Browser, handle: str) -> str:
    """Of a browser that users trust only the sessions are forgotten, and its handle is replaced."""
    if not browser.trusted_until:
        await deps.stores.browsers.delete(handle)
        return deps.cookie.clear()
    left = replace(browser, session_ids=())
    following = left.new_handle(deps.random)
    await remember_handle(deps, handle, left)
    seconds = left.seconds_to_keep(deps.clock.now(), deps.lifetimes.auth_request)
    await deps.stores.browsers.create(following, left, seconds)
    await deps.stores.browsers.delete(handle)
    return deps.cookie.set(following)


async def _end_for_server(deps: Dependencies, logout: LogoutRequest) -> None:
    """Responds the same whether or not the client may end the session of its hint (P9, IR-13)."""
    client = logout.client
    if client is None or not client.hinted_logout or not logout.sid:
        return
    session = await deps.stores.sessions.find(logout.sid)
    if session is not None and _is_hinted(logout, session) and await is_endable(deps, session):
        await end_sessions(deps, [session], client_id=client.client_id)


def _is_hinted(logout: LogoutRequest, session: Session) -> bool:
    return bool(logout.sid) and session.sid == logout.sid and session.user_id == logout.user_id


async def _request_confirmation(deps: Dependencies, logout: LogoutRequest, browser_id: str, handle: str) -> Response:
    request = PendingLogout(
        id=new_opaque(browser_id[:2], deps.random),
        browser_id=browser_id,
        client_id=logout.client.client_id if logout.client else "",
        post_logout_redirect_uri=logout.uri,
        state=logout.state,
        ui_locales=logout.ui_locales,
        stays=logout.stays,
    )
    await deps.stores.browsers.extend(handle, deps.lifetimes.auth_request)
    await deps.stores.logouts.create(request, deps.lifetimes.auth_request)
    return see_other(f"{LOGOUT}?request={request.id}")


def _found(location: str, cookie: str) -> Response:
    response = Response(status_code=302, headers={**NO_STORE, "Location": location})
    if cookie:
        response.headers.append("Set-Cookie", cookie)
    return response
