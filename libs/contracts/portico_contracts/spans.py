"""Spans of the work at hand: where a request spent its time, for a collector of OpenTelemetry (decision 0069).

Off by default: no tracer is set then, and what is here does nothing. The trace that the work belongs to is
`context.TRACE_PARENT`, which a span replaces by itself while it lasts, so that what is called carries the span on.

What may be in a span: names of closed lists (methods, routes, subjects, commands, collections, hosts), numbers, the request
id. Nothing of a request's content, and no address with its query (IN-09).
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
"""By their names in the semantic conventions of OpenTelemetry, or beginning with ``portico.``."""

NONE: Final[Attributes] = {}
_ODD: Final = frozenset("13579bdf")


class SpanKind(Enum):
    """What the work is to the one beside it (OpenTelemetry, SpanKind)."""

    SERVER = "server"
    CLIENT = "client"
    PRODUCER = "producer"
    CONSUMER = "consumer"


class Span(Protocol):
    """Work that has begun.

    Attributes:
        trace_parent: W3C traceparent of what is done as a part of it.
    """

    trace_parent: str

    def set(self, name: str, value: Value) -> None:
        """Sets an attribute."""
        ...

    def rename(self, name: str) -> None:
        """Gives it another name."""
        ...

    def end(self, error: str = "") -> None:
        """Ends it.

        Args:
            error: the class of what went wrong; empty where nothing did.
        """
        ...


class Tracer(Protocol):
    """Begins spans; which are sampled is decided where a trace begins."""

    def begin(self, kind: SpanKind, name: str, attributes: Attributes, parent: str) -> Span:
        """Begins a span.

        Args:
            parent: W3C traceparent; empty for a new trace.
        """
        ...

    def begin_at_gateway(self, seconds: float, attributes: Attributes) -> Span:
        """Begins a trace with the span of the gateway, which has no tracer of its own.

        Args:
            seconds: Unix time at which the gateway had the head of the request.
        """
        ...


def is_sampled(trace_parent: str) -> bool:
    """Whether a W3C traceparent has the flag of what is sampled; an empty one has not."""
    return trace_parent[-1:] in _ODD


_tracer: Tracer | None = None


def set_tracer(tracer: Tracer | None) -> None:
    """Turns spans on, for the whole process; off again with None."""
    global _tracer
    _tracer = tracer


def tracer() -> Tracer | None:
    """What begins spans; None while they are off."""
    return _tracer


def begin_part(name: str, attributes: Attributes = NONE, *, kind: SpanKind = SpanKind.CLIENT) -> Span | None:
    """Begins a part of the work at hand, whose end is elsewhere; None where nothing of it is sampled, or spans are off."""
    if _tracer is None:
        return None
    parent = context.TRACE_PARENT.get()
    return _tracer.begin(kind, name, attributes, parent) if is_sampled(parent) else None


class part:  # noqa: N801 - reads as the statement it is: with part(...)
    """A part of the work at hand, as a context; it is no work of its own: without a trace it is nothing.

    ::

        with part("PUT example.com", {"server.address": "example.com"}) as span:
    """

    __slots__ = ("_span", "_token")

    def __init__(self, name: str, attributes: Attributes = NONE, *, kind: SpanKind = SpanKind.CLIENT) -> None:
        """Begins at once; see `begin_part`."""
        self._span = begin_part(name, attributes, kind=kind)
        self._token: Token[str] | None = None

    def __enter__(self) -> Span | None:
        """The span; None where nothing is sampled."""
        if self._span:
            self._token = context.TRACE_PARENT.set(self._span.trace_parent)
        return self._span

    def __exit__(self, kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        """Ends it with what was raised, if something was."""
        if self._span:
            if self._token:
                context.TRACE_PARENT.reset(self._token)
            self._span.end(kind.__name__ if kind else "")


class served:  # noqa: N801 - as `part`
    """Work that another process requested, as a context; afterwards the trace is what it was before.

    Without a tracer it passes on what came.
    """

    __slots__ = ("_came", "_span", "_token")

    def __init__(self, name: str, attributes: Attributes, parent: str, *, kind: SpanKind = SpanKind.SERVER) -> None:
        """Begins at once.

        Args:
            parent: what the other process sent as W3C traceparent; empty without one, and what is none counts as none.
        """
        self._came = parent if context.is_trace_parent(parent) else ""
        self._span = _tracer.begin(kind, name, attributes, self._came) if _tracer and is_sampled(self._came) else None
        self._token: Token[str] | None = None

    def __enter__(self) -> Span | None:
        """The span; None where nothing is sampled."""
        self._token = context.TRACE_PARENT.set(self._span.trace_parent if self._span else self._came)
        return self._span

    def __exit__(self, kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        """Ends it with what was raised, if something was."""
        if self._token:
            context.TRACE_PARENT.reset(self._token)
        if self._span:
            self._span.end(kind.__name__ if kind else "")
