"""Logouts that wait for their confirmation in Redis: as authorization requests, one hash each."""

from __future__ import annotations

from dataclasses import replace

import msgspec
from portico_runtime.redis_client import RedisClient

from portico_authz.domain.logout_request import LogoutRequest
from portico_authz.store import keys, lua


class RedisLogoutRequests:
    """Implements `domain.ports.LogoutRequests`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._create = redis.script(lua.source("create_request"))
        self._arm = redis.script(lua.source("arm_csrf"))
        self._swap = redis.script(lua.source("swap_csrf"))
        self._consume = redis.script(lua.source("consume"))

    async def create(self, request: LogoutRequest, seconds: int) -> None:
        """See `LogoutRequests.create`."""
        text = msgspec.json.encode(request).decode()
        await self._redis.run(self._create, [keys.logout(request.id)], [text, seconds])

    async def find(self, id: str) -> LogoutRequest | None:
        """See `LogoutRequests.find`."""
        if not keys.is_ours(id):
            return None
        text, csrf = await self._redis.read("HMGET", keys.logout(id), "request", "csrf")
        return replace(msgspec.json.decode(text, type=LogoutRequest), csrf=csrf or "") if text else None

    async def arm(self, id: str, csrf: str) -> str | None:
        """See `LogoutRequests.arm`."""
        armed = await self._redis.run(self._arm, [keys.logout(id)], [csrf])
        return str(armed) if armed else None

    async def swap(self, id: str, old: str, new: str) -> bool:
        """See `LogoutRequests.swap`."""
        return bool(await self._redis.run(self._swap, [keys.logout(id)], [old, new]))

    async def consume(self, id: str) -> bool:
        """See `LogoutRequests.consume`."""
        return bool(await self._redis.run(self._consume, [keys.logout(id)], []))
