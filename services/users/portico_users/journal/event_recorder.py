from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from portico_contracts.activities.activity import IMPORTED
from portico_contracts.activities.table import activity_of
from portico_contracts.events import Changed
from portico_contracts.subjects import Event, encode
from portico_oauth.opaque import RandomBytes, b64url
from portico_runtime.process.clock import Clock

from portico_users.storage.entry import Document, Entry
from portico_users.storage.schema import IMPORT
from portico_users.values.names import new_id
from portico_users.values.records import SYSTEM, Record, values_of


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A log entry that is not a change of an object; ``values`` are only names and ids, no secrets."""

    table: str
    org_id: str
    action: str
    values: Document
    actor: str = SYSTEM

    def row(self, event_id: str, at: float) -> Document:
        return {
            "_id": event_id,
            "table": self.table,
            "object": event_id,
            "orgId": self.org_id,
            "sequence": 1,
            "at": at,
            "actor": self.actor,
            "action": self.action,
            "fields": sorted(self.values),
            "values": self.values,
            "activity": activity_of(self.table, self.action, self.values, self.values).key,
        }


@dataclass(frozen=True, slots=True)
class EventRecorder:
    clock: Clock
    random: RandomBytes

    def stamp(self) -> tuple[str, float]:
        """Returns the id of a new event and its time in unix seconds."""
        return new_id(self.random), self.clock.now()

    def next_version(self, entry: Entry[Record]) -> Record:
        before: Record | None = entry.before
        after: Record = entry.after
        now = self.clock.now()
        # Clocks of replicas differ, but the times of an object must not decrease.
        changed = max(now, before.changed) if before else now
        created, sequence = (before.created, before.sequence + 1) if before else (now, 1)
        timestamps = dict.fromkeys(entry.timestamps, changed)
        details = {"created": created, "changed": changed, "sequence": sequence, "version": b64url(self.random(12))}
        return entry.table.stamp(entry, msgspec.structs.replace(after, **details, **timestamps), changed)

    def to_event(self, entry: Entry[Record], record: Record, actor: str) -> Changed:
        return Changed(
            event_id=new_id(self.random),
            aggregate_id=record.id,
            org_id=record.org_id,
            sequence=record.sequence,
            at=record.changed,
            actor=actor,
            fields=entry.fields,
            action=entry.action,
        )


def row_of_change(entry: Entry[Record], event: Changed) -> Document:
    return outbox_row(entry.table.event, event, about=event.aggregate_id, sequence=event.sequence)


def outbox_row(event: Event[Any], body: Any, *, about: str, sequence: int = 0) -> Document:
    """Returns the row of an event; events about one object are published by time, then sequence."""
    return {
        "_id": body.event_id,
        "subject": event.subject,
        "object": about,
        "at": body.at,
        "sequence": sequence,
        "body": encode(body),
    }


def event_of(entry: Entry[Record], record: Record, event: Changed, values: Document | None = None) -> Document:
    """`values` are those of the record, where the caller has them."""
    private = entry.table.private
    names = [name for name in event.fields if name not in private]
    values, old = values or values_of(record), values_of(entry.before) if entry.before else {}
    after = {name: values[name] for name in names if name in values}
    # The values that a deletion removes are not written once more.
    before = {name: old[name] for name in after if name in old} if event.action == "updated" else {}
    action = IMPORTED if entry.import_event else event.action
    row = {
        "_id": event.event_id,
        "table": entry.table.name,
        "object": record.id,
        "orgId": record.org_id,
        "sequence": event.sequence,
        "at": event.at,
        "actor": event.actor,
        "action": action,
        "fields": list(event.fields),
        "values": after,
        "activity": activity_of(entry.table.name, action, event.fields, after, before).key,
    }
    row |= {IMPORT: entry.import_event} if entry.import_event else {}
    return row | ({"before": before} if before else {})
