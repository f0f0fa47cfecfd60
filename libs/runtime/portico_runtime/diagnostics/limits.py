"""Rate limits of diagnostics: refused requests need no account, so their number must not matter."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from portico_runtime.process.clock import Clock

MINUTE: Final = 60.0
UNKNOWN: Final = ""
"""Counter of all requests of unknown clients."""


@dataclass(frozen=True, slots=True)
class PerMinute:
    """`of_client` is for one client, and for all unknown ones together; `in_all` also limits the memory."""

    of_client: int
    in_all: int


REFUSED_PER_MINUTE: Final = PerMinute(of_client=60, in_all=600)
ISSUED_PER_MINUTE: Final = PerMinute(of_client=5, in_all=300)
STORED_PER_MINUTE: Final = PerMinute(of_client=240, in_all=3_000)
"""Limit of a replica of users, independent of the senders."""


@dataclass(slots=True)
class MinuteLimit:
    clock: Clock
    limits: PerMinute
    _began: float = 0.0
    _count: int = 0
    _by_client: dict[str, int] = field(default_factory=dict)

    def has_room(self, client_id: str) -> bool:
        """Reports what `admits` would, without counting."""
        now = self.clock.now()
        # A clock that was set back starts another minute.
        if not 0 <= now - self._began < MINUTE:
            self._began, self._count = now, 0
            self._by_client.clear()
        return self._count < self.limits.in_all and self._by_client.get(client_id, 0) < self.limits.of_client

    def admits(self, client_id: str) -> bool:
        if not self.has_room(client_id):
            return False
        self._by_client[client_id] = self._by_client.get(client_id, 0) + 1
        self._count += 1
        return True


class OwnedLimit:
    """Limits what is done about things that organizations name: none of them uses up what is left for others."""

    def __init__(self, clock: Clock, limits: PerMinute, *, of_owner: int) -> None:
        """`limits` are for one thing and for all, `of_owner` for all things of an organization."""
        self._things = MinuteLimit(clock, limits)
        self._owners = MinuteLimit(clock, PerMinute(of_owner, limits.in_all))

    def has_room(self, thing: str, owner: str) -> bool:
        return self._things.has_room(thing) and self._owners.has_room(owner)

    def admits(self, thing: str, owner: str) -> bool:
        """Counts for both, or for neither: a flood about one thing uses up nothing of its owner."""
        return self.has_room(thing, owner) and self._things.admits(thing) and self._owners.admits(owner)
