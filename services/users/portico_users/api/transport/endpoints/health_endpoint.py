"""Whether the service is ready: public, and without naming its parts."""

from __future__ import annotations

from functools import partial

from portico_oauth.errors import METHOD_NOT_ALLOWED, UNAVAILABLE
from portico_runtime.health import Health, is_ready
from portico_web.headers import NO_STORE
from portico_web.surfaces import render_errors, rpc_status
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from portico_users.kernel.catalogue import PACKAGE


class HealthEndpoint:
    """ASGI: an empty answer when everything the service needs answers; otherwise 503."""

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
