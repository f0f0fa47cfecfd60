"""Facts with what makes them current, and when they were requested."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

Facts = TypeVar("Facts")


class Dated(NamedTuple, Generic[Facts]):
    """Facts with what makes them current.

    Attributes:
        version: of the person; empty for facts that may not be remembered.
        depends_on: the field of the directory they depend on.
    """

    facts: Facts
    version: str
    depends_on: str


class Asked(NamedTuple):
    """When a question began.

    Attributes:
        second: of the monotonic clock.
        counter: of the lease.
        forgotten: how often everything had been forgotten.
    """

    second: int
    counter: int
    forgotten: int
