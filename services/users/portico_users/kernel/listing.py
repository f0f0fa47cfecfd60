"""Pages of lists."""

from __future__ import annotations

from typing import Generic, NamedTuple

from portico_users.kernel.records import AnyRecord


class Page(NamedTuple):
    """Which part of a list.

    Attributes:
        sort_by: a member of the stored documents.
    """

    offset: int
    limit: int
    sort_by: str
    ascending: bool


class Listed(NamedTuple, Generic[AnyRecord]):
    """A page, and how many there are in all."""

    total: int
    records: list[AnyRecord]
