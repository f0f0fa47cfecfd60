from __future__ import annotations

from portico_runtime.redis.bounded_records import BoundedRecords
from portico_runtime.redis.client import RedisClient

from portico_authz.store import keys, lua
from portico_authz.store.bounded_texts import BoundedTexts


class RedisPushedRequests:
    def __init__(self, redis: RedisClient, bounded: BoundedRecords) -> None:
        self._redis = redis
        self._stored = BoundedTexts(redis, bounded, dict[str, str], keys.pushed_request)
        self._claim = redis.script(lua.source("claim_pushed"), arguments=("claimant", "earlier", "seconds"))

    async def save(self, id: str, record: dict[str, str], seconds: int, client_address: str) -> None:
        await self._stored.save(id, record, seconds, client_address)

    async def find(self, id: str) -> tuple[dict[str, str], str] | None:
        if not keys.is_identifier(id):
            return None
        both = ("GET", keys.pushed_request(id)), ("GET", keys.pushed_claimant(id))
        text, claimant = await self._redis.read_each(*both)
        parameters = self._stored.decode(text)
        return None if parameters is None else (parameters, claimant or "")

    async def claim(self, id: str, claimant: str, seconds: int, earlier: str = "") -> bool:
        where = [keys.pushed_claimant(id)]
        return bool(await self._redis.run(self._claim, where, claimant=claimant, earlier=earlier, seconds=seconds))
