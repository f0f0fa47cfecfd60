from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict

from google.protobuf.timestamp_pb2 import Timestamp

from portico_users.kernel.records import Record

Answer = Mapping[str, object]


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


def timestamp_of(seconds: float) -> Timestamp:
    """Converts unix seconds with microsecond precision."""
    whole, part = divmod(round(seconds * 1_000_000), 1_000_000)
    return Timestamp(seconds=whole, nanos=part * 1_000)


def as_read(record: Record) -> Answer:
    return {"details": details_of(record)}


def as_changed(record: Record) -> Answer:
    return {"details": changed_details_of(record)}


def as_deleted(record: Record) -> Answer:
    return {"deletion_date": timestamp_of(record.changed)}
