"""Accepts forms only from our own pages (LG-14), by Origin and Sec-Fetch-Site where sent."""

from __future__ import annotations

from portico_oauth.errors import ErrorCode, Kind
from starlette.requests import Request

FOREIGN_FORM = ErrorCode(
    "WEB-003", Kind.PERMISSION_DENIED, "The form was sent from another site.", "Use the form on the page itself."
)


def refuse_foreign_form(request: Request, issuer: str) -> None:
    """Raises WEB-003 for a form of another origin; without the headers only the CSRF token protects.

    A browser or extension that hides the referrer sends ``Origin: null`` with our own forms too. Sec-Fetch-Site
    then decides: no page can set it, and it is cross-site for a document without an origin, such as a sandboxed frame.
    """
    origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    is_hidden = origin == "null" and site == "same-origin"
    if origin is not None and origin != issuer and not is_hidden:
        raise FOREIGN_FORM.error(origin=origin[:200])
    if site is not None and site != "same-origin":
        raise FOREIGN_FORM.error(site=site[:40])
