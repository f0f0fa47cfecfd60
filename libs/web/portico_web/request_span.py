"""Spans of a request: of the gateway, where its start is known, and of the service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from portico_contracts.http import route_of
from portico_contracts.spans import Span, SpanKind, Tracer, is_sampled

ROUTE: Final = "portico.route"
"""Scope key for the pattern of a route that the framework does not know."""

_METHODS: Final = frozenset({"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"})


class RequestSpan:
    """Starts with the head of a request and ends with its response."""

    __slots__ = ("_gateway", "_method", "_span", "trace_parent")

    def __init__(self, tracer: Tracer, method: str, request_id: str, parent: str, reached_gateway: float) -> None:
        """`parent` is the traceparent of a trusted sender; `reached_gateway` is Unix time, 0 if unknown."""
        self._method = method if method in _METHODS else "_OTHER"
        shared = {"http.request.method": self._method, "portico.request_id": request_id}
        begins_there = reached_gateway and not parent
        self._gateway: Span | None = tracer.begin_at_gateway(reached_gateway, shared) if begins_there else None
        before = self._gateway.trace_parent if self._gateway else parent
        self._span = tracer.begin(SpanKind.SERVER, self._method, shared, before)
        self.trace_parent = self._span.trace_parent

    def end(self, scope: Mapping[str, Any], status: int) -> None:
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
            # A 4xx is not an error of the server (HTTP semantic conventions).
            span.end("" if 0 < status < 500 else str(status or "no answer"))


def read_start(text: str) -> float:
    """Parses ``X-Request-Start`` (``t=`` and micro-, milli- or seconds) to Unix seconds; 0 if invalid."""
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
    """The route's pattern, because a path may contain ids and codes."""
    found = scope.get(ROUTE) or getattr(scope.get("route"), "path", "")
    if found:
        return str(found)
    route = route_of(scope["path"])
    return route.path if route else ""
