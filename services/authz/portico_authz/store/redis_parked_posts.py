"""Parameters of posted authorization requests in Redis, for the few minutes until the GET comes."""

from __future__ import annotations

import msgspec
from portico_runtime.redis_client import RedisClient

from portico_authz.store import keys, lua


class RedisParkedPosts:
    """Implements `domain.ports.ParkedPosts`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._keep = redis.script(lua.source("keep"))

    async def park(self, id: str, parameters: dict[str, str], seconds: int) -> None:
        """See `ParkedPosts.park`."""
        await self._redis.run(self._keep, [keys.parked(id)], [msgspec.json.encode(parameters).decode(), seconds])

    async def find(self, id: str) -> dict[str, str] | None:
        """See `ParkedPosts.find`."""
        text = await self._redis.read("GET", keys.parked(id)) if keys.is_ours(id) else None
        return msgspec.json.decode(text, type=dict[str, str]) if text else None
