from __future__ import annotations

from dataclasses import replace

import msgspec
from portico_runtime.redis.client import RedisClient

from portico_authz.domain.pending_logout import PendingLogout
from portico_authz.store import keys, lua


class RedisPendingLogouts:
    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._create = redis.script(lua.source("create_request"))
        self._ensure_csrf = redis.script(lua.source("ensure_csrf"))
        self._replace_csrf = redis.script(lua.source("replace_csrf"))
        self._consume = redis.script(lua.source("consume"))

    async def create(self, request: PendingLogout, seconds: int) -> None:
        text = msgspec.json.encode(request).decode()
        await self._redis.run(self._create, [keys.logout(request.id)], [text, seconds])

    async def find(self, id: str) -> PendingLogout | None:
        if not keys.is_identifier(id):
            return None
        text, csrf = await self._redis.read("HMGET", keys.logout(id), "request", "csrf")
        return replace(msgspec.json.decode(text, type=PendingLogout), csrf=csrf or "") if text else None

    async def ensure_csrf(self, id: str, csrf: str) -> str | None:
        armed = await self._redis.run(self._ensure_csrf, [keys.logout(id)], [csrf])
        return str(armed) if armed else None

    async def replace_csrf(self, id: str, old: str, new: str) -> bool:
        return bool(await self._redis.run(self._replace_csrf, [keys.logout(id)], [old, new]))

    async def consume(self, id: str) -> bool:
        return bool(await self._redis.run(self._consume, [keys.logout(id)], []))
