"""When a factor was set up and last used, as messages have it."""

from __future__ import annotations

from typing import Protocol

from google.protobuf.timestamp_pb2 import Timestamp

from portico_users.api.shared.details import timestamp_of


class Times(Protocol):
    """What knows when: unix seconds, 0 where it was not stored."""

    @property
    def created(self) -> float:
        """When it was set up."""
        ...

    @property
    def used(self) -> float:
        """When it was last used."""
        ...


def times_of(factor: Times | None) -> dict[str, Timestamp]:
    """The members ``creation_date`` and ``last_used``, those that are known."""
    known = {"creation_date": factor.created, "last_used": factor.used} if factor else {}
    return {name: timestamp_of(at) for name, at in known.items() if at}
