from __future__ import annotations

import msgspec
from portico_runtime.redis.bounded_records import COUNT, BoundedRecords
from portico_runtime.redis.client import RedisClient

from portico_authz.domain.external import ExternalFlow, Mismatch
from portico_authz.store import keys, lua


class RedisExternalFlows:
    def __init__(self, redis: RedisClient, bounded: BoundedRecords) -> None:
        self._redis = redis
        self._bounded = bounded
        stored = ("flow", "browser", "provider")
        self._create = redis.script(lua.counting("store_external"), arguments=(*COUNT, *stored))
        self._claim = redis.script(lua.counting("claim_external"))

    async def create(self, state: str, flow: ExternalFlow, seconds: int) -> None:
        key, text = keys.external_flow(state), msgspec.json.encode(flow)
        stored = {"flow": text.decode(), "browser": flow.browser_id, "provider": flow.provider_id}
        await self._bounded.store(self._create, key, len(text), seconds, flow.client_address, **stored)

    async def find(self, state: str) -> ExternalFlow | None:
        if not keys.is_identifier(state):
            return None
        [text] = await self._redis.read("HMGET", keys.external_flow(state), "flow")
        return msgspec.json.decode(text, type=ExternalFlow) if text else None

    async def claim(self, state: str, browser_id: str, provider_id: str) -> ExternalFlow | Mismatch | None:
        if not keys.is_identifier(state):
            return None
        key = keys.external_flow(state)
        where = [key, *self._bounded.index_keys(key)]
        found = await self._redis.run(self._claim, where, [browser_id, provider_id, key])
        if not found:
            return None
        if str(found) in (Mismatch.BROWSER, Mismatch.PROVIDER):
            return Mismatch(str(found))
        flow = msgspec.json.decode(str(found), type=ExternalFlow)
        await self._bounded.forget_of_owner(flow.client_address, key)
        return flow
