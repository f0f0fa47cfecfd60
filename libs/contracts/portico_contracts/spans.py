"""OpenTelemetry spans (decision 0069); without a tracer all functions do nothing.

The current trace is `context.TRACE_PARENT`; a span replaces it while it lasts. A span may contain names from
closed lists (methods, routes, subjects, commands, collections, hosts), numbers and the request id; never
request content or a URL with its query (IN-09).
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import Token
from enum import Enum
from types import TracebackType
from typing import Final, Protocol

from portico_contracts import context

Value = str | int
Attributes = Mapping[str, Value]

NONE: Final[Attributes] = {}
_ODD: Final = frozenset("13579bdf")


class SpanKind(Enum):
    SERVER = "server"
    CLIENT = "client"
    PRODUCER = "producer"
    CONSUMER = "consumer"


class Span(Protocol):
    """`trace_parent` is the W3C traceparent for child spans."""

    trace_parent: str

    def set(self, name: str, value: Value) -> None: ...

    def rename(self, name: str) -> None: ...

    def end(self, error: str = "") -> None:
        """Ends the span; `error` is the class name of the exception, empty for none."""
        ...


class Tracer(Protocol):
    """Starts spans; sampling is decided at the start of a trace."""

    def begin(self, kind: SpanKind, name: str, attributes: Attributes, parent: str) -> Span:
        """Starts a span; `parent` is a W3C traceparent, empty for a new trace."""
        ...

    def begin_at_gateway(self, seconds: float, attributes: Attributes) -> Span:
        """Starts a trace with a span for the gateway, which has no tracer; `seconds` is Unix time."""
        ...


def is_sampled(trace_parent: str) -> bool:
    return trace_parent[-1:] in _ODD


_tracer: Tracer | None = None


def set_tracer(tracer: Tracer | None) -> None:
    global _tracer
    _tracer = tracer


def tracer() -> Tracer | None:
    return _tracer


def begin_part(name: str, attributes: Attributes = NONE, *, kind: SpanKind = SpanKind.CLIENT) -> Span | None:
    if _tracer is None:
        return None
    parent = context.TRACE_PARENT.get()
    return _tracer.begin(kind, name, attributes, parent) if is_sampled(parent) else None


class part:  # noqa: N801 - reads as the statement it is: with part(...)
    """A child span as a context manager; without a trace it does nothing.

    ::

        with part("PUT example.com", {"server.address": "example.com"}) as span:
    """

    __slots__ = ("_span", "_token")

    def __init__(self, name: str, attributes: Attributes = NONE, *, kind: SpanKind = SpanKind.CLIENT) -> None:
        self._span = begin_part(name, attributes, kind=kind)
        self._token: Token[str] | None = None

    def __enter__(self) -> Span | None:
        if self._span:
            self._token = context.TRACE_PARENT.set(self._span.trace_parent)
        return self._span

    def __exit__(self, kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        if self._span:
            if self._token:
                context.TRACE_PARENT.reset(self._token)
            self._span.end(kind.__name__ if kind else "")


class served:  # noqa: N801 - as `part`
    """A span for a request of another process; without a tracer the incoming trace is passed on."""

    __slots__ = ("_came", "_span", "_token")

    def __init__(self, name: str, attributes: Attributes, parent: str, *, kind: SpanKind = SpanKind.SERVER) -> None:
        """Starts the span; `parent` is the W3C traceparent received, where an empty or invalid one counts as none."""
        self._came = parent if context.is_trace_parent(parent) else ""
        self._span = _tracer.begin(kind, name, attributes, self._came) if _tracer and is_sampled(self._came) else None
        self._token: Token[str] | None = None

    def __enter__(self) -> Span | None:
        self._token = context.TRACE_PARENT.set(self._span.trace_parent if self._span else self._came)
        return self._span

    def __exit__(self, kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        if self._token:
            context.TRACE_PARENT.reset(self._token)
        if self._span:
            self._span.end(kind.__name__ if kind else "")
