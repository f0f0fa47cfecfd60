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

from portico_oauth.errors import Kind, ServiceError
from portico_oauth.opaque import bucket_of, fingerprint

from portico_runtime.redis_client import RedisClient
from portico_runtime.redis_memory import maximum_memory
from portico_runtime.redis_nodes.history import BUCKETS
from portico_runtime.redis_nodes.script import Script, Value

MEASURE_SECONDS: Final = 60.0

_BESIDE: Final = 512

_SIZE_OF_AN_OWNER: Final = 128

COUNTING: Final = """
-- Records by their end, and their sizes: the last two keys of each script.
local open, sizes = KEYS[#KEYS - 1], KEYS[#KEYS]
local function now()
  local time = redis.call('TIME')
  return time[1] + time[2] / 1000000
end
local function extend(key, seconds)
  if redis.call('TTL', key) < tonumber(seconds) then redis.call('EXPIRE', key, seconds) end
end
local function forget(record)
  redis.call('ZREM', open, record)
  local known = redis.call('HGET', sizes, record)
  if known then
    redis.call('HDEL', sizes, record)
    redis.call('HINCRBY', sizes, 'total', -known)
  end
end
-- Counts a record, and returns the oldest ones beyond the budget.
local function count(record, size, seconds, budget)
  local at = now()
  for _, one in ipairs(redis.call('ZRANGEBYSCORE', open, '-inf', at, 'LIMIT', 0, 100)) do forget(one) end
  forget(record)
  redis.call('ZADD', open, at + seconds, record)
  redis.call('HSET', sizes, record, size)
  local total = redis.call('HINCRBY', sizes, 'total', size)
  local dropped = {}
  while total > tonumber(budget) do
    local oldest = redis.call('ZRANGE', open, 0, 1)
    local one = oldest[1] == record and oldest[2] or oldest[1]
    if not one or one == record then break end
    forget(one)
    dropped[#dropped + 1] = one
    total = tonumber(redis.call('HGET', sizes, 'total'))
  end
  extend(open, seconds)
  extend(sizes, seconds)
  return dropped
end
"""
"""Lua functions for scripts whose last two keys are `BoundedRecords.index_keys`."""

COUNT: Final = ("record", "size", "seconds", "budget")
"""The arguments of `count`."""

