"""Parameters of posted authorization requests in Redis, for the few minutes until the GET that follows."""

from __future__ import annotations

import msgspec
from portico_runtime.redis_client import RedisClient

from portico_authz.store import keys, lua


class RedisPostedRequests:
    """Implements `domain.ports.PostedRequests`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._save = redis.script(lua.source("store_text"))

    async def save(self, id: str, parameters: dict[str, str], seconds: int) -> None:
        """See `PostedRequests.save`."""
        await self._redis.run(
            self._save, [keys.posted_request(id)], [msgspec.json.encode(parameters).decode(), seconds]
        )

    async def find(self, id: str) -> dict[str, str] | None:
        """See `PostedRequests.find`."""
        text = await self._redis.read("GET", keys.posted_request(id)) if keys.is_identifier(id) else None
        return msgspec.json.decode(text, type=dict[str, str]) if text else None
