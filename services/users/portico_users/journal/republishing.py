"""From the event log into the outbox once more: the log has every change for good, the stream only for days (decision 0074)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from portico_contracts.activities.activity import CREATED, IMPORTED
from portico_contracts.events import Changed
from portico_contracts.subjects import Event
from portico_contracts.users.republishing import EventsRepublished, LogPosition, RepublishEvents
from portico_runtime.mongo.client import Database, guarded, only_duplicates
from pymongo.errors import BulkWriteError

from portico_users.journal.event_recorder import outbox_row
from portico_users.journal.outbox import Relay
from portico_users.storage.entry import Document
from portico_users.storage.schema import EVENT_ORDER, EVENTS, OUTBOX

PORTION: Final = 1_000


@dataclass(frozen=True, slots=True)
class Republishing:
    """Enqueues changes with their original ids, by which consumers recognize events they already have."""

    database: Database
    relay: Relay
    events: Mapping[str, Event[Changed]]

    async def republish(self, request: RepublishEvents) -> EventsRepublished:
        async with guarded():
            found = await self.database[EVENTS].find(self._question(request), sort=EVENT_ORDER).to_list(PORTION)
            if found:
                await self._enqueue(found)
        return EventsRepublished(count=len(found), after=_position(found[-1]) if len(found) == PORTION else None)

    def _question(self, request: RepublishEvents) -> Document:
        """Excludes log entries that are not changes of an object."""
        since = request.after.at if request.after else request.since
        period = {"table": {"$in": list(self.events)}, "at": {"$gte": since, "$lt": request.until}}
        return {**period, "$or": _later(request.after)} if request.after else period

    async def _enqueue(self, found: list[Document]) -> None:
        rows = [
            outbox_row(self.events[one["table"]], _body(one), about=one["object"], sequence=one["sequence"])
            for one in found
        ]
        try:
            await self.database[OUTBOX].insert_many(rows, ordered=False)
        except BulkWriteError as error:  # those that wait already
            if not only_duplicates(error):
                raise
        self.relay.committed()


def _position(row: Document) -> LogPosition:
    return LogPosition(at=row["at"], sequence=row["sequence"], event_id=row["_id"])


def _later(last: LogPosition) -> list[Document]:
    return [
        {"at": {"$gt": last.at}},
        {"at": last.at, "sequence": {"$gt": last.sequence}},
        {"at": last.at, "sequence": last.sequence, "_id": {"$gt": last.event_id}},
    ]


def _body(row: Document) -> Changed:
    return Changed(
        event_id=row["_id"],
        aggregate_id=row["object"],
        org_id=row["orgId"],
        sequence=row["sequence"],
        at=row["at"],
        actor=row["actor"],
        fields=tuple(row["fields"]),
        action=CREATED if row["action"] == IMPORTED else row["action"],
    )