_COUNT: Final = f"""{COUNTING}
-- KEYS: record, its index.
-- Arguments: record, size, seconds, budget.
return count(record, size, seconds, budget)
"""
_COUNT_OF_OWNER: Final = f"""{COUNTING}
-- Counts a record of an owner, and the owner; returns the oldest records beyond the number and the budget.
-- KEYS: records of the owner by their end, the index of the owner.
-- Arguments: record, owner, seconds, most, size, budget.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now())
redis.call('ZADD', KEYS[1], now() + seconds, record)
local beyond, dropped = redis.call('ZCARD', KEYS[1]) - tonumber(most), {{}}
for _, one in ipairs(beyond > 0 and redis.call('ZRANGE', KEYS[1], 0, beyond) or {{}}) do
  if one ~= record and #dropped < beyond then
    redis.call('ZREM', KEYS[1], one)
    dropped[#dropped + 1] = one
  end
end
extend(KEYS[1], seconds)
for _, one in ipairs(count(owner, size, seconds, budget)) do dropped[#dropped + 1] = one end
return dropped
"""
_FORGET: Final = f"""{COUNTING}
-- Counts a record no more. KEYS: its index.
-- Arguments: record.
forget(record)
return 1
"""
_FORGET_OF_OWNER: Final = f"""{COUNTING}
-- Counts a record of an owner no more. KEYS: records of the owner by their end, the index of the owner.
-- Arguments: record, owner.
forget(owner)
return redis.call('ZREM', KEYS[1], record)
"""
_DROP: Final = f"""{COUNTING}
-- Counts a record no more, and deletes it unless it is proven. KEYS: record, its index.
-- Arguments: record.
forget(record)
if redis.call('TYPE', KEYS[1]).ok == 'hash' and redis.call('HEXISTS', KEYS[1], 'proven') == 1 then return 0 end
return redis.call('DEL', KEYS[1])
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
        self._count = redis.script(_COUNT, arguments=COUNT)
        owned = ("record", "owner", "seconds", "most", "size", "budget")
        self._count_of_owner = redis.script(_COUNT_OF_OWNER, arguments=owned)
        self._forget = redis.script(_FORGET, arguments=("record",))
        self._forget_of_owner = redis.script(_FORGET_OF_OWNER, arguments=("record", "owner"))
        self._drop = redis.script(_DROP, arguments=("record",))

    def index_keys(self, key: str) -> list[str]:
        """The keys that count a record, in its bucket; scripts with `COUNTING` have them as their last ones."""
        bucket = key[key.index("{") + 1 : key.index("}")]
        return [f"{self._service}:{{{bucket}}}:open", f"{self._service}:{{{bucket}}}:open-sizes"]

    async def admit(self, key: str, size: int, seconds: int, owner: str = "") -> None:
        """Counts a record of `size` bytes and `seconds` lifetime; deletes the oldest beyond the limits."""
        await self.store(self._count, key, size, seconds, owner)

    async def store(self, script: Script, key: str, size: int, seconds: int, owner: str = "", **more: Value) -> None:
        """Like `admit`, by a script that stores the record too.

        Its arguments are `COUNT` and `more`, its keys `key` and the index, and it returns what `count` does.
        """
        budget = await self._budget_of_bucket()
        stored = self._redis.run(
            script,
            [key, *self.index_keys(key)],
            record=key,
            size=size + _BESIDE,
            seconds=seconds,
            budget=budget,
            **more,
        )
        if owner:
            counted = self._count_owner(self._owner_key(owner), key, seconds, budget)
            of_all, of_owner = await asyncio.gather(stored, counted)
            dropped = [*of_all, *of_owner]
        else:
            dropped = await stored
        if dropped:
            await asyncio.gather(*(self._drop_record(str(one)) for one in dropped))

    async def forget(self, key: str, owner: str = "") -> None:
        """Stops counting a record that was used or deleted. Raises `unavailable`."""
        forgotten = self._redis.run(self._forget, self.index_keys(key), record=key)
        await asyncio.gather(forgotten, self.forget_of_owner(key, owner))

    async def forget_of_owner(self, key: str, owner: str) -> None:
        """The part of `forget` that concerns the owner, for a script that did the rest."""
        if owner:
            owner_key = self._owner_key(owner)
            keys = [owner_key, *self.index_keys(owner_key)]
            await self._redis.run(self._forget_of_owner, keys, record=key, owner=owner_key)

    def _count_owner(self, owner_key: str, key: str, seconds: int, budget: int) -> Awaitable[Any]:
        # The counters of owners use memory too, and the number of addresses is unlimited.
        return self._redis.run(
            self._count_of_owner,
            [owner_key, *self.index_keys(owner_key)],
            record=key,
            owner=owner_key,
            seconds=seconds,
            most=self._most,
            size=_SIZE_OF_AN_OWNER + _BESIDE,
            budget=budget,
        )

    async def _drop_record(self, key: str) -> None:
        await self._redis.run(self._drop, [key, *self.index_keys(key)], record=key)

    async def _budget_of_bucket(self) -> int:
        now = time.monotonic()
        if now >= self._measured_until:
            try:
                self._budget = int(await maximum_memory(self._redis) * self._share / len(BUCKETS))
            except ServiceError as error:
                # All nodes are measured: while one is away the others continue to serve.
                if error.kind is not Kind.UNAVAILABLE or not self._budget:
                    raise
            self._measured_until = now + MEASURE_SECONDS
        return self._budget

    def _owner_key(self, owner: str) -> str:
        return f"{self._service}:{{{bucket_of(owner)}}}:open-of:{fingerprint(owner)}"
