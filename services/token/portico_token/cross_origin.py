"""CORS (Fetch section 3.2): which responses pages of relying parties may read (IR-17).

A preflight names no client, so it passes for a registered origin of any active application. The response is
readable only for the origins of its client, once that is authenticated; an earlier error, such as the 401 of
an expired token, for every registered origin. The page may send credentials, and cookies are removed (decision 0118).
"""

from __future__ import annotations

from typing import Final

from portico_oauth.dpop import NONCE_HEADER
from portico_oauth.errors import METHOD_NOT_ALLOWED, ServiceError
from portico_web.cross_origin import ORIGIN, PREFLIGHT_VARY, allowed_headers, remove_cookies, with_credentials
from portico_web.headers import find_header
from portico_web.surfaces import Endpoint, Render
from starlette.requests import Request
from starlette.responses import Response

from portico_token.dpop.nonces import NONCE
from portico_token.users_client import UsersClient

PREFLIGHT_SECONDS: Final = 600

READERS: Final = "portico.readers"
"""Key of a request's scope: the origins that may read the response."""
_VARY: Final = (b"vary", b"Origin")
_EXPOSED_HEADERS: Final = f"WWW-Authenticate, {NONCE_HEADER}, Retry-After, X-Request-Id"


def cross_origin(endpoint: Endpoint, users_client: UsersClient) -> Endpoint:
    async def call(request: Request) -> Response:
        origin = find_header(request, b"origin")
        if origin is not None:
            remove_cookies(request)
        response = await endpoint(request)
        nonce = request.scope.get(NONCE)
        if nonce is not None:
            response.headers[NONCE_HEADER] = nonce
        response.raw_headers.append(_VARY)
        if origin is not None and await _may_read(origin, request, response, users_client):
            response.headers.update(with_credentials(origin))
            response.headers["Access-Control-Expose-Headers"] = _EXPOSED_HEADERS
        return response

    return call


async def _may_read(origin: str, request: Request, response: Response, users_client: UsersClient) -> bool:
    readers = request.scope.get(READERS)
    if readers is not None:
        return origin in readers
    # An error before the client is known contains nothing about one; the page learns that it needs a new token.
    return response.status_code >= 400 and await _is_registered(origin, users_client)


async def _is_registered(origin: str, users_client: UsersClient) -> bool:
    try:
        return ORIGIN.match(origin) is not None and await users_client.is_known_origin(origin)
    except ServiceError:  # users cannot be reached: the response is sent as it is
        return False


def preflight(users_client: UsersClient, methods: str, render: Render) -> Endpoint:
    """Handles OPTIONS, 405 without preflight headers; `methods` is for Access-Control-Allow-Methods."""

    async def call(request: Request) -> Response:
        origin = request.headers.get("origin")
        if origin is None or "access-control-request-method" not in request.headers:
            response = render(METHOD_NOT_ALLOWED.error(), request)
            response.headers["Allow"] = methods
            return response
        headers = {"Vary": PREFLIGHT_VARY}
        if ORIGIN.match(origin) and await users_client.is_known_origin(origin):
            headers |= {
                **with_credentials(origin),
                "Access-Control-Allow-Methods": methods,
                "Access-Control-Allow-Headers": allowed_headers(request, "Authorization", "DPoP"),
                "Access-Control-Max-Age": str(PREFLIGHT_SECONDS),
            }
        return Response(status_code=204, headers=headers)

    return call
