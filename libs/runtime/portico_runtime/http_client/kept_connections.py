"""Connections that are used again, for one owner and one server each (decision 0163).

A connection leads to the address that was checked when it was opened, whatever the name resolves to now (IP-03).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from portico_runtime.http_client.outbound_connection import OutboundConnection

IDLE_SECONDS: Final = 4.0
"""Less than the five seconds after which common servers (Node.js, Apache, uvicorn) close an idle connection."""

LONGEST_SECONDS: Final = 60.0
"""How long a connection may be used: the delay with which a name that has moved is followed."""

MOST: Final = 16
"""Of all owners, without a request."""


class Place(NamedTuple):
    """`owner` is the provider with its version, so that no other one, and none that was changed, gets the connection."""

    owner: str
    scheme: str
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class _Idle:
    place: Place
    connection: OutboundConnection
    since: float


class KeptConnections:
    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.now = monotonic
        self._idle: list[_Idle] = []

    def take(self, place: Place) -> OutboundConnection | None:
        """Returns the connection that was used last. It is here again only by `keep`."""
        self._end_old()
        for idle in reversed(self._idle):
            if idle.place == place:
                self._idle.remove(idle)
                return idle.connection
        return None

    def keep(self, place: Place, connection: OutboundConnection) -> None:
        """Closes the connection unless it can be used again, and the oldest one where there are too many."""
        if not connection.is_reusable():
            connection.close()
            return
        self._idle.append(_Idle(place, connection, self.now()))
        self._end_old()

    def close(self) -> None:
        for idle in self._idle:
            idle.connection.close()
        self._idle.clear()

    def _end_old(self) -> None:
        kept = [idle for idle in self._idle if self._is_usable(idle)][-MOST:]
        for idle in self._idle:
            if idle not in kept:
                idle.connection.close()
        self._idle = kept

    def _is_usable(self, idle: _Idle) -> bool:
        now = self.now()
        is_recent = now - idle.since < IDLE_SECONDS and now - idle.connection.opened_at < LONGEST_SECONDS
        return is_recent and idle.connection.is_open
