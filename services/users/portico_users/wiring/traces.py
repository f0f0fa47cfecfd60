"""Traces: those of the other services come over the bus, users stores its own."""

from __future__ import annotations

from portico_runtime.clock import Clock
from portico_runtime.traces.recorder import TraceRecorder

from portico_users.traces.explanations import TraceExplanations
from portico_users.traces.trace_store import TraceStore
from portico_users.wiring.parts import Parts


def add_traces(parts: Parts) -> None:
    """Adds the room."""
    parts.offer(TraceStore, TraceExplanations, _recorder)


def _recorder(store: TraceStore, clock: Clock) -> TraceRecorder:
    return TraceRecorder(store.record, clock)
