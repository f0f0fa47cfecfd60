"""What everybody may read without a token: the OpenAPI document, readiness, and logos."""

from __future__ import annotations

from functools import cached_property, partial
from importlib.resources import files
from typing import Final

import msgspec
from portico_contracts.http import LOGOS
from portico_oauth.errors import METHOD_NOT_ALLOWED, PATH_NOT_FOUND, UNAVAILABLE
from portico_runtime.process.health import Health, is_ready
from portico_web.headers import NO_STORE
from portico_web.surfaces import render_errors, rpc_status
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from portico_users.catalogue import PACKAGE
from portico_users.policies.logos import MongoLogos


class DocumentEndpoint:
    def __init__(self, issuer: str) -> None:
        self._issuer = issuer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = Response(self._document, media_type="application/json")
        if scope["method"] != "GET":
            response = rpc_status(METHOD_NOT_ALLOWED.error(), Request(scope), package=PACKAGE)
            response.headers["Allow"] = "GET"
        await response(scope, receive, send)

    @cached_property
    def _document(self) -> bytes:
        generated = files("portico_contracts").joinpath("generated", "management-api.json").read_bytes()
        document: dict[str, object] = msgspec.json.decode(generated)
        return msgspec.json.encode({**document, "servers": [{"url": self._issuer}]})


class HealthEndpoint:
    """ASGI application: an empty response when all dependencies respond, otherwise 503."""

    def __init__(self, health: Health) -> None:
        self._health = health
        self._respond = render_errors(self._answer, partial(rpc_status, package=PACKAGE))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        response = await self._respond(Request(scope, receive))
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        if request.method != "GET":
            response = rpc_status(METHOD_NOT_ALLOWED.error(), request, package=PACKAGE)
            response.headers["Allow"] = "GET"
            return response
        state = await self._health.state()
        if not is_ready(state):
            raise UNAVAILABLE.error(retry_after=1, parts=state)
        return Response(b"{}", headers=dict(NO_STORE), media_type="application/json")


PREFIX: Final = f"{LOGOS}/"

_HEADERS: Final = {
    # The file name is a hash of the content.
    "Cache-Control": "public, max-age=31536000, immutable",
    "X-Content-Type-Options": "nosniff",
    # An image opened as a document must not load or run anything.
    "Content-Security-Policy": "default-src 'none'; sandbox",
    # Mail clients and custom login pages on other origins embed it.
    "Cross-Origin-Resource-Policy": "cross-origin",
}


class LogoEndpoint:
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
