"""Opens a pending logout for the browser it began in (P3)."""

from __future__ import annotations

from portico_oauth.errors import ErrorCode, Kind

from portico_authz.dependencies import Dependencies
from portico_authz.domain.browser import Browser
from portico_authz.domain.pending_logout import PendingLogout

LOGOUT_NOT_FOUND = ErrorCode(
    "AUTHZ-055",
    Kind.NOT_FOUND,
    "This sign-out is finished or has expired. Sign out again if you are still signed in.",
    "Send the browser to the end_session_endpoint again.",
)
OTHER_BROWSER = ErrorCode(
    "AUTHZ-056",
    Kind.PERMISSION_DENIED,
    "This sign-out was started in another browser.",
    "Open the page in the browser where the sign-out began.",
)


async def open_logout(deps: Dependencies, id: str, handle: str) -> tuple[PendingLogout, Browser]:
    """The request and its browser.

    Raises:
        ServiceError: AUTHZ-055 for an unknown request or browser, AUTHZ-056 for another browser's.
    """
    request = await deps.stores.logouts.find(id)
    browser = await deps.stores.browsers.find(handle) if request else None
    if request is None or browser is None:
        raise LOGOUT_NOT_FOUND.error(part="browser" if request else "request")
    if browser.id != request.browser_id:
        raise OTHER_BROWSER.error()
    return request, browser
