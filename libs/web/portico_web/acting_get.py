"""Paths that act on GET: requests that may have no effect do not reach them (RFC 9110 section 9.2.1, decision 0117)."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from portico_web.headers import NO_STORE
from portico_web.surfaces import Endpoint

_ACTS: Final = "acts_on_get"
_AHEAD: Final = frozenset({"prefetch", "prerender"})
_PURPOSES: Final = (b"sec-purpose", b"purpose")
_SEPARATORS: Final = re.compile(r"[\s,;]+")


def acting_get(endpoint: Endpoint) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    """Wraps an endpoint whose GET acts: HEAD is an empty 200, a GET ahead of the user an empty 403.

    A link checker repeats a HEAD that is an error as a GET. A browser drops a response ahead of the user that is an
    error, and opens the page when the user does.
    """

    async def call(request: Request) -> Response:
        if request.method == "HEAD":
            return Response(headers=dict(NO_STORE))
        if request.method == "GET" and is_ahead(request):
            return Response(status_code=403, headers=dict(NO_STORE))
        return await endpoint(request)

    vars(call)[_ACTS] = True
    return call


def acts_on_get(endpoint: object) -> bool:
    return getattr(endpoint, _ACTS, False)


def is_ahead(request: Request) -> bool:
    """Reports whether the browser asks before the user opens the page (Sec-Purpose; Purpose of older browsers)."""
    sent = [value.decode("latin-1").lower() for name, value in request.scope["headers"] if name in _PURPOSES]
    return any(word in _AHEAD for value in sent for word in _SEPARATORS.split(value))
