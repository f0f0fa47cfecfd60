"""The event log for the operator's command line, with the sentences of the console."""

from __future__ import annotations

from portico_contracts.subjects import Message, Rpc


class ListEvents(Message, frozen=True):
    """Requests a page, newest first; empty fields are no conditions.

    `since` is inclusive and `until` exclusive, in unix seconds; `types` as in the management API; `after` is the
    `next` of the previous page.
    """

    limit: int
    since: float = 0.0
    until: float = 0.0
    types: tuple[str, ...] = ()
    activity: str = ""
    user_id: str = ""
    org_id: str = ""
    after: str = ""


class ListedChange(Message, frozen=True):
    """A changed value as text; secret values are only named."""

    field: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class ListedEvent(Message, frozen=True):
    """An entry of the log; `at` is in unix seconds, `summary` the sentence in English."""

    event_id: str
    at: float
    type: str
    activity: str
    summary: str
    actor: str
    kind: str
    object: str
    org_id: str
    changes: tuple[ListedChange, ...] = ()


class EventsListed(Message, frozen=True):
    """A page; `next` is empty on the last one."""

    events: tuple[ListedEvent, ...] = ()
    next: str = ""


LIST_EVENTS = Rpc("users.v1.events.list", ListEvents, EventsListed, ("operator",))
