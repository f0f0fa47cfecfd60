"""The event log, read: the audit trail of everything that was changed."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from portico_runtime.mongo import Database, guarded

from portico_users.kernel.entry import Document
from portico_users.kernel.listing import Page
from portico_users.kernel.paged_rows import PagedRows
from portico_users.kernel.schema import EVENTS

COUNTED: Final = 10_000
"""Events are counted no further: a log grows for ever."""


class LoggedEvent(NamedTuple):
    """One event.

    Attributes:
        table: what kind of object it is about.
        action: ``created``, ``updated`` or ``deleted``.
        values: what the fields are now, without what is secret or bulky.
    """

    id: str
    table: str
    object: str
    org_id: str
    sequence: int
    at: float
    actor: str
    action: str
    fields: tuple[str, ...]
    values: Document


class FoundEvents(NamedTuple):
    """A page, and how many there are in all, up to `COUNTED`."""

    total: int
    events: list[LoggedEvent]


class EventLog:
    """Finds events."""

    def __init__(self, database: Database) -> None:
        self._pages = PagedRows(database[EVENTS], order=("sequence", "_id"), most=COUNTED)

    async def search(self, question: Document, page: Page) -> FoundEvents:
        """A page of the events a question names, by time, those of one object by their numbers.

        Raises:
            ServiceError: `unavailable` when the database cannot be asked.
        """
        async with guarded():
            total, documents = await self._pages.read(question, page)
        return FoundEvents(total, [_event(document) for document in documents])


def _event(row: dict[str, Any]) -> LoggedEvent:
    return LoggedEvent(
        id=row["_id"],
        table=row["table"],
        object=row["object"],
        org_id=row["orgId"],
        sequence=row["sequence"],
        at=row["at"],
        actor=row["actor"],
        action=row["action"],
        fields=tuple(row["fields"]),
        values=row["values"],
    )
