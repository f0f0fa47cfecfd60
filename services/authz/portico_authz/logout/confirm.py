"""The logout API: what the confirmation page shows, and the confirmation, which is taken once (LG-14)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from portico_contracts.http import LOGGED_OUT
from portico_contracts.login import ConfirmLogout, Logout, RequestLogout
from portico_contracts.users import Client
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.opaque import new_opaque

from portico_authz.desk import Desk
from portico_authz.domain.browser import Browser
from portico_authz.domain.logout_request import LogoutRequest
from portico_authz.domain.session import Session
from portico_authz.logout.end_session import leave_browser
from portico_authz.logout.open_logout import LOGOUT_GONE, open_logout
from portico_authz.logout.read_wish import Wish, refuse_unregistered
from portico_authz.session.accounts import account_of
from portico_authz.session.end_sessions import end_sessions
from portico_authz.session.find_sessions import list_endable

FORM_USED = ErrorCode(
    "LOGIN-005",
    Kind.PERMISSION_DENIED,
    "This form was already sent or does not belong to this sign-out. Open the page again.",
    "Ask for the sign-out again and send the csrf value it has.",
)


async def ask_logout(desk: Desk, id: str, ask: RequestLogout) -> Logout:
    """What to show; or where to go on, when nobody is signed in any more. Asking again changes nothing.

    Raises:
        ServiceError: AUTHZ-053..056.
    """
    request, browser = await open_logout(desk, id, ask.browser)
    wish = await _wish_of(desk, request)
    sessions = await list_endable(desk, browser)
    if not sessions:
        return _done(wish)
    csrf = await desk.stores.logouts.arm(id, new_opaque(browser.bucket, desk.random))
    if csrf is None:
        raise LOGOUT_GONE.error(part="request")
    return Logout(
        csrf=csrf,
        client_name=wish.client.name if wish.client else "",
        accounts=tuple([await account_of(desk, browser, session) for session in sessions]),
        return_uri=wish.uri,
        ui_locales=wish.ui_locales,
    )


async def confirm_logout(desk: Desk, id: str, confirm: ConfirmLogout) -> Logout:
    """Ends all sessions of the browser.

    Raises:
        ServiceError: LOGIN-005 for a CSRF value that is not the one in force, AUTHZ-053..056, UNAVAILABLE.
    """
    request, browser = await open_logout(desk, id, confirm.browser)
    wish = await _wish_of(desk, request)
    spent = new_opaque(browser.bucket, desk.random)
    if not confirm.csrf or not await desk.stores.logouts.swap(id, confirm.csrf, spent):
        raise FORM_USED.error()
    try:
        sessions = await list_endable(desk, browser)
        await end_sessions(desk, sessions)
        cookie = await _leave(desk, browser, confirm.browser, sessions)
    except ServiceError as error:
        if error.kind is Kind.UNAVAILABLE:
            # It is not done yet, so the form that asked for it may be sent again.
            with suppress(ServiceError):
                await desk.stores.logouts.swap(id, spent, confirm.csrf)
        raise
    await desk.stores.logouts.consume(id)
    return _done(wish, cookie)


async def _leave(desk: Desk, browser: Browser, handle: str, ended: Sequence[Session]) -> str:
    return await leave_browser(desk, browser, handle, ended, ended)


async def _wish_of(desk: Desk, request: LogoutRequest) -> Wish:
    """What was asked, with the address proven again: it may have been taken away meanwhile (P3)."""
    client: Client | None = await desk.directory.find_client(request.client_id) if request.client_id else None
    if request.post_logout_redirect_uri:
        refuse_unregistered(client, request.post_logout_redirect_uri)
    return Wish(
        client=client,
        uri=request.post_logout_redirect_uri,
        state=request.state,
        ui_locales=request.ui_locales,
    )


def _done(wish: Wish, cookie: str = "") -> Logout:
    return Logout(
        done=True,
        continue_to=wish.onward or LOGGED_OUT,
        return_uri=wish.uri,
        set_cookie=cookie,
        ui_locales=wish.ui_locales,
    )
