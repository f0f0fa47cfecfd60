from __future__ import annotations

import asyncio

import pytest
from opentelemetry.trace import StatusCode
from portico_contracts import context
from portico_contracts.spans import NONE, SpanKind, part, served, tracer
from portico_fakes.clock import FrozenClock
from portico_harness.collector import NOT_SAMPLED, PARENT, recording
from portico_runtime.spans.otel_tracer import LONGEST_IN_GATEWAY


def test_span_belongs_to_the_incoming_trace() -> None:
    """Spans use the ids of W3C Trace Context, and calls are children of the current span."""
    with recording() as recorded, part("outer") as outer:
        inside = context.TRACE_PARENT.get()
        with part("inner", {"server.address": "example.com"}):
            pass
    inner, ended = recorded.ended()

    assert outer is not None
    assert outer.trace_parent == inside
    assert inside.startswith(PARENT[:36])
    assert (inner.name, ended.name) == ("inner", "outer")
    assert inner.parent is not None
    assert f"{inner.parent.span_id:016x}" == inside.split("-")[2]
    assert ended.parent is not None
    assert f"{ended.parent.span_id:016x}" == PARENT.split("-")[2]
    assert dict(inner.attributes or {}) == {"server.address": "example.com"}


def test_sequential_spans_are_siblings() -> None:
    with recording() as recorded:
        with part("one"):
            pass
        with part("other"):
            pass
    one, other = recorded.ended()

    assert one.parent == other.parent


@pytest.mark.parametrize("parent", ["", NOT_SAMPLED, f"{NOT_SAMPLED[:-1]}2"])
def test_unsampled_work_has_no_span(parent: str) -> None:
    """Background work starts no trace, and an unsampled trace stays unsampled everywhere."""
    with recording(parent) as recorded, part("one") as span, served("two", NONE, parent) as other:
        pass

    assert (span, other, recorded.ended()) == (None, None, [])


@pytest.mark.parametrize(("ratio", "flag", "count"), [(1.0, "01", 2), (0.0, "00", 0)])
def test_sampling_is_decided_where_a_trace_begins(ratio: float, flag: str, count: int) -> None:
    """The decision is propagated, so that no other process decides again."""
    with recording("", ratio=ratio) as recorded:
        current = tracer()
        assert current is not None
        begun = [current.begin(SpanKind.SERVER, "GET", NONE, ""), current.begin_at_gateway(0.0, NONE)]
        for span in begun:
            span.set("one", 1)
            span.rename("other")
            span.end()
    parents = [span.trace_parent for span in begun]

    assert all(context.is_trace_parent(parent) for parent in parents)
    assert {parent[-3:] for parent in parents} == {f"-{flag}"}
    assert len(set(parents)) == 2
    assert len(recorded.ended()) == count


def test_exception_shows_its_class_only() -> None:
    """The text of an exception may repeat private data, so the span has only its class (IN-09)."""
    with recording() as recorded, pytest.raises(ValueError, match="secret"), part("one"):
        raise ValueError("a secret")
    span = recorded.only()

    assert span.status.status_code is StatusCode.ERROR
    assert dict(span.attributes or {}) == {"error.type": "ValueError"}
    assert not span.events
    assert not span.status.description


async def test_concurrent_tasks_have_separate_spans() -> None:
    begun = asyncio.Event()

    async def first() -> None:
        with part("first"):
            begun.set()
            await asyncio.sleep(0)

    async def second() -> None:
        await begun.wait()
        with part("second"):
            pass

    with recording() as recorded:
        await asyncio.gather(first(), second())
    parents = {span.name: span.parent for span in recorded.ended()}

    assert parents["first"] == parents["second"]


@pytest.mark.parametrize(
    ("seconds_ago", "shown"), [(0.5, 0.5), (59.0, 59.0), (LONGEST_IN_GATEWAY, 0.0), (-0.1, 0.0), (1e9, 0.0)]
)
def test_gateway_span_begins_at_the_noted_time(seconds_ago: float, shown: float) -> None:
    """An implausible start, noted by a wrong clock, is replaced by the present."""
    clock = FrozenClock()
    with recording("", clock=clock) as recorded:
        current = tracer()
        assert current is not None
        current.begin_at_gateway(clock.now() - seconds_ago, {"http.request.method": "GET"}).end()
    span = recorded.only()

    assert span.start_time is not None
    assert clock.now() - span.start_time / 1e9 == pytest.approx(shown, abs=0.001)
    assert span.resource.attributes["service.name"] == "portico-gateway"


@pytest.mark.parametrize("kind", list(SpanKind))
def test_span_kinds_are_those_of_opentelemetry(kind: SpanKind) -> None:
    with recording() as recorded, part("one", kind=kind):
        pass

    assert recorded.only().kind.name == kind.name


def test_sample_ratio_is_respected() -> None:
    """Of two thousand traces a quarter is sampled, with a tolerance exceeded once in a million runs."""
    with recording("", ratio=0.25) as recorded:
        current = tracer()
        assert current is not None
        for _ in range(2_000):
            current.begin(SpanKind.SERVER, "GET", NONE, "").end()

    assert 400 < len(recorded.ended()) < 600


@pytest.mark.parametrize("came", ["00-1", "00-x-y-01", f"{PARENT}1", "canary-1"])
def test_invalid_traceparent_is_ignored(came: str) -> None:
    with recording("") as recorded, served("a subject", NONE, came) as span:
        during = context.TRACE_PARENT.get()

    assert (span, during, recorded.ended()) == (None, "", [])
