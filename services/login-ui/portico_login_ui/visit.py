"""Which sign-in or sign-out a browser means, which browser it is, and which languages it prefers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.parameters import REPEATED, Parameters
from portico_web.cookies import BrowserCookie
from portico_web.languages import read_languages
from starlette.requests import Request

INCOMPLETE_LINK = ErrorCode(
    "LOGIN-101",
    Kind.INVALID_REQUEST,
    "This address is incomplete.",
    "Start again from the application that you want to sign in to or out of.",
)
NO_COOKIE = ErrorCode(
    "LOGIN-102",
    Kind.FAILED_PRECONDITION,
    "This browser sent no cookie. Allow cookies for this site, then start again from the application.",
    "Allow first-party cookies for the issuer.",
)

# It becomes a segment of a path at authz: nothing that a path gives a meaning to may pass.
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9_-]{16,128}\Z")


@dataclass(frozen=True, slots=True)
class Visit:
    """One browser at one sign-in or sign-out.

    Args:
        request_id: opaque id of the authorization request, or of the logout that waits for its confirmation.
        browser: the handle from the browser's cookie.
        languages: tags of the languages it prefers, best first.
    """

    request_id: str
    browser: str = field(repr=False)
    languages: tuple[str, ...] = ()


def load_visit(parameters: Parameters, request: Request, cookie: BrowserCookie) -> Visit:
    """The visit a request belongs to.

    Raises:
        ServiceError: LOGIN-101 without a well-formed id, LOGIN-102 without the cookie.
    """
    visit = find_visit(parameters, request, cookie)
    if not visit.browser:
        raise NO_COOKIE.error()
    return visit


def find_visit(parameters: Parameters, request: Request, cookie: BrowserCookie) -> Visit:
    """The visit a request belongs to, with an empty ``browser`` without the cookie.

    Raises:
        ServiceError: LOGIN-101 without a well-formed id.
    """
    if "request" in parameters.repeated:
        raise REPEATED.error()
    request_id = parameters.get("request", "")
    if not _REQUEST_ID.match(request_id):
        raise INCOMPLETE_LINK.error()
    return Visit(request_id, cookie.read(request.headers.get("cookie")), read_languages(request))


def find_request_id(request: Request) -> str | None:
    """The request id in the address, when there is exactly one and it is well-formed."""
    found = request.query_params.getlist("request")
    return found[0] if len(found) == 1 and _REQUEST_ID.match(found[0]) else None


def address_of(path: str, request_id: str) -> str:
    """Where the page of a sign-in or sign-out is: ``path`` is `LOGIN` or `LOGOUT`."""
    return f"{path}?request={request_id}"
