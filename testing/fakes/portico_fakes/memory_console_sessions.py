from __future__ import annotations

from typing import Any

import msgspec
from portico_console.sessions.session import KeptForm, Session
from portico_console.sessions.store import FORM_SECONDS, MOST_SHOWN, SHOWN_SECONDS, WORK_SECONDS
from portico_oauth.opaque import RandomBytes, bucket_of, new_opaque
from portico_runtime.process.clock import Clock


class MemoryConsoleSessions:
    """Like `portico_console.sessions.store.RedisSessions`, within one process."""

    def __init__(self, clock: Clock, random: RandomBytes, *, idle_seconds: int = 1_800) -> None:
        self._clock = clock
        self._random = random
        self._idle = idle_seconds
        self._sessions: dict[tuple[str, str], tuple[Session, float]] = {}
        self._work: dict[tuple[str, str], tuple[dict[str, Any], float]] = {}
        self._shown: dict[tuple[str, str], tuple[Any, float]] = {}

    async def create(self, session: Session, kind: str) -> str:
        handle = new_opaque(bucket_of(session.sub), self._random)
        self._sessions[kind, handle] = session, self._clock.now() + self._idle
        return handle

    async def find(self, handle: str, kind: str) -> Session | None:
        """Counts as a use of the session."""
        session, until = self._sessions.get((kind, handle), (None, 0.0))
        now = self._clock.now()
        if session is None or now >= until or now >= session.ends_at:
            return None
        self._sessions[kind, handle] = session, now + self._idle
        return session

    async def remove(self, handle: str, kind: str) -> None:
        self._sessions.pop((kind, handle), None)

    async def remove_all(self, sub: str, sid: str, kind: str) -> None:
        """Deletes all sessions that began with one provider session."""
        wanted = (kind, sub, sid)
        self._sessions = {
            place: stored
            for place, stored in self._sessions.items()
            if (place[0], stored[0].sub, stored[0].sid) != wanted
        }

    async def keep_to_show(self, session: Session, secret: dict[str, Any]) -> str:
        """Stores a secret that is shown once."""
        return self._keep(session, secret, SHOWN_SECONDS)

    async def keep_form(self, session: Session, form: KeptForm) -> str:
        return self._keep(session, form, FORM_SECONDS)

    def _keep(self, session: Session, shown: Any, seconds: int) -> str:
        name = new_opaque(bucket_of(session.sub), self._random)
        self._shown[session.sub, name] = shown, self._clock.now() + seconds
        of_person = [key for key in self._shown if key[0] == session.sub]
        for key in of_person[: max(0, len(of_person) - MOST_SHOWN)]:
            del self._shown[key]
        return name

    async def take_to_show(self, session: Session, name: str) -> dict[str, Any] | None:
        """Returns the secret at the first call only."""
        found: dict[str, Any] | None = self._take(session, name)
        return found

    async def take_form(self, session: Session, name: str) -> KeptForm | None:
        found: KeptForm | None = self._take(session, name)
        return found

    def _take(self, session: Session, name: str) -> Any:
        found, until = self._shown.pop((session.sub, name), (None, 0.0))
        return found if self._clock.now() < until else None

    def everything(self) -> str:
        """What is stored of secrets, forms and work, as text."""
        return msgspec.json.encode(
            [[one for one, _until in kept.values()] for kept in (self._shown, self._work)]
        ).decode()

    async def keep_work(self, session: Session, place: str, work: dict[str, Any]) -> None:
        self._work[session.sub, place] = work, self._clock.now() + WORK_SECONDS

    async def find_work(self, session: Session, place: str) -> dict[str, Any] | None:
        work, until = self._work.get((session.sub, place), (None, 0.0))
        return work if self._clock.now() < until else None

    async def drop_work(self, session: Session, place: str) -> None:
        self._work.pop((session.sub, place), None)
