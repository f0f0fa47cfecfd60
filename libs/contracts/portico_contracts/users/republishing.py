"""Publishing events again that the stream lost, or that a webhook of today never had (decision 0074)."""

from __future__ import annotations

from portico_contracts.subjects import Message, Rpc


class LogPosition(Message, frozen=True):
    """An event in the order of the log."""

    at: float
    sequence: int
    event_id: str


class RepublishEvents(Message, frozen=True):
    """Publishes changes of the event log again, in portions: call it with ``after`` until there is none.

    Attributes:
        since: unix seconds; changes of that time or later.
        until: unix seconds; changes before that time.
        after: where the portion before ended; None for the first one.
    """

    since: float
    until: float
    after: LogPosition | None = None


class EventsRepublished(Message, frozen=True):
    """They are in the outbox: what was there already is not there twice.

    Attributes:
        count: how many there are in this portion.
        after: for the next portion; None when there is none.
    """

    count: int
    after: LogPosition | None = None


REPUBLISH_EVENTS = Rpc("users.v1.events.republish", RepublishEvents, EventsRepublished, ("operator",))
