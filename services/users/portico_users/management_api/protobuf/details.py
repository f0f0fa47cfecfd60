from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NotRequired, TypedDict

from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.generated.portico.object.v2.object_pb2 import Details as _DetailsV2
from portico_contracts.generated.portico.v1.object_pb2 import ObjectDetails

from portico_users.management_api.transport.wire.json_answers import time_text
from portico_users.management_api.transport.wire.json_types import JsonMessage, integer_text, json_type
from portico_users.values.records import Record

Answer = Mapping[str, object]

DETAILS_V1: Final = json_type(ObjectDetails)
DETAILS_V2: Final = json_type(_DetailsV2)


class Details(TypedDict):
    """The fields of `portico.v1.ObjectDetails` and of `portico.object.v2.Details`."""

    sequence: int
    change_date: Timestamp
    resource_owner: str
    creation_date: NotRequired[Timestamp]


def details_of(record: Record) -> Details:
    return {**changed_details_of(record), "creation_date": timestamp_of(record.created)}


def changed_details_of(record: Record) -> Details:
    return Details(sequence=record.sequence, change_date=timestamp_of(record.changed), resource_owner=record.org_id)


def details_json(kind: type[JsonMessage], record: Record) -> JsonMessage:
    """``kind`` is DETAILS_V1 or DETAILS_V2."""
    return kind(
        sequence=integer_text(record.sequence),
        change_date=time_text(record.changed),
        resource_owner=record.org_id,
        creation_date=time_text(record.created),
    )


def timestamp_of(seconds: float) -> Timestamp:
    """Converts unix seconds with microsecond precision."""
    whole, part = divmod(round(seconds * 1_000_000), 1_000_000)
    return Timestamp(seconds=whole, nanos=part * 1_000)


def seconds_of(timestamp: Timestamp) -> float:
    return timestamp.ToMicroseconds() / 1_000_000


def as_read(record: Record) -> Answer:
    return {"details": details_of(record)}


def as_changed(record: Record) -> Answer:
    return {"details": changed_details_of(record)}


def as_deleted(record: Record) -> Answer:
    return {"deletion_date": timestamp_of(record.changed)}
