"""The event log, read: the audit trail of everything that was changed."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.mongo import Database, guarded
from pymongo import DESCENDING
from pymongo.errors import PyMongoError

from portico_users.kernel.entry import Document
from portico_users.kernel.listing import Page, PagedRows
from portico_users.kernel.schema import EVENTS

TOO_MANY_COMPARED = ErrorCode(
    "USER-727",
    Kind.TOO_MANY_REQUESTS,
    "Too many events match.",
    "Choose a shorter period or fewer conditions at once. Each condition alone uses an index.",
)

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
        self._database = database
        self._pages = PagedRows(database[EVENTS], order=("sequence", "_id"), most=COUNTED)

    async def value_before(self, event_id: str, field: str) -> Any:
        """What a field of an object was before an event of it; None where it had none. Raises `unavailable`."""
        rows = self._database[EVENTS]
        async with guarded():
            event = await rows.find_one({"_id": event_id}, {"object": 1, "sequence": 1})
            if event is None:
                return None
            earlier = {"object": event["object"], "sequence": {"$lt": event["sequence"]}, "fields": field}
            found = await rows.find_one(earlier, {f"values.{field}": 1}, sort=[("sequence", DESCENDING)])
        return found["values"].get(field) if found else None

    async def search(self, question: Document, page: Page) -> FoundEvents:
        """A page of the events a question names, by time, those of one object by their numbers.

        Raises:
            ServiceError: USER-727 when several conditions together are met so rarely that the database gives up searching;
                `unavailable` when it cannot be asked.
        """
        async with guarded():
            try:
                total, documents = await self._pages.read(question, page)
            except PyMongoError as error:
                if not error.timeout:
                    raise
                await self._database.command("ping")  # a database that answers was asked too much
                raise TOO_MANY_COMPARED.error() from error
        return FoundEvents(total, [_event(document) for document in documents])


def _event(row: Document) -> LoggedEvent:
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
