"""Limits the Redis records that unauthenticated callers may create.

An owner, such as a client address or a user, may have a number of records; all records together may use a
share of Redis's memory, divided equally among the buckets. Beyond a limit the oldest record is deleted,
unless its hash has the field ``proven``, set once something was verified for it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from typing import Any, Final

from portico_oauth.opaque import bucket_of, fingerprint

from portico_runtime.redis_client import RedisClient
from portico_runtime.redis_memory import maximum_memory
from portico_runtime.redis_nodes.history import BUCKETS

MEASURE_SECONDS: Final = 60.0

_BESIDE: Final = 512

_SIZE_OF_AN_OWNER: Final = 128

_COUNT: Final = """
-- Counts a record, and returns the oldest ones beyond the budget. KEYS: records by their end, their sizes.
-- Arguments: record, size, seconds, budget.
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local function forget(one)
  redis.call('ZREM', KEYS[1], one)
  local known = redis.call('HGET', KEYS[2], one)
  if known then
    redis.call('HDEL', KEYS[2], one)
    redis.call('HINCRBY', KEYS[2], 'total', -known)
  end
end
for _, one in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, 100)) do forget(one) end
forget(record)
redis.call('ZADD', KEYS[1], now + seconds, record)
redis.call('HSET', KEYS[2], record, size)
local total = redis.call('HINCRBY', KEYS[2], 'total', size)
local dropped = {}
while total > tonumber(budget) do
  local oldest = redis.call('ZRANGE', KEYS[1], 0, 1)
  local one = oldest[1] == record and oldest[2] or oldest[1]
  if not one or one == record then break end
  forget(one)
  dropped[#dropped + 1] = one
  total = tonumber(redis.call('HGET', KEYS[2], 'total'))
end
for position = 1, 2 do
  if redis.call('TTL', KEYS[position]) < tonumber(seconds) then redis.call('EXPIRE', KEYS[position], seconds) end
end
return dropped
"""
_COUNT_OF_OWNER: Final = """
-- Counts a record of an owner, and returns the oldest ones beyond the number. KEYS: records by their end.
-- Arguments: record, seconds, most.
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + seconds, record)
local beyond, dropped = redis.call('ZCARD', KEYS[1]) - tonumber(most), {}
for _, one in ipairs(beyond > 0 and redis.call('ZRANGE', KEYS[1], 0, beyond) or {}) do
  if one ~= record and #dropped < beyond then
    redis.call('ZREM', KEYS[1], one)
    dropped[#dropped + 1] = one
  end
end
if redis.call('TTL', KEYS[1]) < tonumber(seconds) then redis.call('EXPIRE', KEYS[1], seconds) end
return dropped
"""
_FORGET: Final = """
-- Counts a record no more. KEYS: records by their end, their sizes, in _DROP the record.
-- Arguments: record.
local known = redis.call('HGET', KEYS[2], record)
redis.call('ZREM', KEYS[1], record)
if known then
  redis.call('HDEL', KEYS[2], record)
  redis.call('HINCRBY', KEYS[2], 'total', -known)
end
"""
_REMOVE: Final = """
-- Counts a record of an owner no more. KEYS: records by their end.
-- Arguments: record.
return redis.call('ZREM', KEYS[1], record)
"""
_DROP: Final = f"""
{_FORGET}
if redis.call('TYPE', KEYS[3]).ok == 'hash' and redis.call('HEXISTS', KEYS[3], 'proven') == 1 then return 0 end
return redis.call('DEL', KEYS[3])
"""


class BoundedRecords:
    def __init__(self, redis: RedisClient, service: str, *, most: int, share: float) -> None:
        """`most` limits the records of one owner; `share` is the share of Redis's memory for all records."""
        self._redis = redis
        self._service = service
        self._most = most
        self._share = share
        self._budget = 0
        self._measured_until = 0.0
        self._count = redis.script(_COUNT, arguments=("record", "size", "seconds", "budget"))
        self._count_of_owner = redis.script(_COUNT_OF_OWNER, arguments=("record", "seconds", "most"))
        self._forget = redis.script(f"{_FORGET} return 1", arguments=("record",))
        self._drop = redis.script(_DROP, arguments=("record",))
        self._remove = redis.script(_REMOVE, arguments=("record",))

    async def admit(self, key: str, size: int, seconds: int, owner: str = "") -> None:
        """Counts a record of `size` bytes and `seconds` lifetime; deletes the oldest beyond the limits."""
        counted = [self._admit(key, size, seconds)]
        if owner:
            # The counters of owners use memory too, and the number of addresses is unlimited.
            owner_key = self._owner_key(owner)
            counted.append(self._admit(owner_key, _SIZE_OF_AN_OWNER, seconds))
            counted.append(self._admit_of_owner(owner_key, key, seconds))
        beyond = await asyncio.gather(*counted)
        await asyncio.gather(*(self._drop_record(one) for dropped in beyond for one in dropped))

    async def forget(self, key: str, owner: str = "") -> None:
        """Stops counting a record that was used or deleted. Raises `unavailable`."""
        forgotten = [self._forget_key(key)]
        if owner:
            owner_key = self._owner_key(owner)
            forgotten += [self._forget_key(owner_key), self._redis.run(self._remove, [owner_key], record=key)]
        await asyncio.gather(*forgotten)

    async def _admit(self, key: str, size: int, seconds: int) -> list[str]:
        budget = await self._budget_of_bucket()
        beyond = await self._redis.run(
            self._count, self._index_keys(key), record=key, size=size + _BESIDE, seconds=seconds, budget=budget
        )
        return [str(one) for one in beyond]

    async def _admit_of_owner(self, owner_key: str, key: str, seconds: int) -> list[str]:
        beyond = await self._redis.run(self._count_of_owner, [owner_key], record=key, seconds=seconds, most=self._most)
        return [str(one) for one in beyond]

    def _forget_key(self, key: str) -> Awaitable[Any]:
        return self._redis.run(self._forget, self._index_keys(key), record=key)

    async def _drop_record(self, key: str) -> None:
        await self._redis.run(self._drop, [*self._index_keys(key), key], record=key)

    async def _budget_of_bucket(self) -> int:
        now = time.monotonic()
        if now >= self._measured_until:
            self._budget = int(await maximum_memory(self._redis) * self._share / len(BUCKETS))
            self._measured_until = now + MEASURE_SECONDS
        return self._budget

    def _index_keys(self, key: str) -> list[str]:
        bucket = key[key.index("{") + 1 : key.index("}")]
        return [f"{self._service}:{{{bucket}}}:open", f"{self._service}:{{{bucket}}}:open-sizes"]

    def _owner_key(self, owner: str) -> str:
        return f"{self._service}:{{{bucket_of(owner)}}}:open-of:{fingerprint(owner)}"
