"""Table dispatch of plain routes: the framework costs several times what the hot endpoints do themselves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

Endpoint = Callable[[Request], Awaitable[Response]]


class DirectRoutes:
    """ASGI middleware that calls plain Starlette routes directly and leaves everything else to the application.

    Their endpoints must be wrapped by `portico_web.surfaces.render_errors`, since the application's
    middleware does not run.
    """

    def __init__(self, app: FastAPI) -> None:
        """Collects the current plain routes; their paths must not also be those of other routes."""
        self._app: ASGIApp = app
        plain = [route for route in app.router.routes if type(route) is Route]
        self._endpoints: dict[tuple[str, str], Endpoint] = {
            (method, route.path): route.endpoint
            for route in reversed(plain)  # the first one of a path answers
            if not route.param_convertors
            for method in route.methods or ()
        }
        self._templates = [route for route in plain if route.param_convertors]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        endpoint = self._find(scope) if scope["type"] == "http" else None
        if endpoint is None:
            await self._app(scope, receive, send)
            return
        response = await endpoint(Request(scope, receive))
        await response(scope, receive, send)

    def _find(self, scope: Scope) -> Endpoint | None:
        endpoint = self._endpoints.get((scope["method"], scope["path"]))
        return endpoint or self._find_by_template(scope)

    def _find_by_template(self, scope: Scope) -> Endpoint | None:
        for route in self._templates:
            match, found = route.matches(scope)
            if match is Match.FULL:
                scope.update(found)
                scope["route"] = route  # as the framework does it
                endpoint: Endpoint = route.endpoint
                return endpoint
        return None
