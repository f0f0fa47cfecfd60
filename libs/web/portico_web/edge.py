"""What every request meets first: its id, its log line, its counter, the headers all answers share.

And last: a fault that nothing else turned into an answer, so that it has these headers as well.
"""

from __future__ import annotations

import secrets
import time

import structlog
from portico_contracts import context
from portico_contracts.http import surface_of
from portico_oauth.errors import FAULT
from prometheus_client import Counter, Histogram
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from portico_web.surfaces import RENDERERS

log = structlog.get_logger("portico.access")

REQUESTS = Counter("portico_http_requests_total", "Requests by method and status class.", ["method", "status"])
SECONDS = Histogram(
    "portico_http_request_seconds", "Time to the end of the answer.", buckets=(0.005, 0.02, 0.1, 0.5, 2.0)
)
_METHODS = frozenset({"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"})


class Edge:
    """ASGI middleware. The gateway gives each request its id and strips what clients send."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Runs the app with the request id set; adds X-Request-Id and nosniff to the answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id, trace = _ids(scope)
        context.REQUEST_ID.set(request_id)
        context.TRACE_PARENT.set(trace)
        began = time.perf_counter()
        status = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers[context.REQUEST_ID_HEADER] = request_id
                headers.setdefault("X-Content-Type-Options", "nosniff")
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except Exception:  # the border: nothing of an unknown error leaves
            log.exception("fault outside a router")
            if status:  # the answer has begun: cutting the connection is all that is left
                raise
            response = RENDERERS[surface_of(scope["path"])](FAULT.refusal(), Request(scope))
            await response(scope, receive, send_with_headers)
        finally:
            seconds = time.perf_counter() - began
            method = scope["method"] if scope["method"] in _METHODS else "other"
            REQUESTS.labels(method, f"{status // 100}xx").inc()
            SECONDS.observe(seconds)
            write = log.info if status >= 400 else log.debug
            write("request", method=method, path=scope["path"][:200], status=status, ms=round(seconds * 1000, 1))


def _ids(scope: Scope) -> tuple[str, str]:
    request_id = trace = ""
    for name, value in scope["headers"]:
        if name == b"x-request-id":
            request_id = value.decode("latin-1")
        elif name == b"traceparent":
            trace = value.decode("latin-1")[:64]
    if not context.is_request_id(request_id):
        request_id = secrets.token_hex(16)
    return request_id, trace
