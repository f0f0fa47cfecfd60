"""Limits the Redis records that unauthenticated callers may create.

An owner, such as a client address or a user, may have a number of records; all records together may use a
share of Redis's memory, divided equally among the buckets. Beyond a limit the record that was stored first is
deleted, whatever its lifetime, unless its hash has the field ``proven``, set once something was verified for it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Sequence
from typing import Any, Final

from portico_oauth.errors import Kind, ServiceError
from portico_oauth.opaque import bucket_of, fingerprint

from portico_runtime.redis.client import RedisClient
from portico_runtime.redis.memory import maximum_memory
from portico_runtime.redis.nodes.history import BUCKETS
from portico_runtime.redis.nodes.script import Script, Value

MEASURE_SECONDS: Final = 60.0

_BESIDE: Final = 512

_SIZE_OF_AN_OWNER: Final = 128

COUNTING: Final = """
-- The last two keys of each script: an index of records, and their sizes. An index has each record twice: by its
-- end, and as '<record' by the time it was stored, which is less than zero so that one key has both.
local open, sizes = KEYS[#KEYS - 1], KEYS[#KEYS]
local function now()
  local time = redis.call('TIME')
  return time[1] + time[2] / 1000000
end
local function extend(key, seconds)
  if redis.call('TTL', key) < tonumber(seconds) then redis.call('EXPIRE', key, seconds) end
end
local function add(index, record, seconds)
  local at = now()
  redis.call('ZADD', index, at + seconds, record, at - 10000000000, '<' .. record)
  extend(index, seconds)
end
local function remove(index, record)
  return redis.call('ZREM', index, record, '<' .. record)
end
-- The record that was stored first, but never `record`; other releases add only the ends.
local function oldest(index, record)
  for _, stored in ipairs(redis.call('ZRANGEBYSCORE', index, '-inf', '(0', 'LIMIT', 0, 100)) do
    local one = string.sub(stored, 2)
    if not redis.call('ZSCORE', index, one) then
      redis.call('ZREM', index, stored)
    elseif one ~= record then
      return one
    end
  end
  for _, one in ipairs(redis.call('ZRANGEBYSCORE', index, 0, '+inf', 'LIMIT', 0, 2)) do
    if one ~= record then return one end
  end
end
local function ended(index)
  return redis.call('ZRANGEBYSCORE', index, 0, now(), 'LIMIT', 0, 100)
end
local function forget(record)
  remove(open, record)
  local known = redis.call('HGET', sizes, record)
  if known then
    redis.call('HDEL', sizes, record)
    redis.call('HINCRBY', sizes, 'total', -known)
  end
end
-- Counts a record, and returns the oldest ones beyond the budget.
local function count(record, size, seconds, budget)
  for _, one in ipairs(ended(open)) do forget(one) end
  forget(record)
  add(open, record, seconds)
  redis.call('HSET', sizes, record, size)
  local total = redis.call('HINCRBY', sizes, 'total', size)
  local dropped = {}
  while total > tonumber(budget) do
    local one = oldest(open, record)
    if not one then break end
    forget(one)
    dropped[#dropped + 1] = one
    total = tonumber(redis.call('HGET', sizes, 'total'))
  end
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
-- Counts records of an owner, and the owner; returns the oldest records beyond the number and the budget.
-- KEYS: the index of the records of the owner, the index of the owner.
-- Arguments: owner, seconds, most, size, budget, then the records.
local own, dropped = KEYS[1], {{}}
for _, one in ipairs(ended(own)) do remove(own, one) end
for one = 6, #ARGV do
  remove(own, ARGV[one])
  add(own, ARGV[one], seconds)
end
for _ = 1, redis.call('ZCOUNT', own, 0, '+inf') - most do
  local one = oldest(own, ARGV[6])
  if not one then break end
  remove(own, one)
  dropped[#dropped + 1] = one
end
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
-- Counts records of an owner no more. KEYS: the index of the records of the owner, the index of the owner.
-- Arguments: owner, then the records.
for one = 2, #ARGV do remove(KEYS[1], ARGV[one]) end
if redis.call('EXISTS', KEYS[1]) == 0 then forget(owner) end
return 1
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
        owned = ("owner", "seconds", "most", "size", "budget")
        self._count_of_owner = redis.script(_COUNT_OF_OWNER, arguments=owned)
        self._forget = redis.script(_FORGET, arguments=("record",))
        self._forget_of_owner = redis.script(_FORGET_OF_OWNER, arguments=("owner",))
        self._drop = redis.script(_DROP, arguments=("record",))

    def index_keys(self, key: str) -> list[str]:
        """The keys that count a record, in its bucket; scripts with `COUNTING` have them as their last ones."""
        bucket = key[key.index("{") + 1 : key.index("}")]
        return [f"{self._service}:{{{bucket}}}:open", f"{self._service}:{{{bucket}}}:open-sizes"]

    async def admit(self, key: str, size: int, seconds: int, owner: str = "") -> None:
        """Counts a record of `size` bytes and `seconds` lifetime; deletes the oldest beyond the limits."""
        await self.store(self._count, key, size, seconds, owner)

    async def store(
        self,
        script: Script,
        key: str,
        size: int,
        seconds: int,
        owner: str = "",
        beside: Sequence[str] = (),
        **more: Value,
    ) -> None:
        """Like `admit`, by a script that stores the record too.

        Its arguments are `COUNT` and `more`, its keys `key` and the index, and it returns what `count` does.

        Args:
            beside: records of the owner that are stored, and counted among all, apart from this call.
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
            counted = self._count_owner(self._owner_key(owner), (key, *beside), seconds, budget)
            of_all, of_owner = await asyncio.gather(stored, counted)
            dropped = [*of_all, *of_owner]
        else:
            dropped = await stored
        if dropped:
            await asyncio.gather(*(self._drop_record(str(one)) for one in dropped))

    async def forget(self, key: str, owner: str = "") -> None:
        """Stops counting a record that was used or deleted. Raises `unavailable`."""
        forgotten = self._redis.run(self._forget, self.index_keys(key), record=key)
        await asyncio.gather(forgotten, self.forget_of_owner(owner, key))

    async def forget_of_owner(self, owner: str, *records: str) -> None:
        """The part of `forget` that concerns the owner, for a script that did the rest."""
        if owner:
            owner_key = self._owner_key(owner)
            keys = [owner_key, *self.index_keys(owner_key)]
            await self._redis.run(self._forget_of_owner, keys, records, owner=owner_key)

    def _count_owner(self, owner_key: str, records: Sequence[str], seconds: int, budget: int) -> Awaitable[Any]:
        # The counters of owners use memory too, and the number of addresses is unlimited.
        return self._redis.run(
            self._count_of_owner,
            [owner_key, *self.index_keys(owner_key)],
            records,
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
