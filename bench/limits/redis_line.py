"""The least a Redis round trip takes: one connection, one reply per command in order, writes of one turn together.

And the scripts: one per operation, of the size an honest implementation needs.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from typing import Any, Final, cast
from urllib.parse import urlsplit

from hiredis import Reader, ReplyError, pack_command

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


class RedisLine(asyncio.Protocol):
    _transport: asyncio.Transport

    def __init__(self) -> None:
        self._reader = Reader()
        self._waiting: deque[asyncio.Future[Any]] = deque()
        self._unsent: list[bytes] = []
        self._loop = asyncio.get_running_loop()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's does not inherit it

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        while (reply := self._reader.gets()) is not False:
            waiting = self._waiting.popleft()
            if isinstance(reply, ReplyError):
                waiting.set_exception(reply)
            else:
                waiting.set_result(reply)

    def ask(self, *command: str | bytes | int) -> asyncio.Future[Any]:
        """Sends a command; the future is its reply."""
        if not self._unsent:
            self._loop.call_soon(self._send)
        self._unsent.append(pack_command(command))  # type: ignore[arg-type]  # its stub knows one-word commands only
        waiting = self._loop.create_future()
        self._waiting.append(waiting)
        return waiting

    def run(self, script: str, keys: tuple[str, ...], *arguments: str | bytes) -> asyncio.Future[Any]:
        return self.ask("EVALSHA", _SHA1[script], len(keys), *keys, *arguments)

    def close(self) -> None:
        self._transport.close()

    def _send(self) -> None:
        self._transport.write(b"".join(self._unsent))
        self._unsent.clear()


async def connect(url: str, user: str, password: str) -> RedisLine:
    """A connection that is logged in, to a Redis that knows the scripts."""
    parts = urlsplit(url)
    host, port = parts.hostname or "127.0.0.1", parts.port or 6379
    _, line = await asyncio.get_running_loop().create_connection(RedisLine, host, port)
    await line.ask("AUTH", user, password)
    for script in _SHA1:
        await line.ask("SCRIPT", "LOAD", script)
    return line
