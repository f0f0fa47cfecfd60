from __future__ import annotations

import random
from typing import Final

from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import NonRecordingSpan, SpanContext, Status, StatusCode, TraceFlags
from portico_contracts.spans import Attributes, Span, SpanKind, Value, is_sampled

from portico_runtime.process.clock import Clock

_KINDS: Final = {
    SpanKind.SERVER: trace.SpanKind.SERVER,
    SpanKind.CLIENT: trace.SpanKind.CLIENT,
    SpanKind.PRODUCER: trace.SpanKind.PRODUCER,
    SpanKind.CONSUMER: trace.SpanKind.CONSUMER,
}
GATEWAY: Final = "gateway"
LONGEST_IN_GATEWAY: Final = 60.0
"""Seconds; an older start comes from a wrong clock."""


class OtelTracer:
    """Traces keep their W3C ids, and the sampling decision of the parent applies to the whole trace."""

    def __init__(self, service: str, instance: str, ratio: float, processor: SpanProcessor, clock: Clock) -> None:
        """`instance` distinguishes replicas; `ratio` is the share of new traces that are sampled."""
        self._clock = clock
        self._ratio = ratio
        self._tracer = _tracer_of(service, instance, processor)
        self._gateway = _tracer_of(GATEWAY, instance, processor)

    def begin(self, kind: SpanKind, name: str, attributes: Attributes, parent: str) -> Span:
        if not (is_sampled(parent) if parent else self._takes_one_more()):
            return Unsampled(parent)
        where = trace.set_span_in_context(NonRecordingSpan(_read(parent))) if parent else None
        return OtelSpan(self._tracer.start_span(name, where, _KINDS[kind], attributes))

    def begin_at_gateway(self, seconds: float, attributes: Attributes) -> Span:
        if not self._takes_one_more():
            return Unsampled("")
        now = self._clock.now()
        began = seconds if now - LONGEST_IN_GATEWAY < seconds <= now else now
        nanoseconds = int(began * 1_000_000_000)
        kind = trace.SpanKind.SERVER
        return OtelSpan(self._gateway.start_span(GATEWAY, None, kind, attributes, start_time=nanoseconds))

    def _takes_one_more(self) -> bool:
        # Not a sampler of the library, whose unsampled spans take 17 µs each.
        return random.random() < self._ratio  # noqa: S311 - no secret


class OtelSpan:
    __slots__ = ("_span", "trace_parent")

    def __init__(self, span: trace.Span) -> None:
        found = span.get_span_context()
        self._span = span
        self.trace_parent = f"00-{found.trace_id:032x}-{found.span_id:016x}-{found.trace_flags & 1:02x}"

    def set(self, name: str, value: Value) -> None:
        self._span.set_attribute(name, value)

    def rename(self, name: str) -> None:
        self._span.update_name(name)

    def end(self, error: str = "") -> None:
        if error:
            self._span.set_attribute("error.type", error)
            self._span.set_status(Status(StatusCode.ERROR))
        self._span.end()


class Unsampled:
    """An unsampled span, which only propagates that decision."""

    __slots__ = ("trace_parent",)

    def __init__(self, parent: str) -> None:
        self.trace_parent = parent or f"00-{random.getrandbits(128) or 1:032x}-{random.getrandbits(64) or 1:016x}-00"

    def set(self, name: str, value: Value) -> None:
        pass

    def rename(self, name: str) -> None:
        pass

    def end(self, error: str = "") -> None:
        pass


def _tracer_of(service: str, instance: str, processor: SpanProcessor) -> trace.Tracer:
    # Not `Resource.create`, which reads the environment and the command line.
    resource = Resource(
        {"service.namespace": "portico", "service.name": f"portico-{service}", "service.instance.id": instance}
    )
    # Shut down by the owner of the processor, which both share.
    provider = TracerProvider(sampler=ALWAYS_ON, resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(processor)
    return provider.get_tracer("portico")


def _read(trace_parent: str) -> SpanContext:
    _, trace_id, span_id, flags = trace_parent.split("-")
    return SpanContext(int(trace_id, 16), int(span_id, 16), is_remote=True, trace_flags=TraceFlags(int(flags, 16)))
