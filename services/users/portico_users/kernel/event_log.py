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
"""Counting stops here, because the log grows without limit."""


class LoggedEvent(NamedTuple):
    """An event; ``values`` are the new values of the fields, without secrets and bulk."""

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
    total: int
    events: list[LoggedEvent]


class EventLog:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._pages = PagedRows(database[EVENTS], order=("sequence", "_id"), most=COUNTED)

    async def value_before(self, event_id: str, field: str) -> Any:
        """Returns the value of a field before an event; None if it had none. Raises `unavailable`."""
        rows = self._database[EVENTS]
        async with guarded():
            event = await rows.find_one({"_id": event_id}, {"object": 1, "sequence": 1})
            if event is None:
                return None
            earlier = {"object": event["object"], "sequence": {"$lt": event["sequence"]}, "fields": field}
            found = await rows.find_one(earlier, {f"values.{field}": 1}, sort=[("sequence", DESCENDING)])
        return found["values"].get(field) if found else None

    async def search(self, question: Document, page: Page) -> FoundEvents:
        """Returns a page by time, of one object by sequence; USER-727 if filters match too rarely (timeout)."""
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
