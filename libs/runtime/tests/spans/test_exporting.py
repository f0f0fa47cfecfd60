"""Spans reach a collector, and one that fails costs spans only."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from portico_contracts import spans
from portico_contracts.spans import part
from portico_harness.collector import PARENT, Collector, collecting, recording
from portico_runtime.settings import InvalidSetting
from portico_runtime.spans.exporting import SpanExport
from portico_runtime.spans_setting import SpansSection, read_headers
from prometheus_client import REGISTRY
from pydantic import SecretStr, ValidationError


@pytest.fixture
def collector() -> Iterator[Collector]:
    """A collector."""
    with collecting() as one:
        yield one


def export_of(collector: Collector, **more: object) -> SpanExport:
    """Spans of this process, all of them, for a collector."""
    values: dict[str, object] = {"otlp_endpoint": collector.url, "otlp_sample_ratio": 1, **more}
    return SpanExport("token", SpansSection.model_validate(values))


def counted(event: str) -> float:
    """Of the metric."""
    return REGISTRY.get_sample_value("portico_spans_total", {"event": event}) or 0.0


def a_span(name: str) -> None:
    """Of a trace that another process began."""
    current = spans.tracer()
    assert current is not None
    current.begin(spans.SpanKind.CLIENT, name, {"db.operation.name": name}, PARENT).end()


def test_what_waits_is_sent_when_the_service_ends(collector: Collector) -> None:
    """As OTLP over HTTP, compressed, with the service's name, the headers of the setting, and counted."""
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


def test_after_the_end_there_are_no_spans(collector: Collector) -> None:
    """Work that ends later than the service's export is not recorded, and does not fail."""
    export_of(collector).end()

    with part("late") as span:
        pass
    assert spans.tracer() is None
    assert span is None


def test_a_collector_that_refuses_costs_spans_only(collector: Collector) -> None:
    """They are counted as lost, and nothing is raised."""
    collector.status = 400
    before = counted("lost")
    export = export_of(collector)
    a_span("find")
    export.end()

    assert counted("lost") - before == 1


def test_a_silent_collector_does_not_hold_up_the_end(collector: Collector) -> None:
    """A service ends while its spans are still on their way: the library's own end would wait for them."""
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


def test_a_file_of_authorities_that_cannot_be_read_ends_the_start(collector: Collector, tmp_path: Path) -> None:
    """With the name of the setting, as those of the servers do, and spans stay off."""
    with pytest.raises(InvalidSetting, match="PORTICO_OTLP_CA_FILE is not a readable PEM file"):
        export_of(collector, otlp_ca_file=str(tmp_path / "missing.pem"))

    assert spans.tracer() is None


@pytest.mark.parametrize(
    "endpoint",
    ["collector:4318", "ftp://collector/v1/traces", "http:///v1/traces", "http://u:p@collector/x", "http://c/v1?key=1"],
)
def test_an_endpoint_that_is_none_is_refused(endpoint: str) -> None:
    """At the start, with what it should be: credentials belong into the headers, which are a secret."""
    with pytest.raises(ValidationError, match="such as http://collector:4318/v1/traces"):
        SpansSection(otlp_endpoint=endpoint)


@pytest.mark.parametrize("ratio", [-0.1, 1.1])
def test_a_share_is_between_none_and_all(ratio: float) -> None:
    """Anything else is refused at the start."""
    with pytest.raises(ValidationError):
        SpansSection(otlp_sample_ratio=ratio)


@pytest.mark.parametrize(
    ("text", "headers"),
    [("", {}), ("a=b", {"a": "b"}), (" a = b , c=d=e,", {"a": "b", "c": "d=e"}), ("a=", {"a": ""})],
)
def test_headers_are_names_and_values(text: str, headers: dict[str, str]) -> None:
    """Separated by commas, as in the variable of OpenTelemetry."""
    assert read_headers(text) == headers


@pytest.mark.parametrize("text", ["a", "=b", "a=b,c"])
def test_headers_that_are_none_are_refused(text: str) -> None:
    """At the start; the message does not repeat the value, which is a secret."""
    with pytest.raises(ValidationError, match="name=value"):
        SpansSection(otlp_headers=SecretStr(text))


def test_the_environment_of_the_library_changes_nothing(collector: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    """Resource attributes of the environment could hold anything; the settings are ours alone."""
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "planted=canary")
    monkeypatch.setenv("OTEL_SERVICE_NAME", "canary")
    export = export_of(collector)
    a_span("find")
    export.end()

    [span] = collector.spans
    assert span.service == "portico-token"
    assert b"canary" not in collector.bodies[0]


def test_recording_ends_with_its_block() -> None:
    """What other tests do is not recorded."""
    with recording():
        pass

    assert spans.tracer() is None
