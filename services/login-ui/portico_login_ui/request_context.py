from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.parameters import REPEATED, Parameters
from portico_web.cookies import BrowserCookie
from portico_web.language_choice import language_chosen_in
from portico_web.languages import Language, pick_language, read_languages
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
    """`request_id` is the authorization request's or pending logout's; `browser` is the handle from the cookie;
    `chosen` is the language if it was chosen in this very request.
    """

    request_id: str
    browser: str = field(repr=False)
    languages: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()

    def language(self, ui_locales: tuple[str, ...]) -> Language:
        """The language chosen on these pages, or of the application, or of the browser."""
        return pick_language(self.chosen, ui_locales, self.languages)


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
    handle, chosen = cookie.read(request.headers.get("cookie")), language_chosen_in(request, request_id)
    return RequestContext(request_id, handle, read_languages(request), chosen)


def find_request_id(request: Request) -> str | None:
    found = request.query_params.getlist("request")
    return found[0] if len(found) == 1 and _REQUEST_ID.match(found[0]) else None


def request_id_in(parameters: Parameters) -> str:
    found = parameters.get("request", "")
    return found if _REQUEST_ID.match(found) else ""


def address_of(path: str, request_id: str) -> str:
    """Returns the URL of a sign-in or logout; ``path`` is `LOGIN` or `LOGOUT`."""
    return f"{path}?request={request_id}"
