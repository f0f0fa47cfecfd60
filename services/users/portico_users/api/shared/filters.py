"""Pages and conditions of the newer lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.generated.portico.v1 import filter_pb2 as pb

from portico_users.api.shared.listing import DEFAULT_LIMIT
from portico_users.kernel.entry import Document
from portico_users.kernel.listing import Page

AsQuestion = Callable[[Any], Document]
"""A condition of the .proto file as the database asks it."""

_OPERATORS: Final = {
    pb.TIMESTAMP_FILTER_METHOD_EQUALS: "$eq",
    pb.TIMESTAMP_FILTER_METHOD_AFTER: "$gt",
    pb.TIMESTAMP_FILTER_METHOD_AFTER_OR_EQUALS: "$gte",
    pb.TIMESTAMP_FILTER_METHOD_BEFORE: "$lt",
    pb.TIMESTAMP_FILTER_METHOD_BEFORE_OR_EQUALS: "$lte",
}
_MOST: Final = 2**62
"""Beyond every date, and still a number the database can hold."""


def page_of(pagination: pb.PaginationRequest, sort_by: str) -> Page:
    """The page that is wanted; without a word the first 100."""
    return Page(pagination.offset, pagination.limit or DEFAULT_LIMIT, sort_by, pagination.asc)


def pagination_of(total: int, page: Page) -> pb.PaginationResponse:
    """How many there are, and how many are listed at most."""
    return pb.PaginationResponse(total_result=total, applied_limit=page.limit)


def by_id(member: str) -> AsQuestion:
    """A member that is exactly an id."""
    return lambda condition: {member: condition.id}


def by_timestamp(member: str) -> AsQuestion:
    """A member in microseconds, compared with a point in time."""
    return lambda condition: {member: {_OPERATORS[condition.method]: _microseconds(condition.timestamp)}}


def questions_of(filters: Iterable[Any], known: dict[str, AsQuestion]) -> list[Document]:
    """Conditions of a oneof ``filter``, of which the .proto file demands exactly one.

    Args:
        known: how each is asked, by the name of its field.
    """
    kinds = ((one, one.WhichOneof("filter")) for one in filters)
    return [known[kind](getattr(one, kind)) for one, kind in kinds]


def _microseconds(timestamp: Timestamp) -> int:
    return max(-_MOST, min(_MOST, timestamp.seconds * 1_000_000 + timestamp.nanos // 1_000))
