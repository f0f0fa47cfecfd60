"""The details of every list: the time it was read at, and the sequence of the last change in it."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message
from portico_contracts.generated.portico.object.v2.object_pb2 import Details
from portico_contracts.generated.portico.v1.object_pb2 import ListDetails, ObjectDetails


def add_list_details(answer: Message, now: float) -> None:
    """Completes the details of a list; other answers stay as they are.

    Lists are read from the store of record, so that they are as of the time of the request.

    Args:
        now: unix seconds at which the call was about to read.
    """
    details: Any = getattr(answer, "details", None)
    if not isinstance(details, ListDetails):
        return
    details.view_timestamp.FromMicroseconds(round(now * 1_000_000))
    details.processed_sequence = max((_sequence(item) for item in _items(answer)), default=0)


def _items(answer: Message) -> list[Any]:
    """The listed messages, whatever the list is called."""
    return [
        item
        for field, value in answer.ListFields()
        if field.is_repeated and field.message_type is not None
        for item in value
    ]


def _sequence(item: Any) -> int:
    details = getattr(item, "details", None)
    return details.sequence if isinstance(details, ObjectDetails | Details) else 0
