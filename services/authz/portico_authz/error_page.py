from __future__ import annotations

from typing import Final

from portico_oauth.errors import TABLE, Kind, ServiceError
from portico_web.surfaces import html_page
from starlette.requests import Request
from starlette.responses import Response

from portico_authz.authorize.checks.check_client import CLIENT_UNKNOWN
from portico_authz.authorize.checks.check_hints import read_locales
from portico_authz.authorize.checks.check_redirect_uri import URI_NOT_REGISTERED
from portico_authz.authorize.open_request import NO_COOKIE, OTHER_BROWSER, REQUEST_NOT_FOUND
from portico_authz.authorize.pipeline import POST_NOT_FOUND
from portico_authz.logout import logout_request

_USED: Final = TABLE[Kind.INVALID_GRANT].page

SENTENCES: Final = {
    CLIENT_UNKNOWN.id: TABLE[Kind.INVALID_CLIENT].page,
    URI_NOT_REGISTERED.id: "The application wants to send you to an address it has not registered.",
    REQUEST_NOT_FOUND.id: _USED,
    POST_NOT_FOUND.id: _USED,
    logout_request.LOGOUT_NOT_FOUND.id: "This sign-out is finished or has expired.",
    logout_request.OTHER_BROWSER.id: "This sign-out was started in another browser.",
    logout_request.CLIENT_UNKNOWN.id: TABLE[Kind.INVALID_CLIENT].page,
    logout_request.URI_NOT_REGISTERED.id: "The application wants to send you to an address it has not registered.",
    NO_COOKIE.id: "This browser sent no cookie. Allow cookies for this site, then start again from the application.",
    OTHER_BROWSER.id: "This sign-in was started in another browser.",
}


def error_page(error: ServiceError, request: Request) -> Response:
    again = error.kind is Kind.UNAVAILABLE and request.method == "GET"
    retry = f"{request.scope['path']}?{request.scope['query_string'].decode('latin-1')}" if again else ""
    return html_page(
        error,
        request,
        retry=retry,
        sentence=SENTENCES.get(error.id, ""),
        package="portico_authz",
        languages=read_locales(request.query_params.get("ui_locales", "")),
    )
