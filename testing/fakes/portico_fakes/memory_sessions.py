from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from portico_authz.domain.ended_session import EndedSession
from portico_authz.domain.session import Session
from portico_runtime.process.clock import Clock

from portico_fakes.expiring_records import ExpiringRecords


class MemorySessions:
    def __init__(self, clock: Clock) -> None:
        self.records: ExpiringRecords[Session] = ExpiringRecords(clock)
        self.ended: dict[str, EndedSession] = {}

    async def save(self, session: Session, seconds: int, *, again: bool = False) -> bool:
        found = self.records.get(session.sid)
        if found.ended if found is not None else again:
            return False
        self.records.put(session.sid, session, seconds)
        return True

    async def find(self, sid: str) -> Session | None:
        return self.records.get(sid)

    async def use(self, session: Session, client_id: str, now: float) -> bool:
        stored = self.records.get(session.sid)
        if stored is None or stored.ended:
            return False
        self.records.put(session.sid, replace(stored, idle_until=session.idle_until), session.seconds_left(now))
        record = self.ended.get(session.sid, EndedSession(session))
        self.ended[session.sid] = replace(record, clients=tuple(sorted({*record.clients, client_id})))
        return True

    async def list_sids(self, user_id: str) -> tuple[str, ...]:
        mine = [session for session in self.records.values() if session.user_id == user_id]
        return tuple(one.sid for one in mine if not self.ended.get(one.sid, EndedSession(one)).revoked)

    async def end(self, sid: str, seconds: int, client_id: str = "", actor: str = "") -> None:
        found = self.records.get(sid)
        if found is not None and not found.ended:
            self.records.put(sid, replace(found, ended=True), seconds)
            self.ended[sid] = replace(self.ended.get(sid, EndedSession(found)), ended_by=client_id, actor=actor)


class MemoryLogoutQueue:
    def __init__(self, sessions: MemorySessions) -> None:
        self._sessions = sessions
        self.queue: dict[str, float] = {}

    async def enqueue(self, sids: Sequence[str], due: float) -> None:
        self.queue.update(dict.fromkeys(sids, due))

    async def claim(self, now: float, until: float, most: int) -> tuple[str, ...]:
        due = sorted((when, sid) for sid, when in self.queue.items() if when <= now)[:most]
        self.queue.update({sid: until for _when, sid in due})
        return tuple(sid for _when, sid in due)

    async def find_next_time(self) -> float | None:
        return min(self.queue.values(), default=None)

    async def find(self, sid: str) -> EndedSession | None:
        session = self._sessions.records.get(sid)
        if session is None or not session.ended:
            return None
        return replace(self._sessions.ended.get(sid, EndedSession(session)), session=session)

    async def set_revoked(self, session: Session) -> None:
        await self._change(session.sid, revoked=True)

    async def set_published(self, sid: str) -> None:
        await self._change(sid, published=True)

    async def set_notified(self, sid: str, client_ids: Sequence[str]) -> None:
        found = await self.find(sid)
        if found is not None:
            await self._change(sid, clients=tuple(one for one in found.clients if one not in client_ids))

    async def count_attempt(self, sid: str) -> int:
        found = await self.find(sid)
        attempts = found.attempts + 1 if found else 0
        await self._change(sid, attempts=attempts)
        return attempts

    async def complete(self, sid: str) -> None:
        self.queue.pop(sid, None)
        if await self.find(sid) is not None:
            self._sessions.records.drop(sid)
            self._sessions.ended.pop(sid, None)

    async def _change(self, sid: str, **changes: Any) -> None:
        found = await self.find(sid)
        if found is not None:
            self._sessions.ended[sid] = replace(found, **changes)
