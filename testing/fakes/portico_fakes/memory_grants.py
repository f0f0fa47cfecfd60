from __future__ import annotations

from dataclasses import dataclass, field

import msgspec
from portico_oauth.clock_leeway import is_issued_ahead
from portico_oauth.errors import UNAVAILABLE
from portico_runtime.process.clock import Clock
from portico_runtime.versioned_cache import keys
from portico_token.domain.grants import (
    AccessToken,
    AddResult,
    Exchange,
    FoundAccessToken,
    FoundRefreshToken,
    Grant,
    RefreshToken,
    Rotation,
    RotationResult,
    SaveResult,
    UserGrant,
)
from portico_token.store import redis_grants

from portico_fakes.clock import FrozenClock
from portico_fakes.memory_versions import MemoryVersions


@dataclass(slots=True)
class StoredGrant:
    """One grant with all its tokens."""

    grant: Grant
    tokens: dict[str, AccessToken]
    expires: int
    refresh: RefreshToken | None = None
    spent: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    ended: dict[str, float] = field(default_factory=dict)


class MemoryGrants:
    """Passes the same conformance tests as the store on Redis."""

    def __init__(self, versions: MemoryVersions | None = None, clock: Clock | None = None) -> None:
        self._clock = clock or FrozenClock()
        self._versions = versions
        self.held: dict[str, StoredGrant] = {}
        """Every live grant by id."""
        self.users_ended: dict[str, int] = {}
        """Unix milliseconds up to which everything of a user is revoked, by user."""
        self.clients_ended: dict[tuple[str, str], float] = {}
        self._revoked: set[str] = set()
        self._over: set[tuple[str, str]] = set()
        self.down = False
        """When true, everything is `unavailable`."""

    def version_of(self, user_id: str) -> str:
        """Returns the version of the cached user; empty without one."""
        return self._versions.text_of(keys.user(user_id)) if self._versions else ""

    async def save(
        self, grant: Grant, fingerprint: str, token: AccessToken, refresh: RefreshToken | None = None
    ) -> SaveResult:
        self.refuse_when_down()
        if grant.session_id and (grant.user_id, grant.session_id) in self._over:
            return SaveResult.SESSION_ENDED
        if int(grant.created * 1000) <= self.users_ended.get(grant.user_id, -1):
            return SaveResult.USER_REVOKED
        if grant.id in self._revoked or grant.id in self.held:
            return SaveResult.ALREADY_REVOKED
        if grant.created <= self.clients_ended.get((grant.user_id, grant.client_id), -1.0):
            return SaveResult.CLIENT_ENDED
        self.held[grant.id] = StoredGrant(grant, {fingerprint: token}, _expiry(token, refresh), refresh)
        return SaveResult.SAVED

    async def find(self, grant_id: str, fingerprint: str) -> FoundAccessToken | None:
        self.refuse_when_down()
        held = self.held.get(grant_id)
        if held is None or fingerprint not in held.tokens:
            return None
        return FoundAccessToken(held.grant, held.tokens[fingerprint], self.version_of(held.grant.user_id))

    async def find_refresh(self, grant_id: str, fingerprint: str) -> FoundRefreshToken | None:
        self.refuse_when_down()
        held = self.held.get(grant_id)
        if held is None or held.refresh is None:
            return None
        return FoundRefreshToken(
            held.grant, held.refresh, fingerprint in held.spent, self.version_of(held.grant.user_id)
        )

    async def rotate(self, grant: Grant, rotation: Rotation) -> RotationResult:
        self.refuse_when_down()
        held = self.held.get(grant.id)
        if held is None or held.refresh is None:
            return RotationResult.REFUSED
        current, now = held.refresh, rotation.refresh.issued
        if rotation.presented == current.fingerprint:
            previous, rotated_at = current.fingerprint, now
        elif rotation.presented == current.previous and now - current.rotated_at < rotation.grace:
            if held.grant.jkt not in ("", rotation.access.jkt):
                return RotationResult.REFUSED
            previous, rotated_at = current.previous, current.rotated_at
        elif rotation.presented in held.spent:
            await self.revoke(grant.id)
            return RotationResult.REUSED
        else:
            return RotationResult.REFUSED
        if now >= current.idle_until or is_issued_ahead(current.issued, now):
            return RotationResult.REFUSED
        held.spent = [*held.spent, current.fingerprint][-redis_grants.MAX_SPENT_TOKENS :]
        held.refresh = msgspec.structs.replace(rotation.refresh, previous=previous, rotated_at=rotated_at)
        held.tokens[rotation.access_fingerprint] = rotation.access
        if rotation.with_grant:
            held.grant = grant
        held.expires = _expiry(rotation.access, rotation.refresh)
        return RotationResult.ROTATED

    async def add(
        self, grant_id: str, exchange: Exchange, fingerprint: str, token: AccessToken, most: int
    ) -> AddResult:
        self.refuse_when_down()
        held = self.held.get(grant_id)
        if held is None or exchange.subject not in held.tokens:
            return AddResult.ENDED
        if exchange.began <= held.ended.get(token.client_id, -1.0):
            return AddResult.ENDED
        held.added = [one for one in held.added if one in held.tokens and held.tokens[one].expires > token.issued]
        if len(held.added) >= most:
            return AddResult.TOO_MANY
        held.added.append(fingerprint)
        held.tokens[fingerprint] = token
        return AddResult.ADDED

    async def access_ended(self, user_id: str, client_id: str) -> float:
        self.refuse_when_down()
        return max(self.clients_ended.get((user_id, client_id), 0.0), 0.0)

    async def revoke(self, grant_id: str) -> bool:
        self.refuse_when_down()
        self.held.pop(grant_id, None)
        first = grant_id not in self._revoked
        self._revoked.add(grant_id)
        return first

    async def list_of_user(self, user_id: str) -> list[UserGrant]:
        self.refuse_when_down()
        mine = [held for held in self.held.values() if held.grant.user_id == user_id]
        mine.sort(key=lambda held: (held.expires, held.grant.id), reverse=True)
        return [UserGrant(held.grant, held.refresh) for held in mine[: redis_grants.MOST_LISTED]]

    async def revoke_client(self, user_id: str, client_id: str) -> int:
        self.refuse_when_down()
        wanted = (user_id, client_id)
        ended = [held.grant.id for held in self.held.values() if (held.grant.user_id, held.grant.client_id) == wanted]
        for grant_id in ended:
            await self.revoke(grant_id)
        self.clients_ended[wanted] = self._clock.now()
        for held in self.held.values():
            if held.grant.user_id == user_id:
                held.ended[client_id] = self._clock.now()
                held.tokens = {key: one for key, one in held.tokens.items() if one.client_id != client_id}
        return len(ended)

    async def revoke_session(self, user_id: str, session_id: str) -> int:
        self.refuse_when_down()
        self._over.add((user_id, session_id))
        ended = [
            held.grant.id
            for held in self.held.values()
            if (held.grant.user_id, held.grant.session_id) == (user_id, session_id)
        ]
        for grant_id in ended:
            del self.held[grant_id]
        return len(ended)

    def refuse_when_down(self) -> None:
        if self.down:
            raise UNAVAILABLE.error(retry_after=1, part="memory")


def _expiry(token: AccessToken, refresh: RefreshToken | None) -> int:
    return max(token.expires, refresh.idle_until if refresh else 0)
