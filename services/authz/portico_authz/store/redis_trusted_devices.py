"""Trusted devices in Redis: a hash for each user, by device, and the handles of a trusted browser that were replaced."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from portico_runtime.redis.client import RedisClient

from portico_authz.domain.trusted_device import MOST_DEVICES, ReplacedHandle, TrustedDevice
from portico_authz.store import keys, lua

_device = msgspec.json.Decoder(TrustedDevice).decode
_replaced = msgspec.json.Decoder(ReplacedHandle).decode


class RedisTrustedDevices:
    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._save = redis.script(lua.source("save_trusted_device"), arguments=("id", "device", "seconds"))
        self._end = redis.script(lua.source("end_trusted_devices"))
        self._remember = redis.script(lua.source("remember_handle"))

    async def save(self, user_id: str, device: TrustedDevice, seconds: int) -> None:
        others = sorted(
            (one for one in await self.list(user_id) if one.id != device.id), key=lambda one: one.since, reverse=True
        )
        beyond = [one.id for one in others[MOST_DEVICES - 1 :]]
        text = msgspec.json.encode(device).decode()
        where = [keys.trusted_devices(user_id)]
        await self._redis.run(self._save, where, beyond, id=device.id, device=text, seconds=seconds)

    async def find(self, user_id: str, device_id: str) -> TrustedDevice | None:
        text = await self._redis.read("HGET", keys.trusted_devices(user_id), device_id)
        return _device(text) if text else None

    async def list(self, user_id: str) -> tuple[TrustedDevice, ...]:
        texts = await self._redis.read("HVALS", keys.trusted_devices(user_id))
        return tuple(_device(text) for text in texts)

    async def end(self, user_id: str, device_ids: Sequence[str] = ()) -> int:
        return int(await self._redis.run(self._end, [keys.trusted_devices(user_id)], device_ids))

    async def remember_handle(self, handle: str, replaced: ReplacedHandle, seconds: int) -> None:
        text = msgspec.json.encode(replaced).decode()
        await self._redis.run(self._remember, [keys.replaced_handle(handle)], [text, seconds])

    async def find_handle(self, handle: str) -> ReplacedHandle | None:
        text = await self._redis.read("GET", keys.replaced_handle(handle)) if keys.is_identifier(handle) else None
        return _replaced(text) if text else None
