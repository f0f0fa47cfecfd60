"""The spans of a request: the gateway's, where it noted when it began, and the service's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from portico_contracts.http import route_of
from portico_contracts.spans import Span, SpanKind, Tracer, is_sampled

ROUTE: Final = "portico.route"
"""Where a scope has the pattern of a route the framework does not know: without what differs from request to request."""

_METHODS: Final = frozenset({"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"})


class RequestSpan:
    """Begins with the head of a request, and ends with its answer.

    Attributes:
        trace_parent: of everything that is done for the request.
    """

    __slots__ = ("_gateway", "_method", "_span", "trace_parent")

    def __init__(self, tracer: Tracer, method: str, request_id: str, parent: str, reached_gateway: float) -> None:
        """Begins.

        Args:
            parent: W3C traceparent of a trusted sender; empty without one.
            reached_gateway: Unix time in seconds; 0 where no gateway noted it.
        """
        self._method = method if method in _METHODS else "_OTHER"
        shared = {"http.request.method": self._method, "portico.request_id": request_id}
        begins_there = reached_gateway and not parent
        self._gateway: Span | None = tracer.begin_at_gateway(reached_gateway, shared) if begins_there else None
        before = self._gateway.trace_parent if self._gateway else parent
        self._span = tracer.begin(SpanKind.SERVER, self._method, shared, before)
        self.trace_parent = self._span.trace_parent

    def end(self, scope: Mapping[str, Any], status: int) -> None:
        """Ends it, with the route that the application found.

        Args:
            status: of the answer; 0 when there was none.
        """
        if not is_sampled(self.trace_parent):
            return
        if pattern := _pattern(scope):
            self._span.rename(f"{self._method} {pattern}")
        for span in (self._span, self._gateway):
            if span is None:
                continue
            if pattern:
                span.set("http.route", pattern)
            span.set("http.response.status_code", status)
            # A refused request is no error of the server (semantic conventions of HTTP).
            span.end("" if 0 < status < 500 else str(status or "no answer"))


def read_start(text: str) -> float:
    """Unix time in seconds of ``X-Request-Start``: ``t=`` and microseconds, milliseconds, or seconds with a fraction.

    Returns:
        0 for everything else.
    """
    number = text.removeprefix("t=")
    whole = number.replace(".", "", 1)
    if not (whole.isascii() and whole.isdigit() and len(number) <= 20):
        return 0.0
    value = float(number)
    for least, divisor in ((1e15, 1e6), (1e12, 1e3)):
        if value >= least:
            return value / divisor
    return value


def _pattern(scope: Mapping[str, Any]) -> str:
    """The route's own pattern: a path may hold ids and codes."""
    found = scope.get(ROUTE) or getattr(scope.get("route"), "path", "")
    if found:
        return str(found)
    route = route_of(scope["path"])
    return route.path if route else ""
