from __future__ import annotations

from portico_runtime.bounded_records import BoundedRecords
from portico_runtime.redis_client import RedisClient

from portico_authz.store import keys, lua
from portico_authz.store.bounded_texts import BoundedTexts


class RedisPushedRequests:
    def __init__(self, redis: RedisClient, bounded: BoundedRecords) -> None:
        self._redis = redis
        self._bounded = bounded
        self._stored = BoundedTexts(redis, bounded, dict[str, str], keys.pushed_request)
        self._claim = redis.script(lua.counting("claim_pushed"), arguments=("record", "claimant", "seconds"))

    async def save(self, id: str, record: dict[str, str], seconds: int, client_address: str = "") -> None:
        await self._stored.save(id, record, seconds, client_address)

    async def find(self, id: str) -> dict[str, str] | None:
        return await self._stored.find(id)

    async def claim(self, id: str, claimant: str, seconds: int) -> bool:
        key = keys.pushed_request(id)
        where = [key, keys.pushed_claimant(id), *self._bounded.index_keys(key)]
        return bool(await self._redis.run(self._claim, where, record=key, claimant=claimant, seconds=seconds))
