"""Serves the logos of organizations: to any browser and email program, so without authentication."""

from __future__ import annotations

from functools import partial
from typing import Final

from portico_contracts.http import LOGOS
from portico_oauth.errors import METHOD_NOT_ALLOWED, PATH_NOT_FOUND
from portico_web.surfaces import render_errors, rpc_status
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from portico_users.directory.logos.store import MongoLogos
from portico_users.kernel.catalogue import PACKAGE

PREFIX: Final = f"{LOGOS}/"

_HEADERS: Final = {
    # The name follows the content.
    "Cache-Control": "public, max-age=31536000, immutable",
    "X-Content-Type-Options": "nosniff",
    # An image opened by itself is no page of ours: it may load and run nothing.
    "Content-Security-Policy": "default-src 'none'; sandbox",
    # Email programs and own login pages of other origins show it.
    "Cross-Origin-Resource-Policy": "cross-origin",
}


class LogoEndpoint:
    """ASGI application of the paths below `LOGOS`."""

    def __init__(self, logos: MongoLogos) -> None:
        self._logos = logos
        self._respond = render_errors(self._answer, partial(rpc_status, package=PACKAGE))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        response = await self._respond(Request(scope, receive))
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            response = rpc_status(METHOD_NOT_ALLOWED.error(), request, package=PACKAGE)
            response.headers["Allow"] = "GET, HEAD"
            return response
        logo = await self._logos.find(request.scope["path"].removeprefix(PREFIX))
        if logo is None:
            raise PATH_NOT_FOUND.error()
        return Response(logo.content, headers=dict(_HEADERS), media_type=f"image/{logo.kind}")
