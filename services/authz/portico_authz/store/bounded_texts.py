"""Records of one type in Redis: the JSON text of each under one key, counted among the bounded records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import msgspec
from portico_runtime.redis.bounded_records import COUNT, BoundedRecords
from portico_runtime.redis.client import RedisClient

from portico_authz.store import keys, lua

Record = TypeVar("Record")


class BoundedTexts(Generic[Record]):
    """Implements `domain.ports.Records`.

    Args:
        key: the Redis key of an identifier.
    """

    def __init__(
        self, redis: RedisClient, bounded: BoundedRecords, kind: type[Record], key: Callable[[str], str]
    ) -> None:
        self._redis = redis
        self._bounded = bounded
        self._decoder = msgspec.json.Decoder(kind)
        self._key = key
        self._save = redis.script(lua.counting("store_text"), arguments=(*COUNT, "text"))
        self._consume = redis.script(lua.source("consume"))

    async def save(self, id: str, record: Record, seconds: int, client_address: str = "") -> None:
        key, text = self._key(id), msgspec.json.encode(record)
        await self._bounded.store(self._save, key, len(text), seconds, client_address, text=text.decode())

    async def find(self, id: str) -> Record | None:
        return self.decode(await self._redis.read("GET", self._key(id)) if keys.is_identifier(id) else None)

    def decode(self, text: str | None) -> Record | None:
        return self._decoder.decode(text) if text else None

    async def consume(self, id: str) -> bool:
        return bool(await self._redis.run(self._consume, [self._key(id)], []))
