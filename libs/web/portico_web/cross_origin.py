"""CORS (Fetch section 3.2) of the endpoints that never read a cookie (decision 0118).

A page of a registered origin may send credentials, because some client libraries always do (``credentials:
"include"``). Cookies are removed before the endpoint sees the request, so they can decide nothing.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from copy import copy
from typing import Final

from portico_oauth.errors import ServiceError
from starlette.requests import Request
from starlette.responses import Response

from portico_web.headers import TRACING_HEADERS, find_header
from portico_web.surfaces import Endpoint

IsRegistered = Callable[[str], Awaitable[bool]]
"""Whether an active application has the origin. Raises `ServiceError` where that cannot be known."""

ORIGIN: Final = re.compile(r"https?://[A-Za-z0-9.\-_\[\]:]{1,260}\Z")
"""Other origins are never registered."""

PREFLIGHT_VARY: Final = "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"
_USUAL_HEADERS: Final = f"Content-Type, X-Requested-With, {TRACING_HEADERS}"
_CREDENTIALS: Final = frozenset({"authorization", "cookie", "proxy-authorization"})
_HEADER_NAME: Final = re.compile(r"[a-z0-9!#$%&'*+.^_`|~-]{1,64}\Z")
_MAX_HEADERS: Final = 64
_DOCUMENT_SECONDS: Final = 86_400
_LONGEST_WAIT: Final = 0.5
"""Seconds to find out who may send credentials; a public document never waits longer."""

ANY_ORIGIN: Final = {"Access-Control-Allow-Origin": "*", "Vary": "Origin"}
"""Headers of public documents, discovery and the key set, for origins of no application."""


def with_credentials(origin: str) -> dict[str, str]:
    """Returns the headers for a registered origin. Never sent with ``*``, which browsers refuse with credentials."""
    return {"Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true"}


def allowed_headers(request: Request, *usual: str) -> str:
    """Returns the usual headers and those that a preflight requests, unless they are credentials."""
    requested = request.headers.get("access-control-request-headers", "").lower().split(",")
    names = dict.fromkeys(name for one in requested if _HEADER_NAME.match(name := one.strip()))
    listed = [*usual, *_USUAL_HEADERS.split(", ")]
    known = {name.lower() for name in listed} | _CREDENTIALS
    return ", ".join([*listed, *[name for name in names if name not in known][:_MAX_HEADERS]])


def remove_cookies(request: Request) -> None:
    request.scope["headers"] = [one for one in request.scope["headers"] if one[0] != b"cookie"]


def public_document(endpoint: Endpoint, is_registered: IsRegistered) -> Endpoint:
    """Returns an endpoint that handles preflights, and lets registered origins read responses with credentials.

    Responses of `endpoint` have the headers `ANY_ORIGIN`.
    """

    async def call(request: Request) -> Response:
        origin = find_header(request, b"origin")
        if request.method == "OPTIONS":
            return _preflight(request, origin if await _is_registered(origin, is_registered) else None)
        if origin is None:
            return await endpoint(request)
        remove_cookies(request)
        response = await endpoint(request)
        return _readable_by(origin, response) if await _is_registered(origin, is_registered) else response

    return call


async def _is_registered(origin: str | None, is_registered: IsRegistered) -> bool:
    if origin is None or not ORIGIN.match(origin):
        return False
    try:
        async with asyncio.timeout(_LONGEST_WAIT):
            return await is_registered(origin)
    except (ServiceError, TimeoutError):  # the document is public, so it is served without credentials
        return False


def _preflight(request: Request, registered: str | None) -> Response:
    headers = {
        "Access-Control-Allow-Methods": "GET, HEAD",
        "Access-Control-Allow-Headers": allowed_headers(request, "If-None-Match"),
        "Access-Control-Max-Age": str(_DOCUMENT_SECONDS),
    }
    origin = with_credentials(registered) if registered else ANY_ORIGIN
    return Response(status_code=204, headers={**origin, **headers, "Vary": PREFLIGHT_VARY})


def _readable_by(origin: str, response: Response) -> Response:
    """Copies the response, which is shared by requests."""
    allowed = copy(response)
    replaced = {"vary": "Origin", **{name.lower(): value for name, value in with_credentials(origin).items()}}
    kept = [one for one in response.raw_headers if one[0].decode() not in replaced]
    added = [(name.encode(), value.encode()) for name, value in replaced.items()]
    allowed.raw_headers = kept + added
    return allowed
