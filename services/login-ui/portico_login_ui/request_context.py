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

# It becomes a path segment at authz, so it must not contain characters with a meaning in paths.
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9_-]{16,128}\Z")


@dataclass(frozen=True, slots=True)
class RequestContext:
    """`request_id` is the authorization request's or pending logout's; `browser` is the handle from the cookie."""

    request_id: str
    browser: str = field(repr=False)
    languages: tuple[str, ...] = ()


def load_request_context(parameters: Parameters, request: Request, cookie: BrowserCookie) -> RequestContext:
    """Raises LOGIN-101 without a well-formed id, LOGIN-102 without the cookie."""
    ctx = find_request_context(parameters, request, cookie)
    if not ctx.browser:
        raise NO_COOKIE.error()
    return ctx


def find_request_context(parameters: Parameters, request: Request, cookie: BrowserCookie) -> RequestContext:
    """Like `load_request_context`, with an empty ``browser`` without the cookie. Raises LOGIN-101 without a well-formed id."""
    if "request" in parameters.repeated:
        raise REPEATED.error()
    request_id = parameters.get("request", "")
    if not _REQUEST_ID.match(request_id):
        raise INCOMPLETE_LINK.error()
    return RequestContext(request_id, cookie.read(request.headers.get("cookie")), read_languages(request))


def find_request_id(request: Request) -> str | None:
    found = request.query_params.getlist("request")
    return found[0] if len(found) == 1 and _REQUEST_ID.match(found[0]) else None


def address_of(path: str, request_id: str) -> str:
    """Returns the URL of a sign-in or logout; ``path`` is `LOGIN` or `LOGOUT`."""
    return f"{path}?request={request_id}"
