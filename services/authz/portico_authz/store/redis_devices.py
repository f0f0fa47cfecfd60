from __future__ import annotations

from typing import Final

from portico_contracts.authz import CodeGrant
from portico_contracts.subjects import decode, encode
from portico_oauth.clock_leeway import CLOCK_LEEWAY, is_issued_ahead
from portico_runtime.redis.bounded_records import BoundedRecords
from portico_runtime.redis.client import RedisClient

from portico_authz.domain.device import (
    INTERVAL,
    JITTER,
    SLOWER,
    DeviceRequest,
    Poll,
    PollOutcome,
    secret_of,
    user_code_in,
)
from portico_authz.store import keys, lua

_NAMES: Final = ("secret", "client_id", "scope", "asked_at", "expires_at", "address", "country", "resource")

REMEMBERED: Final = 600
"""Seconds that an expired device is still known, so that it learns why."""


class RedisDevices:
    def __init__(self, redis: RedisClient, bounded: BoundedRecords) -> None:
        self._redis = redis
        self._bounded = bounded
        self._store = redis.script(lua.source("store_device"))
        self._answer = redis.script(
            lua.source("answer_device"), arguments=("secret", "request", "now", "leeway", "state", "grant")
        )
        self._poll = redis.script(
            lua.source("poll_device"),
            arguments=("client_id", "secret", "now", "leeway", "jitter", "slower", "claiming"),
        )

    async def create(self, device: DeviceRequest, seconds: int, client_address: str) -> bool:
        fields = {name: str(getattr(device, name)) for name in _NAMES} | {"interval": str(INTERVAL)}
        pairs = [text for pair in fields.items() for text in pair]
        key = keys.device(device.user_code)
        if not await self._redis.run(self._store, [key], [seconds + REMEMBERED, *pairs]):
            return False
        await self._bounded.admit(key, sum(map(len, pairs)), seconds + REMEMBERED, client_address)
        return True

    async def find_waiting(self, user_code: str, now: float) -> DeviceRequest | None:
        found = await self._redis.read("HMGET", keys.device(user_code), *_NAMES, "state")
        if found[0] is None or found[-1]:
            return None
        secret, client_id, scope, asked_at, expires_at, address, country, resource, _ = found
        device = DeviceRequest(
            user_code, secret, client_id, scope, float(asked_at), float(expires_at), address, country, resource
        )
        return None if now >= device.expires_at or is_issued_ahead(device.asked_at, now) else device

    async def answer(self, device: DeviceRequest, request_id: str, grant: CodeGrant | None, now: float) -> bool:
        outcome = PollOutcome.APPROVED if grant else PollOutcome.DENIED
        answered = await self._redis.run(
            self._answer,
            [keys.device(device.user_code)],
            secret=device.secret,
            request=request_id,
            now=now,
            leeway=CLOCK_LEEWAY,
            state=outcome.value,
            grant=encode(grant).decode() if grant else "",
        )
        return bool(answered)

    async def poll(self, device_code: str, client_id: str, now: float) -> Poll:
        return await self._ask(device_code, client_id, now)

    async def claim(self, device_code: str, client_id: str, now: float) -> Poll:
        return await self._ask(device_code, client_id, now, claiming="1")

    async def _ask(self, device_code: str, client_id: str, now: float, claiming: str = "") -> Poll:
        user_code = user_code_in(device_code)
        if not user_code:
            return Poll(PollOutcome.UNKNOWN)
        outcome, *grant = await self._redis.run(
            self._poll,
            [keys.device(user_code)],
            client_id=client_id,
            secret=secret_of(device_code),
            now=now,
            leeway=CLOCK_LEEWAY,
            jitter=JITTER,
            slower=SLOWER,
            claiming=claiming,
        )
        return Poll(PollOutcome(outcome), decode(grant[0].encode(), CodeGrant) if grant else None)


class RedisTries:
    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._count = redis.script(lua.source("count_try"))
        self._give_back = redis.script(lua.source("give_back_try"))

    async def count(self, whose: str, seconds: int) -> int:
        return int(await self._redis.run(self._count, [keys.tries(whose)], [seconds]))

    async def give_back(self, whose: str) -> None:
        await self._redis.run(self._give_back, [keys.tries(whose)], [])
