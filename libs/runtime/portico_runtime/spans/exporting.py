"""Sends spans to a collector in batches from a thread of the SDK, so that requests neither wait nor fail."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Sequence
from typing import Any, Final

import requests
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from portico_contracts import spans
from prometheus_client.metrics import Counter
from requests.adapters import HTTPAdapter

from portico_runtime.process.clock import SystemClock
from portico_runtime.settings.sections.spans import SpansSection, read_headers
from portico_runtime.spans.otel_tracer import OtelTracer
from portico_runtime.tls.refused import trusting

MOST_WAITING: Final = 4_096
"""Queue length; the oldest spans are dropped."""

_TOGETHER: Final = 512
_EVERY_MS: Final = 2_000
_SECONDS: Final = 5.0
_SECONDS_AT_END: Final = 2.0

_SPANS: Final = Counter("portico_spans_total", "Spans, by event: sent to the collector, or lost.", ["event"])


class CountingExporter(SpanExporter):
    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter
        self._sent, self._lost = _SPANS.labels("sent"), _SPANS.labels("lost")

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = self._exporter.export(spans)
        (self._sent if result is SpanExportResult.SUCCESS else self._lost).inc(len(spans))
        return result

    def shutdown(self) -> None:
        self._exporter.shutdown()


class _Verifying(HTTPAdapter):
    """requests would trust the authorities that it brings along, and verify as this Python does."""

    def __init__(self, trusted: ssl.SSLContext) -> None:
        self._trusted = trusted
        super().__init__()

    def init_poolmanager(self, *sizes: Any, **options: Any) -> None:
        super().init_poolmanager(*sizes, **options, ssl_context=self._trusted)

    def proxy_manager_for(self, proxy: str, **options: Any) -> Any:
        return super().proxy_manager_for(proxy, **options, ssl_context=self._trusted)

    def build_connection_pool_key_attributes(
        self, request: requests.PreparedRequest, verify: object, cert: object = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        return super().build_connection_pool_key_attributes(request, verify=True)

    def cert_verify(self, conn: Any, url: str, verify: object, cert: object) -> None:
        """Adds no authorities to those of the context."""


class SpanExport:
    def __init__(self, service: str, settings: SpansSection) -> None:
        """Raises InvalidSetting: the certificate file is unusable."""
        session = requests.Session()
        if settings.otlp_ca_file or settings.otlp_endpoint.startswith("https:"):
            session.mount("https://", _Verifying(trusting(settings.otlp_ca_file, "PORTICO_OTLP_CA_FILE")))
        exporter = OTLPSpanExporter(
            endpoint=settings.otlp_endpoint,
            headers=read_headers(settings.otlp_headers.get_secret_value()),
            timeout=_SECONDS,
            compression=Compression.Gzip,
            session=session,
        )
        self._processor = BatchSpanProcessor(
            CountingExporter(exporter),
            max_queue_size=MOST_WAITING,
            max_export_batch_size=_TOGETHER,
            schedule_delay_millis=_EVERY_MS,
        )
        instance = f"{socket.gethostname()}:{getattr(settings, 'port', '')}"
        spans.set_tracer(OtelTracer(service, instance, settings.otlp_sample_ratio, self._processor, SystemClock()))

    def end(self) -> None:
        spans.set_tracer(None)
        # The processor would wait thirty seconds for a collector that does not respond.
        ending = threading.Thread(target=self._processor.shutdown, daemon=True)
        ending.start()
        ending.join(_SECONDS_AT_END)
