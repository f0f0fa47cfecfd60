"""``/oidc/v1/end_session``: who can show a hint of a session here is signed out of it, everybody else is asked (IR-13).

A request without any cookie is no browser of ours: a relying party's server asks, and its hint names the session.

What is asked for is done before the browser is sent on; only then are the tokens known to be inactive (IR-08).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from portico_contracts.http import END_SESSION, LOGGED_OUT, LOGOUT
from portico_oauth.opaque import new_opaque
from portico_oauth.parameters import Parameters
from portico_web.headers import NO_STORE
from starlette.responses import Response

from portico_authz.authorize.pipeline import PARKED_SECONDS, POSTED
from portico_authz.desk import Desk
from portico_authz.domain.browser import Browser
from portico_authz.domain.logout_request import LogoutRequest
from portico_authz.domain.session import Session
from portico_authz.logout.open_logout import LOGOUT_GONE
from portico_authz.logout.read_wish import KNOWN, Wish, read_wish
from portico_authz.session.end_sessions import end_sessions
from portico_authz.session.find_sessions import is_endable, list_endable


async def end_session(desk: Desk, parameters: Parameters, handle: str) -> Response:
    """Answers a logout request: 302 to where the application wants the browser, to our own page, or to be asked.

    Args:
        handle: from the browser's cookie; empty without one.

    Raises:
        ServiceError: AUTHZ-050..055 and 503; all become a page.
    """
    wish = await read_wish(desk, await _unpark(desk, parameters))
    if not handle:
        await _end_for_server(desk, wish)
        return _found(wish.onward or LOGGED_OUT, "")
    browser = await desk.stores.browsers.find(handle)
    sessions = await list_endable(desk, browser)
    hinted = [session for session in sessions if _is_hinted(wish, session)]
    if not hinted and sessions and desk.confirm_logout:
        return await _ask(desk, wish, sessions[0].browser_id, handle)
    ending = hinted or sessions
    await end_sessions(desk, ending)
    return _found(wish.onward or LOGGED_OUT, await leave_browser(desk, browser, handle, ending, sessions))


async def park_logout(desk: Desk, parameters: Parameters) -> Response:
    """Keeps a posted logout request that passes the checks and sends the browser on with a GET.

    A post from another site carries no SameSite=Lax cookie; the GET that follows does.
    """
    await read_wish(desk, parameters)
    parked = new_opaque(desk.random(1).hex(), desk.random)
    kept = {name: parameters[name] for name in KNOWN if name in parameters}
    await desk.stores.parked.park(parked, kept, PARKED_SECONDS)
    return _see_other(f"{END_SESSION}?{POSTED}={parked}")


async def leave_browser(
    desk: Desk, browser: Browser | None, handle: str, ended: Sequence[Session], known: Sequence[Session]
) -> str:
    """Takes ended sessions out of their browser, and the browser's handle away when none is left.

    Returns:
        The Set-Cookie value; empty while the handle is worth something.
    """
    if browser is None:
        return desk.cookie.clear() if handle else ""
    gone = {session.sid for session in ended}
    if any(session.sid not in gone for session in known):
        await desk.stores.browsers.replace(handle, browser.without_sessions(gone))
        return ""
    if not browser.session_ids:
        # Nobody is signed in, but a login may be under way in it: another site cannot break it off.
        return ""
    await desk.stores.browsers.drop(handle)
    return desk.cookie.clear()


async def _end_for_server(desk: Desk, wish: Wish) -> None:
    """Ends the session a hint was issued for, for a client that may do so. The answer is the same either way (P9).

    The GET that follows a cross-site post carries the cookie of a browser that has one, so none is here (IR-13).
    """
    client = wish.client
    if client is None or not client.hinted_logout or not wish.sid:
        return
    session = await desk.stores.sessions.find(wish.sid)
    if session is not None and _is_hinted(wish, session) and await is_endable(desk, session):
        await end_sessions(desk, [session], client_id=client.client_id)


def _is_hinted(wish: Wish, session: Session) -> bool:
    return bool(wish.sid) and session.sid == wish.sid and session.user_id == wish.user_id


async def _ask(desk: Desk, wish: Wish, browser_id: str, handle: str) -> Response:
    """Keeps the request for the page that asks."""
    request = LogoutRequest(
        id=new_opaque(browser_id[:2], desk.random),
        browser_id=browser_id,
        client_id=wish.client.client_id if wish.client else "",
        post_logout_redirect_uri=wish.uri,
        state=wish.state,
        ui_locales=wish.ui_locales,
    )
    await desk.stores.browsers.extend(handle, desk.lifetimes.auth_request)
    await desk.stores.logouts.create(request, desk.lifetimes.auth_request)
    return _see_other(f"{LOGOUT}?request={request.id}")


async def _unpark(desk: Desk, parameters: Parameters) -> Parameters:
    """The parameters of the post this GET follows; the parameters themselves where it follows none."""
    if tuple(parameters) != (POSTED,):
        return parameters
    kept = await desk.stores.parked.find(parameters[POSTED])
    if kept is None:
        raise LOGOUT_GONE.error(part="post")
    return Parameters(_pairs(kept, KNOWN))


def _pairs(kept: dict[str, str], names: Collection[str]) -> list[tuple[str, str]]:
    return [(name, value) for name, value in kept.items() if name in names]


def _found(location: str, cookie: str) -> Response:
    response = Response(status_code=302, headers={**NO_STORE, "Location": location})
    if cookie:
        response.headers.append("Set-Cookie", cookie)
    return response


def _see_other(path: str) -> Response:
    return Response(status_code=303, headers={**NO_STORE, "Location": path})
