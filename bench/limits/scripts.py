"""The Redis scripts: one per operation, of the size an honest implementation needs."""

from __future__ import annotations

import hashlib
from typing import Any, Final

from bench.limits.redis_line import RedisLine

KEEP: Final = """\
redis.call('HSET', KEYS[1], 'g', ARGV[1], ARGV[2], ARGV[3])
redis.call('EXPIRE', KEYS[1], 3600)
return 1
"""
ROTATE: Final = """\
local found = redis.call('HMGET', KEYS[1], 'g', 'rt')
if not found[1] or found[2] ~= ARGV[1] then return false end
redis.call('HSET', KEYS[1], 'rt', ARGV[2], ARGV[3], ARGV[4])
redis.call('EXPIRE', KEYS[1], 3600)
return found[1]
"""
REDEEM: Final = """\
local found = redis.call('GET', KEYS[1])
redis.call('DEL', KEYS[1])
return found
"""
AUTHORIZE: Final = """\
local session = redis.call('GET', KEYS[1])
if not session then return false end
redis.call('SET', KEYS[2], ARGV[1], 'EX', 60)
return session
"""


_SHA1: Final = {source: hashlib.sha1(source.encode()).hexdigest() for source in (KEEP, ROTATE, REDEEM, AUTHORIZE)}  # noqa: S324 - Redis names scripts so


async def load(line: RedisLine) -> None:
    """Makes Redis know the scripts."""
    for source in _SHA1:
        await line.ask("SCRIPT", "LOAD", source)


async def run(line: RedisLine, source: str, keys: tuple[str, ...], *arguments: str | bytes) -> Any:
    """Runs one of them."""
    return await line.ask("EVALSHA", _SHA1[source], len(keys), *keys, *arguments)
