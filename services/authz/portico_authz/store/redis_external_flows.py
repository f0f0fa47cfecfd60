from __future__ import annotations

import asyncio

import msgspec
from portico_runtime.bounded_records import BoundedRecords
from portico_runtime.redis_client import RedisClient

from portico_authz.domain.external import ExternalFlow, Mismatch, ParkedReturn
from portico_authz.store import keys, lua
from portico_authz.store.bounded_texts import BoundedTexts


class RedisExternalFlows:
    def __init__(self, redis: RedisClient, bounded: BoundedRecords) -> None:
        self._redis = redis
        self._bounded = bounded
        self._create = redis.script(lua.source("store_external"), arguments=("flow", "browser", "provider", "seconds"))
        self._claim = redis.script(lua.source("claim_external"))
        self._parked = BoundedTexts(redis, bounded, ParkedReturn, keys.parked_return)

    async def create(self, state: str, flow: ExternalFlow, seconds: int) -> None:
        key, text = keys.external_flow(state), msgspec.json.encode(flow)
        created = self._redis.run(
            self._create, [key], flow=text.decode(), browser=flow.browser_id, provider=flow.provider_id, seconds=seconds
        )
        await asyncio.gather(created, self._bounded.admit(key, len(text), seconds))

    async def find(self, state: str) -> ExternalFlow | None:
        if not keys.is_identifier(state):
            return None
        [text] = await self._redis.read("HMGET", keys.external_flow(state), "flow")
        return msgspec.json.decode(text, type=ExternalFlow) if text else None

    async def claim(self, state: str, browser_id: str, provider_id: str) -> ExternalFlow | Mismatch | None:
        if not keys.is_identifier(state):
            return None
        found = await self._redis.run(self._claim, [keys.external_flow(state)], [browser_id, provider_id])
        if not found:
            return None
        if str(found) in (Mismatch.BROWSER, Mismatch.PROVIDER):
            return Mismatch(str(found))
        await self._bounded.forget(keys.external_flow(state))
        return msgspec.json.decode(str(found), type=ExternalFlow)

    async def park(self, handle: str, parked: ParkedReturn, seconds: int, client_address: str = "") -> None:
        await self._parked.save(handle, parked, seconds, client_address)

    async def find_parked(self, handle: str) -> ParkedReturn | None:
        return await self._parked.find(handle)

    async def consume_parked(self, handle: str) -> bool:
        return await self._parked.consume(handle)
