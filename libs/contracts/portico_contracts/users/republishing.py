"""Republishing of events that the stream lost, or that a new webhook never received (decision 0074)."""

from __future__ import annotations

from portico_contracts.subjects import Message, Rpc


class LogPosition(Message, frozen=True):
    """An event's position in the log."""

    at: float
    sequence: int
    event_id: str


class RepublishEvents(Message, frozen=True):
    """Republishes changes in batches, until ``after`` is None; `since` inclusive, `until` exclusive unix seconds."""

    since: float
    until: float
    after: LogPosition | None = None


class EventsRepublished(Message, frozen=True):
    """The events are in the outbox, without duplicates of those already there; `after` is None at the end."""

    count: int
    after: LogPosition | None = None


REPUBLISH_EVENTS = Rpc("users.v1.events.republish", RepublishEvents, EventsRepublished, ("operator",))
