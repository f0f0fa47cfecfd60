"""The outermost middleware: request id, access log, metrics, headers, also for uncaught exceptions."""

from __future__ import annotations

import logging
import time
from typing import Final

import structlog
from portico_contracts import context, spans
from portico_contracts.http import surface_of
from portico_contracts.tallies import Tallies, Timings
from portico_oauth.errors import SERVER_ERROR, ErrorCode
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from portico_web.forms import TOO_LARGE
from portico_web.request_head import RequestHead, read_head
from portico_web.request_span import RequestSpan, read_start
from portico_web.surfaces import RENDERERS
from portico_web.trusted_proxies import TrustedProxies

log = structlog.get_logger("portico.access")

_REQUESTS: Final = Tallies(
    "portico_http_requests_total", "HTTP requests by method and status class.", ["method", "status"]
)
_SECONDS: Final = Timings(
    "portico_http_request_seconds", "Duration of HTTP requests.", (0.005, 0.02, 0.1, 0.5, 2.0)
).of()
_METHODS = frozenset({"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"})

_REQUEST_ID: Final = context.REQUEST_ID_HEADER.lower().encode()
_NOSNIFF: Final = (b"x-content-type-options", b"nosniff")
_OURS: Final = frozenset({_REQUEST_ID, _NOSNIFF[0]})


class Edge:
    """Only trusted proxies may set the request id; invalid requests are rejected before the application."""

    def __init__(self, app: ASGIApp, proxies: TrustedProxies) -> None:
        self._app = app
        self._proxies = proxies
        # Bound once: for a suppressed line, finding the logger is most of the cost.
        self._log = log.bind()
        self._least_logged = 0 if self._log.is_enabled_for(logging.DEBUG) else 400

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        head = read_head(scope, trusted=self._proxies.sent(scope))
        request_id, problem = head.request_id, head.problem
        context.REQUEST_ID.set(request_id)
        span = _begin_span(scope, head)
        context.TRACE_PARENT.set(span.trace_parent if span else head.trace)
        began = time.perf_counter()
        status = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                # A new list: a prepared response must not retain the id of one request.
                others = [header for header in message.get("headers", ()) if header[0] not in _OURS]
                message["headers"] = [*others, (_REQUEST_ID, request_id.encode()), _NOSNIFF]
            await send(message)

        try:
            if problem is None:
                await self._app(scope, receive, send_with_headers)
            else:
                await _refuse(problem, scope, receive, send_with_headers)
        except Exception:  # the border: nothing of an unknown error leaves
            log.exception("fault outside a router")
            if status:  # the answer has begun: cutting the connection is all that is left
                raise
            response = RENDERERS[surface_of(scope["path"])](SERVER_ERROR.error(), Request(scope))
            await response(scope, receive, send_with_headers)
        finally:
            self._note(scope, status, time.perf_counter() - began)
            if span:
                span.end(scope, status)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in _METHODS else "other"
        _REQUESTS.of(method, f"{status // 100}xx").count += 1
        _SECONDS.observe(seconds)
        if status >= self._least_logged:
            write = self._log.info if status >= 400 else self._log.debug
            write("request", method=method, path=scope["path"][:200], status=status, ms=round(seconds * 1000, 1))


def _begin_span(scope: Scope, head: RequestHead) -> RequestSpan | None:
    tracer = spans.tracer()
    if tracer is None:
        return None
    return RequestSpan(tracer, scope["method"], head.request_id, head.trace, read_start(head.start))


async def _refuse(problem: ErrorCode, scope: Scope, receive: Receive, send: Send) -> None:
    """Closes the connection where the end of the request is uncertain (IN-01)."""
    log.info("refused", error_code=problem.id)
    response = RENDERERS[surface_of(scope["path"])](problem.error(), Request(scope))
    if problem is not TOO_LARGE and scope["http_version"].startswith("1"):
        response.headers["Connection"] = "close"
    await response(scope, receive, send)
