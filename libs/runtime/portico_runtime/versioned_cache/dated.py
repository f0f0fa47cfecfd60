from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

Facts = TypeVar("Facts")


class Dated(NamedTuple, Generic[Facts]):
    """Data with the `version` of its user (empty: must not be cached) and the field it `depends_on`."""

    facts: Facts
    version: str
    depends_on: str


class Asked(NamedTuple):
    """The state when a request to users started; `second` is of the monotonic clock."""

    second: int
    counter: int
    forgotten: int
