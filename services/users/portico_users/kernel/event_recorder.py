"""What the journal adds to an entry: the details of the new version, the event, the row of the outbox."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from portico_contracts.events import Changed
from portico_contracts.subjects import Event, encode
from portico_oauth.opaque import RandomBytes, b64url
from portico_runtime.clock import Clock

from portico_users.kernel.entry import Document, Entry
from portico_users.kernel.names import new_id
from portico_users.kernel.records import SYSTEM, Record, values_of


@dataclass(frozen=True, slots=True)
class Occurrence:
    """What the event log shows of something that happened and changed no object; it is an object of its own there.

    Args:
        table: what kind of thing happened, as the log names kinds of objects.
        org_id: the organization whose administrators read it.
        values: names and ids only, no secrets.
        actor: who did it.
    """

    table: str
    org_id: str
    action: str
    values: Document
    actor: str = SYSTEM

    def row(self, event_id: str, at: float) -> Document:
        """The entry of the event log."""
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
        }


@dataclass(frozen=True, slots=True)
class EventRecorder:
    """Makes the new version of a record, and its event."""

    clock: Clock
    random: RandomBytes

    def stamp(self) -> tuple[str, float]:
        """The id of an event that happens now, and its time in unix seconds."""
        return new_id(self.random), self.clock.now()

    def next_version(self, entry: Entry[Record]) -> Record:
        """The new version with its details."""
        before: Record | None = entry.before
        after: Record = entry.after
        now = self.clock.now()
        # Clocks of replicas differ; the times of one object still never run backwards.
        changed = max(now, before.changed) if before else now
        created, sequence = (before.created, before.sequence + 1) if before else (now, 1)
        timestamps = dict.fromkeys(entry.timestamps, changed)
        details = {"created": created, "changed": changed, "sequence": sequence, "version": b64url(self.random(12))}
        return entry.table.stamp(msgspec.structs.replace(after, **details, **timestamps), changed)

    def to_event(self, entry: Entry[Record], record: Record, actor: str) -> Changed:
        """The event of an entry."""
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
    """The outbox row of a change of a record."""
    return outbox_row(entry.table.event, event, about=event.aggregate_id, sequence=event.sequence)


def outbox_row(event: Event[Any], body: Any, *, about: str, sequence: int = 0) -> Document:
    """What waits to be published.

    Args:
        about: id of an object; events about one object are published in the order of their times.
        sequence: of the object, for events of one time.
    """
    return {
        "_id": body.event_id,
        "subject": event.subject,
        "object": about,
        "at": body.at,
        "sequence": sequence,
        "body": encode(body),
    }


def event_of(entry: Entry[Record], record: Record, event: Changed) -> Document:
    """The entry of the event log, without private values."""
    values = values_of(record)
    return {
        "_id": event.event_id,
        "table": entry.table.name,
        "object": record.id,
        "orgId": record.org_id,
        "sequence": event.sequence,
        "at": event.at,
        "actor": event.actor,
        "action": event.action,
        "fields": list(event.fields),
        "values": {name: values[name] for name in event.fields if name in values and name not in entry.table.private},
    }
