"""The logout confirmation, which is accepted once (LG-14)."""

from __future__ import annotations

from contextlib import suppress

from portico_contracts.login import PageBranding
from portico_contracts.login_logout import ConfirmLogout, Logout, RequestLogout
from portico_contracts.users import Client
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.opaque import new_opaque

from portico_authz.dependencies import Dependencies
from portico_authz.domain.pending_logout import PendingLogout
from portico_authz.logout.end_session import leave_browser
from portico_authz.logout.logout_request import LOGOUT_NOT_FOUND, LogoutRequest, open_logout, require_registered
from portico_authz.page_branding import branding_of_client
from portico_authz.session.accounts import account_of
from portico_authz.session.end_sessions import end_sessions
from portico_authz.session.find_sessions import list_endable

FORM_USED = ErrorCode(
    "LOGIN-005",
    Kind.PERMISSION_DENIED,
    "This form was already sent or does not belong to this sign-out. Open the page again.",
    "Get the sign-out again, and send the csrf value from it.",
)


async def get_logout(deps: Dependencies, id: str, query: RequestLogout) -> Logout:
    """Returns the page, or the redirect when no user is signed in. Read-only. Raises AUTHZ-053..056."""
    request, browser = await open_logout(deps, id, query.browser)
    logout = await _restore(deps, request)
    sessions = await list_endable(deps, browser)
    if not sessions:
        return _done(logout)
    csrf = await deps.stores.logouts.ensure_csrf(id, new_opaque(browser.bucket, deps.random))
    if csrf is None:
        raise LOGOUT_NOT_FOUND.error(part="request")
    return Logout(
        csrf=csrf,
        client_name=logout.client.name if logout.client else "",
        accounts=tuple([await account_of(deps, browser, session) for session in sessions]),
        return_uri=logout.uri,
        stays=logout.stays,
        ui_locales=logout.ui_locales,
        look=await branding_of_client(deps, logout.client),
    )


async def confirm_logout(deps: Dependencies, id: str, confirm: ConfirmLogout) -> Logout:
    request, browser = await open_logout(deps, id, confirm.browser)
    logout = await _restore(deps, request)
    look = await branding_of_client(deps, logout.client)
    spent = new_opaque(browser.bucket, deps.random)
    if not confirm.csrf or not await deps.stores.logouts.replace_csrf(id, confirm.csrf, spent):
        raise FORM_USED.error()
    try:
        sessions = await list_endable(deps, browser)
        await end_sessions(deps, sessions)
        cookie = await leave_browser(deps, browser, confirm.browser, sessions, sessions)
    except ServiceError as error:
        if error.kind is Kind.UNAVAILABLE:
            # The logout is incomplete, so its form may be submitted again.
            with suppress(ServiceError):
                await deps.stores.logouts.replace_csrf(id, spent, confirm.csrf)
        raise
    await deps.stores.logouts.consume(id)
    return _done(logout, cookie, look)


async def _restore(deps: Dependencies, request: PendingLogout) -> LogoutRequest:
    """Restores the logout request and verifies its URI again: it may have been deregistered meanwhile (P3)."""
    client: Client | None = await deps.users_client.find_client(request.client_id) if request.client_id else None
    if request.post_logout_redirect_uri:
        require_registered(client, request.post_logout_redirect_uri)
    return LogoutRequest(
        client=client,
        uri=request.post_logout_redirect_uri,
        state=request.state,
        ui_locales=request.ui_locales,
        stays=request.stays,
    )


def _done(logout: LogoutRequest, cookie: str = "", look: PageBranding | None = None) -> Logout:
    return Logout(
        done=True,
        continue_to=logout.continue_to,
        return_uri=logout.uri,
        set_cookie=cookie,
        ui_locales=logout.ui_locales,
        look=look or PageBranding(),
    )
