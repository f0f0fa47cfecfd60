"""What the journal adds to an entry: the details of the new version, the event, the row of the outbox."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from portico_contracts.events import Changed
from portico_contracts.subjects import encode
from portico_oauth.opaque import RandomBytes
from portico_runtime.clock import Clock

from portico_users.domain.names import new_id
from portico_users.domain.records import Record, values_of
from portico_users.journal.entry import Document, Entry


@dataclass(frozen=True, slots=True)
class Scribe:
    """Writes down what happened, and when."""

    clock: Clock
    random: RandomBytes

    def stamped(self, entry: Entry[Any]) -> Record:
        """The new version with its details."""
        before: Record | None = entry.before
        after: Record = entry.after
        now = self.clock.now()
        if before is None:
            return msgspec.structs.replace(after, created=now, changed=now, sequence=1)
        # Clocks of replicas differ; the times of one object still never run backwards.
        changed = max(now, before.changed)
        return msgspec.structs.replace(after, created=before.created, changed=changed, sequence=before.sequence + 1)

    def said(self, entry: Entry[Any], record: Record, actor: str) -> tuple[Document, Document]:
        """The event of an entry, and its row of the outbox."""
        said = Changed(
            event_id=new_id(self.random),
            aggregate_id=record.id,
            org_id=record.org_id,
            sequence=record.sequence,
            at=record.changed,
            actor=actor,
            fields=entry.fields,
            action=entry.action,
        )
        row = {
            "_id": said.event_id,
            "subject": entry.table.event.subject,
            "object": record.id,
            "at": said.at,
            "sequence": said.sequence,
            "body": encode(said),
        }
        return _event(entry, record, said), row


def _event(entry: Entry[Any], record: Record, said: Changed) -> Document:
    values = values_of(record)
    return {
        "_id": said.event_id,
        "table": entry.table.name,
        "object": record.id,
        "orgId": record.org_id,
        "sequence": said.sequence,
        "at": said.at,
        "actor": said.actor,
        "action": said.action,
        "fields": list(said.fields),
        "values": {name: values[name] for name in said.fields if name in values and name not in entry.table.private},
    }
