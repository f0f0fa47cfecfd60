from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

Facts = TypeVar("Facts")


class Dated(NamedTuple, Generic[Facts]):
    """Data with its version.

    Attributes:
        version: of the user; empty for data that must not be cached.
        depends_on: the version field of the organization or object it depends on.
    """

    facts: Facts
    version: str
    depends_on: str


class Asked(NamedTuple):
    """The state when a request to users started: `second` of the monotonic clock, `counter` of the lease, and
    how often the cache had been cleared (`forgotten`).
    """

    second: int
    counter: int
    forgotten: int
