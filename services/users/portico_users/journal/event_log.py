from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from portico_contracts.activities.activity import CREATED, IMPORTED, Activity
from portico_contracts.activities.table import activity_of
from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.mongo.client import Database, guarded
from pymongo import ASCENDING, DESCENDING
from pymongo.errors import PyMongoError

from portico_users.storage.entry import Document
from portico_users.storage.listing import Page, PagedRows
from portico_users.storage.schema import ENDED_BY, EVENTS

TOO_MANY_COMPARED = ErrorCode(
    "USER-727",
    Kind.TOO_MANY_REQUESTS,
    "Too many events match.",
    "Choose a shorter period or fewer conditions at once. Each condition alone uses an index.",
)

_NAMES: Final = ["displayName", "name"]

COUNTED: Final = 10_000
"""Counting stops here, because the log grows without limit."""


def ended_by_another(user_id: str) -> Document:
    """Matches sessions of a user whose end has another actor."""
    return {"values.userId": user_id, ENDED_BY: {"$exists": True}}


def of_user(user_id: str) -> Document:
    """Matches changes of a user and by a user, and what happened to the user's sessions."""
    return {"$or": [{"object": user_id}, {"actor": user_id}, ended_by_another(user_id)]}


class LoggedEvent(NamedTuple):
    """An event; ``values`` are the new values of the fields and ``before`` the old ones, without secrets and bulk.

    Events of older releases have no old values.
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
    before: Document

    @property
    def type(self) -> str:
        """The action in answers."""
        return CREATED if self.action == IMPORTED else self.action

    @property
    def activity(self) -> Activity:
        return activity_of(self.table, self.action, self.fields, self.values, self.before)


class Position(NamedTuple):
    """The place of an event in a list by time."""

    at: float
    sequence: int
    id: str


class FoundEvents(NamedTuple):
    """`total` is 0 where it was not counted, as on pages that follow another; `next` is None on the last page."""

    total: int
    events: list[LoggedEvent]
    next: Position | None = None


class EventLog:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._pages = PagedRows(database[EVENTS], order=("sequence", "_id"), most=COUNTED)

    async def value_before(self, event_id: str, field: str) -> Any:
        """Returns the value of a field before an event; None if it had none. Raises `unavailable`."""
        rows = self._database[EVENTS]
        async with guarded():
            event = await self._place_of(event_id)
            if event is None:
                return None
            earlier = {"object": event["object"], "sequence": {"$lt": event["sequence"]}, "fields": field}
            found = await rows.find_one(earlier, {f"values.{field}": 1}, sort=[("sequence", DESCENDING)])
        return found["values"].get(field) if found else None

    async def first_since(self, event_id: str, since: float) -> str:
        """Returns the id of the object's first event from ``since`` (unix seconds) to the given one."""
        rows = self._database[EVENTS]
        async with guarded():
            event = await self._place_of(event_id)
            if event is None:
                return event_id
            later = {"object": event["object"], "sequence": {"$lte": event["sequence"]}, "at": {"$gte": since}}
            found = await rows.find_one(later, {"_id": 1}, sort=[("sequence", ASCENDING)])
        return str(found["_id"]) if found else event_id

    async def changed_from(self, event_id: str, condition: Document) -> bool:
        """Reports whether an event matches that is the given one or a later one of its object."""
        rows = self._database[EVENTS]
        async with guarded():
            event = await self._place_of(event_id)
            if event is None:
                return False
            later = {"object": event["object"], "sequence": {"$gte": event["sequence"]}}
            return await rows.find_one(later | condition, {"_id": 1}) is not None

    async def _place_of(self, event_id: str) -> Document | None:
        """Returns the object of an event, and its place among the object's events."""
        found: Document | None = await self._database[EVENTS].find_one({"_id": event_id}, {"object": 1, "sequence": 1})
        return found

    async def find_last_names(self, ids: Collection[str]) -> dict[str, str]:
        """Returns the last names of removed objects, as far as the log has them."""
        if not ids:
            return {}
        named = {"$ifNull": ["$values.displayName", "$values.name"]}
        steps: list[Document] = [
            {"$match": {"object": {"$in": list(ids)}, "action": {"$ne": "deleted"}, "fields": {"$in": _NAMES}}},
            {"$sort": {"object": DESCENDING, "sequence": DESCENDING}},
            {"$group": {"_id": "$object", "name": {"$first": named}}},
        ]
        async with guarded():
            rows: list[Document] = await self._database[EVENTS].aggregate(steps).to_list(len(ids))
        return {row["_id"]: row["name"] for row in rows if isinstance(row["name"], str)}

    async def search(
        self, question: Document, page: Page, after: Position | None = None, *, counted: bool = True
    ) -> FoundEvents:
        """Returns a page by time, of one object by sequence; USER-727 if filters match too rarely (timeout).

        Not ``counted``: for alternatives, of which each has an index, but counting reads every event.
        """
        total = 0
        async with guarded():
            try:
                if after or not counted:
                    documents = await self._pages.follow(question, page, after)
                else:
                    total, documents = await self._pages.read(question, page)
            except PyMongoError as error:
                if not error.timeout:
                    raise
                await self._database.command("ping")  # a database that answers was asked too much
                raise TOO_MANY_COMPARED.error() from error
        events = [_event(document) for document in documents]
        last = events[-1] if len(events) == page.limit else None
        return FoundEvents(total, events, Position(last.at, last.sequence, last.id) if last else None)


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
        before=row.get("before", {}),
    )
