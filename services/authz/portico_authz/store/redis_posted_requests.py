"""Parameters of posted authorization requests in Redis, for the few minutes until the GET that follows."""

from __future__ import annotations

import asyncio

import msgspec
from portico_runtime.bounded_records import BoundedRecords
from portico_runtime.redis_client import RedisClient

from portico_authz.store import keys, lua


class RedisPostedRequests:
    """Implements `domain.ports.PostedRequests`."""

    def __init__(self, redis: RedisClient, bounded: BoundedRecords) -> None:
        self._redis = redis
        self._bounded = bounded
        self._save = redis.script(lua.source("store_text"))

    async def save(self, id: str, parameters: dict[str, str], seconds: int, client_address: str = "") -> None:
        """See `PostedRequests.save`."""
        key, text = keys.posted_request(id), msgspec.json.encode(parameters)
        await asyncio.gather(
            self._redis.run(self._save, [key], [text.decode(), seconds]),
            self._bounded.admit(key, len(text), seconds, client_address),
        )

    async def find(self, id: str) -> dict[str, str] | None:
        """See `PostedRequests.find`."""
        text = await self._redis.read("GET", keys.posted_request(id)) if keys.is_identifier(id) else None
        return msgspec.json.decode(text, type=dict[str, str]) if text else None
