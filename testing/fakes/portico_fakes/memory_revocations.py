from __future__ import annotations

from portico_runtime.process.clock import Clock
from portico_token.domain.revocations import Issued, IssuedKind, StatelessToken

from portico_fakes.memory_grants import MemoryGrants


class MemoryRevocations:
    def __init__(self, grants: MemoryGrants, clock: Clock) -> None:
        self._grants = grants
        self._clock = clock
        self._denied: set[str] = set()
        self._epoch = 0.0

    def lose_everything(self) -> None:
        self._denied.clear()
        self._grants.held.clear()
        self._grants.users_ended.clear()
        self._epoch = int(self._clock.now()) + 1

    async def find_issued(self, grant_id: str, fingerprint: str) -> Issued | None:
        self._grants.refuse_when_down()
        held = self._grants.held.get(grant_id)
        if held is None:
            return None
        if token := held.tokens.get(fingerprint):
            return Issued(held.grant, IssuedKind.ACCESS_TOKEN, token.client_id or held.grant.client_id)
        if fingerprint in held.spent or (held.refresh and held.refresh.fingerprint == fingerprint):
            return Issued(held.grant, IssuedKind.REFRESH_TOKEN, held.grant.client_id)
        return None

    async def revoke_access_token(self, grant_id: str, fingerprint: str) -> None:
        self._grants.refuse_when_down()
        if held := self._grants.held.get(grant_id):
            held.tokens.pop(fingerprint, None)

    async def revoke_user(self, user_id: str, seconds: int) -> int:
        self._grants.refuse_when_down()
        now = int(self._clock.now() * 1000)
        self._grants.users_ended[user_id] = max(now, self._grants.users_ended.get(user_id, 0))
        ended = [held.grant.id for held in self._grants.held.values() if held.grant.user_id == user_id]
        for grant_id in ended:
            del self._grants.held[grant_id]
        return len(ended)

    async def deny(self, token: StatelessToken) -> None:
        self._grants.refuse_when_down()
        self._denied.add(token.id)

    async def version_if_active(self, token: StatelessToken) -> str | None:
        self._grants.refuse_when_down()
        is_active = (
            token.issued // 1000 >= self._epoch
            and token.id not in self._denied
            and token.issued > self._grants.users_ended.get(token.user_id, -1)
        )
        return self._grants.version_of(token.user_id) if is_active else None
