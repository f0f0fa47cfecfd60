"""Without a tracer there are no spans, and what came from outside is passed on."""

from __future__ import annotations

import pytest
from portico_contracts import context, spans

CAME = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_a_part_is_nothing_while_spans_are_off() -> None:
    """What is called carries on the trace that came, and an exception leaves as it is."""
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


def test_served_work_passes_on_what_came_while_spans_are_off() -> None:
    """A traceparent of another process reaches what this one calls."""
    before = context.TRACE_PARENT.set("")
    try:
        with spans.served("a subject", spans.NONE, CAME) as span:
            during = context.TRACE_PARENT.get()
        after = context.TRACE_PARENT.get()
    finally:
        context.TRACE_PARENT.reset(before)

    assert (span, during, after) == (None, CAME, "")
