"""The least a Redis round trip takes: one connection, one reply per command in order, writes of one turn together."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, cast
from urllib.parse import urlsplit

from hiredis import Reader, ReplyError, pack_command


class RedisLine(asyncio.Protocol):
    """A connection to Redis."""

    def __init__(self) -> None:
        self._reader = Reader()
        self._waiting: deque[asyncio.Future[Any]] = deque()
        self._unsent: list[bytes] = []
        self._transport: asyncio.Transport | None = None
        self._loop = asyncio.get_running_loop()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the loop."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's does not inherit it

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by the loop."""
        for waiting in self._waiting:
            waiting.set_exception(exc or ConnectionError("Redis closed the connection"))

    def data_received(self, data: bytes) -> None:
        """Called by the loop."""
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

    def close(self) -> None:
        """Ends the connection."""
        if self._transport:
            self._transport.close()

    def _send(self) -> None:
        if self._transport:
            self._transport.write(b"".join(self._unsent))
        self._unsent.clear()


async def connect(url: str, user: str, password: str) -> RedisLine:
    """A connection that is logged in.

    Raises:
        OSError: when there is no Redis.
        hiredis.ReplyError: when it refuses the user.
    """
    parts = urlsplit(url)
    _, line = await asyncio.get_running_loop().create_connection(
        RedisLine, parts.hostname or "127.0.0.1", parts.port or 6379
    )
    await line.ask("AUTH", user, password)
    return line
