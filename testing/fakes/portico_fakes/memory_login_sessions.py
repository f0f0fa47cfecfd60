from __future__ import annotations

from dataclasses import replace

from portico_authz.domain.login_session import LoginSession
from portico_runtime.process.clock import Clock

from portico_fakes.expiring_records import ExpiringRecords


class MemoryLoginSessions:
    def __init__(self, clock: Clock) -> None:
        self.records: ExpiringRecords[LoginSession] = ExpiringRecords(clock)

    async def save(self, session: LoginSession, seconds: int) -> bool:
        found = self.records.get(session.id)
        if (found.sequence if found else 0) != session.sequence - 1:
            return False
        self.records.put(session.id, replace(session, sids=found.sids if found else ()), seconds)
        return True

    async def find(self, id: str) -> LoginSession | None:
        return self.records.get(id)

    async def add_sid(self, id: str, sid: str) -> bool:
        found = self.records.get(id)
        if found is None:
            return False
        self.records.change(id, replace(found, sids=tuple(dict.fromkeys((*found.sids, sid)))))
        return True

    async def delete(self, session: LoginSession) -> bool:
        found = self.records.get(session.id)
        if (found.sids if found else ()) != session.sids:
            return False
        self.records.drop(session.id)
        return True
