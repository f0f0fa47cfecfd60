"""The details of a stored object in every response: its sequence, its times and its owner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict

from google.protobuf.timestamp_pb2 import Timestamp

from portico_users.kernel.records import Record

Answer = Mapping[str, object]
"""The fields of an answer that identify the version of an object."""


class Details(TypedDict):
    """The fields of `portico.v1.ObjectDetails` and of `portico.object.v2.Details`: the constructor of an answer makes
    the one of its API from it, with that API's field numbers.
    """

    sequence: int
    change_date: Timestamp
    resource_owner: str
    creation_date: NotRequired[Timestamp]


def details_of(record: Record) -> Details:
    """Sequence, times and owner of an object that is read."""
    return {**changed_details_of(record), "creation_date": timestamp_of(record.created)}


def changed_details_of(record: Record) -> Details:
    """Sequence, time and owner of an object that was just changed."""
    return Details(sequence=record.sequence, change_date=timestamp_of(record.changed), resource_owner=record.org_id)


def timestamp_of(seconds: float) -> Timestamp:
    """Unix seconds as a message, to the microsecond."""
    whole, part = divmod(round(seconds * 1_000_000), 1_000_000)
    return Timestamp(seconds=whole, nanos=part * 1_000)


def as_read(record: Record) -> Answer:
    """An answer with all details."""
    return {"details": details_of(record)}


def as_changed(record: Record) -> Answer:
    """An answer with the details of an object that was just changed."""
    return {"details": changed_details_of(record)}


def as_deleted(record: Record) -> Answer:
    """An answer with the time at which a part of the object was deleted."""
    return {"deletion_date": timestamp_of(record.changed)}
