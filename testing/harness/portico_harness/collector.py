"""An OTLP/HTTP span collector, and a recorder of this process's spans."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from portico_contracts import context, spans
from portico_runtime.process.clock import Clock, SystemClock
from portico_runtime.spans.otel_tracer import OtelTracer

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
"""A sampled trace started by another process."""

NOT_SAMPLED = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"


@dataclass(frozen=True)
class CollectedSpan:
    """A span as received by the collector.

    Args:
        parent: parent span id; empty for a root span.
        kind: such as ``SERVER``.
    """

    service: str
    name: str
    trace: str
    id: str
    parent: str
    kind: str
    seconds: float
    attributes: dict[str, str | int] = field(default_factory=dict)


@dataclass
class Collector:
    """A running collector.

    Attributes:
        status: its response status.
        speaking: while it is not set, requests get no response.
        bodies: received bodies, decompressed.
        spans: in order of arrival.
    """

    url: str = ""
    status: int = 200
    speaking: Event = field(default_factory=Event)
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    spans: list[CollectedSpan] = field(default_factory=list)

    def take(self, body: bytes) -> None:
        self.bodies.append(body)
        message = ExportTraceServiceRequest.FromString(body)
        for of_resource in message.resource_spans:
            resource = _read_attributes(of_resource.resource.attributes)
            for of_scope in of_resource.scope_spans:
                self.spans += [_read_span(str(resource["service.name"]), one) for one in of_scope.spans]


@contextmanager
def collecting() -> Iterator[Collector]:
    collector = Collector()
    collector.speaking.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            collector.speaking.wait()
            collector.headers.append({name.lower(): value for name, value in self.headers.items()})
            if collector.status == 200:
                collector.take(gzip.decompress(body) if self.headers["Content-Encoding"] == "gzip" else body)
            self.send_response(collector.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        collector.url = f"http://127.0.0.1:{server.server_port}/v1/traces"
        thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield collector
        finally:
            collector.speaking.set()
            server.shutdown()
            thread.join(5)


@dataclass(frozen=True)
class Recorded:
    exporter: InMemorySpanExporter

    def ended(self) -> list[ReadableSpan]:
        return list(self.exporter.get_finished_spans())

    def names(self) -> list[str]:
        return [span.name for span in self.ended()]

    def only(self) -> ReadableSpan:
        [span] = self.ended()
        return span


@contextmanager
def recording(parent: str = PARENT, *, ratio: float = 1.0, clock: Clock | None = None) -> Iterator[Recorded]:
    """Turns spans on in this process.

    Args:
        parent: W3C traceparent of the current work.
        ratio: share of new traces that are sampled.
    """
    exporter = InMemorySpanExporter()
    spans.set_tracer(OtelTracer("test", "one", ratio, SimpleSpanProcessor(exporter), clock or SystemClock()))
    before = context.TRACE_PARENT.set(parent)
    try:
        yield Recorded(exporter)
    finally:
        context.TRACE_PARENT.reset(before)
        spans.set_tracer(None)


def _read_span(service: str, span: Any) -> CollectedSpan:
    return CollectedSpan(
        service,
        span.name,
        span.trace_id.hex(),
        span.span_id.hex(),
        span.parent_span_id.hex(),
        type(span).SpanKind.Name(span.kind).removeprefix("SPAN_KIND_"),
        (span.end_time_unix_nano - span.start_time_unix_nano) / 1e9,
        _read_attributes(span.attributes),
    )


def _read_attributes(attributes: Any) -> dict[str, str | int]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in attributes}
