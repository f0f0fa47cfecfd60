from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from portico_contracts import spans
from portico_contracts.spans import part
from portico_harness.collector import PARENT, Collector, collecting, recording
from portico_runtime.settings.section import InvalidSetting
from portico_runtime.settings.sections.spans import SpansSection, read_headers
from portico_runtime.spans import exporting
from portico_runtime.spans.exporting import SpanExport
from prometheus_client import REGISTRY
from pydantic import SecretStr, ValidationError


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as one:
        yield one


def export_of(collector: Collector, **more: object) -> SpanExport:
    """Returns an export of all spans of this process to a collector."""
    values: dict[str, object] = {"otlp_endpoint": collector.url, "otlp_sample_ratio": 1, **more}
    return SpanExport("token", SpansSection.model_validate(values))


def counted(event: str) -> float:
    return REGISTRY.get_sample_value("portico_spans_total", {"event": event}) or 0.0


def a_span(name: str) -> None:
    """Creates a span in a trace that another process began."""
    current = spans.tracer()
    assert current is not None
    current.begin(spans.SpanKind.CLIENT, name, {"db.operation.name": name}, PARENT).end()


def test_pending_spans_are_exported_at_shutdown(collector: Collector) -> None:
    """Spans are sent as OTLP over HTTP, compressed, with the service's name and the configured headers, and counted."""
    before = counted("sent")
    export = export_of(collector, otlp_headers="authorization=Bearer of the collector, x-scope = two")
    a_span("find")
    export.end()

    [span] = collector.spans
    assert (span.service, span.name, span.kind) == ("portico-token", "find", "CLIENT")
    assert (span.trace, span.parent) == (PARENT.split("-")[1], PARENT.split("-")[2])
    assert span.attributes == {"db.operation.name": "find"}
    [headers] = collector.headers
    assert (headers["authorization"], headers["x-scope"]) == ("Bearer of the collector", "two")
    assert headers["content-encoding"] == "gzip"
    assert counted("sent") - before == 1


def test_no_spans_are_recorded_after_shutdown(collector: Collector) -> None:
    export_of(collector).end()

    with part("late") as span:
        pass
    assert spans.tracer() is None
    assert span is None


def test_refusing_collector_loses_spans_only(collector: Collector) -> None:
    """Spans that the collector refuses are counted as lost, and nothing is raised."""
    collector.status = 400
    before = counted("lost")
    export = export_of(collector)
    a_span("find")
    export.end()

    assert counted("lost") - before == 1


def test_silent_collector_does_not_block_shutdown(collector: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "_SECONDS_AT_END", 0.05)
    before = threading.enumerate()
    export = export_of(collector)
    [sending] = [thread for thread in threading.enumerate() if thread not in before]
    collector.speaking.clear()
    a_span("find")
    export.end()
    was_sending = sending.is_alive()
    collector.speaking.set()
    sending.join(10)

    assert was_sending
    assert [span.name for span in collector.spans] == ["find"]


def test_unreadable_ca_file_stops_the_start(collector: Collector, tmp_path: Path) -> None:
    """The error names the misconfigured setting."""
    with pytest.raises(InvalidSetting, match="PORTICO_OTLP_CA_FILE is not a readable PEM file"):
        export_of(collector, otlp_ca_file=str(tmp_path / "missing.pem"))

    assert spans.tracer() is None


@pytest.mark.parametrize(
    "endpoint",
    ["collector:4318", "ftp://collector/v1/traces", "http:///v1/traces", "http://u:p@collector/x", "http://c/v1?key=1"],
)
def test_invalid_endpoint_is_refused(endpoint: str) -> None:
    """An endpoint with credentials is refused at the start, because credentials belong into the headers setting."""
    with pytest.raises(ValidationError, match="such as http://collector:4318/v1/traces"):
        SpansSection(otlp_endpoint=endpoint)


@pytest.mark.parametrize("ratio", [-0.1, 1.1])
def test_sample_ratio_is_between_0_and_1(ratio: float) -> None:
    with pytest.raises(ValidationError):
        SpansSection(otlp_sample_ratio=ratio)


@pytest.mark.parametrize(
    ("text", "headers"),
    [("", {}), ("a=b", {"a": "b"}), (" a = b , c=d=e,", {"a": "b", "c": "d=e"}), ("a=", {"a": ""})],
)
def test_headers_are_comma_separated_pairs(text: str, headers: dict[str, str]) -> None:
    """Headers have the format of the OpenTelemetry variable."""
    assert read_headers(text) == headers


@pytest.mark.parametrize("text", ["a", "=b", "a=b,c"])
def test_invalid_headers_are_refused(text: str) -> None:
    """The error does not repeat the value, which is a secret."""
    with pytest.raises(ValidationError, match="name=value"):
        SpansSection(otlp_headers=SecretStr(text))


def test_environment_variables_of_the_library_are_ignored(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "planted=canary")
    monkeypatch.setenv("OTEL_SERVICE_NAME", "canary")
    export = export_of(collector)
    a_span("find")
    export.end()

    [span] = collector.spans
    assert span.service == "portico-token"
    assert b"canary" not in collector.bodies[0]


def test_recording_ends_with_its_block() -> None:
    with recording():
        pass

    assert spans.tracer() is None
