"""Where an object stands, as every answer says it."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.generated.portico.v1.object_pb2 import ObjectDetails

from portico_users.domain.records import Record


def details_of(record: Record) -> ObjectDetails:
    """Sequence, times and owner of an object that is read."""
    return ObjectDetails(
        sequence=record.sequence,
        creation_date=moment(record.created),
        change_date=moment(record.changed),
        resource_owner=record.org_id,
    )


def changed_details_of(record: Record) -> ObjectDetails:
    """Sequence, time and owner of an object that was just changed."""
    return ObjectDetails(sequence=record.sequence, change_date=moment(record.changed), resource_owner=record.org_id)


def moment(seconds: float) -> Timestamp:
    """Unix seconds as a message, to the microsecond."""
    timestamp = Timestamp()
    timestamp.FromMicroseconds(round(seconds * 1_000_000))
    return timestamp
