"""Sessions of console in memory, with the rules of the store in Redis."""

from __future__ import annotations

from typing import Any

from portico_console.sessions.session import Session
from portico_console.sessions.store import MOST_SHOWN, SHOWN_SECONDS
from portico_oauth.opaque import RandomBytes, bucket_of, new_opaque
from portico_runtime.clock import Clock


class MemoryConsoleSessions:
    """As `portico_console.sessions.store.RedisSessions`, of one process."""

    def __init__(self, clock: Clock, random: RandomBytes, *, idle_seconds: int = 1_800) -> None:
        self._clock = clock
        self._random = random
        self._idle = idle_seconds
        self._sessions: dict[tuple[str, str], tuple[Session, float]] = {}
        self._shown: dict[tuple[str, str], tuple[dict[str, Any], float]] = {}

    async def create(self, session: Session, kind: str) -> str:
        """Stores a new session."""
        handle = new_opaque(bucket_of(session.sub), self._random)
        self._sessions[kind, handle] = session, self._clock.now() + self._idle
        return handle

    async def find(self, handle: str, kind: str) -> Session | None:
        """The session of a handle, which counts as a use of it."""
        session, until = self._sessions.get((kind, handle), (None, 0.0))
        now = self._clock.now()
        if session is None or now >= until or now >= session.ends_at:
            return None
        self._sessions[kind, handle] = session, now + self._idle
        return session

    async def remove(self, handle: str, kind: str) -> None:
        """Ends a session."""
        self._sessions.pop((kind, handle), None)

    async def remove_all(self, sub: str, sid: str, kind: str) -> None:
        """Ends all sessions that began with one session at the provider."""
        wanted = (kind, sub, sid)
        self._sessions = {
            place: stored
            for place, stored in self._sessions.items()
            if (place[0], stored[0].sub, stored[0].sid) != wanted
        }

    async def keep_to_show(self, session: Session, secret: dict[str, Any]) -> str:
        """Keeps something that is shown once."""
        name = new_opaque(bucket_of(session.sub), self._random)
        self._shown[session.sub, name] = secret, self._clock.now() + SHOWN_SECONDS
        of_person = [key for key in self._shown if key[0] == session.sub]
        for key in of_person[: max(0, len(of_person) - MOST_SHOWN)]:
            del self._shown[key]
        return name

    async def take_to_show(self, session: Session, name: str) -> dict[str, Any] | None:
        """What was kept, the first time."""
        secret, until = self._shown.pop((session.sub, name), (None, 0.0))
        return secret if self._clock.now() < until else None
