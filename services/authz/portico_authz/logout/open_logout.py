"""Opens a logout that waits for its confirmation, for the browser it began in (P3)."""

from __future__ import annotations

from portico_oauth.errors import ErrorCode, Kind

from portico_authz.desk import Desk
from portico_authz.domain.browser import Browser
from portico_authz.domain.logout_request import LogoutRequest

LOGOUT_GONE = ErrorCode(
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


async def open_logout(desk: Desk, id: str, handle: str) -> tuple[LogoutRequest, Browser]:
    """The request and its browser.

    Raises:
        ServiceError: AUTHZ-055 for a request or a browser that is not known, AUTHZ-056 for another browser's.
    """
    request = await desk.stores.logouts.find(id)
    browser = await desk.stores.browsers.find(handle) if request else None
    if request is None or browser is None:
        raise LOGOUT_GONE.error(part="browser" if request else "request")
    if browser.id != request.browser_id:
        raise OTHER_BROWSER.error()
    return request, browser
