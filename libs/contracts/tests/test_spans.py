from __future__ import annotations

import pytest
from portico_contracts import context, spans

CAME = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_without_tracer_a_span_passes_the_trace_on() -> None:
    """Without a tracer the incoming trace context is passed on and exceptions propagate unchanged."""
    before = context.TRACE_PARENT.set(CAME)
    try:
        with spans.part("GET", {"http.request.method": "GET"}) as span:
            during = context.TRACE_PARENT.get()
        with pytest.raises(KeyError, match="its own"), spans.part("GET"):
            raise KeyError("its own")
    finally:
        context.TRACE_PARENT.reset(before)

    assert (span, during) == (None, CAME)
    assert spans.begin_part("GET") is None


def test_without_tracer_incoming_traceparent_is_passed_on() -> None:
    before = context.TRACE_PARENT.set("")
    try:
        with spans.served("a subject", spans.NONE, CAME) as span:
            during = context.TRACE_PARENT.get()
        after = context.TRACE_PARENT.get()
    finally:
        context.TRACE_PARENT.reset(before)

    assert (span, during, after) == (None, CAME, "")
