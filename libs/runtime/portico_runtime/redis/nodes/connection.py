"""A connection that redis-py opened and authenticated.

redis-py reads each reply through a stream and three coroutines. Here its parser gets what arrives directly, and a
pipeline waits once for all its replies.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Protocol

from redis._parsers.hiredis import NOT_ENOUGH_DATA
from redis.asyncio.connection import AbstractConnection, ConnectionPool
from redis.exceptions import ConnectionError as ConnectionEnded
from redis.exceptions import RedisError


class _Parser(Protocol):
    def feed(self, data: bytes) -> None: ...

    def gets(self) -> Any: ...

    def has_data(self) -> bool: ...


class Connection(asyncio.Protocol):
    """Carries one pipeline at a time."""

    def __init__(self, opened: AbstractConnection) -> None:
        self._opened = opened
        self._parser: _Parser = opened._parser._reader  # type: ignore[attr-defined] # noqa: SLF001
        self._transport: asyncio.Transport = opened._writer.transport  # type: ignore[assignment,union-attr] # noqa: SLF001
        self._replies: list[Any] = []
        self._expected = 0
        self._complete: asyncio.Future[None] | None = None
        self._ended: Exception | None = None
        self._transport.set_protocol(self)

    @classmethod
    async def open(cls, maker: ConnectionPool) -> Connection:
        opened: AbstractConnection = maker.make_connection()  # type: ignore[no-untyped-call]
        await opened.connect()  # type: ignore[no-untyped-call]
        return cls(opened)

    @property
    def is_usable(self) -> bool:
        """False after the end of the connection, and after data that answers no command: the server is ending it."""
        return not (self._ended or self._replies or self._transport.is_closing() or self._parser.has_data())

    async def send(self, commands: Sequence[bytes]) -> list[Any]:
        """Returns the reply to each command: a `RedisError` where Redis refused it. Raises when the connection ends."""
        if self._ended:
            raise self._ended
        self._expected = len(commands)
        self._complete = asyncio.get_running_loop().create_future()
        self._transport.writelines(commands)
        await self._complete
        replies, self._replies = self._replies, []
        return replies

    async def ask(self, command: bytes) -> Any:
        """Returns the reply to one command. Raises it when Redis refused the command."""
        [reply] = await self.send([command])
        if isinstance(reply, RedisError):
            raise reply
        return reply

    async def close(self) -> None:
        await self._opened.disconnect(nowait=True)

    def data_received(self, data: bytes) -> None:
        self._parser.feed(data)
        try:
            while (reply := self._parser.gets()) is not NOT_ENOUGH_DATA:
                self._replies.append(reply)
        except RedisError as error:  # not the protocol of Redis
            self._end(error)
            self._transport.abort()
            return
        if self._complete and len(self._replies) >= self._expected and not self._complete.done():
            self._complete.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(exc or ConnectionEnded("Redis closed the connection"))

    def _end(self, error: Exception) -> None:
        self._ended = self._ended or error
        if self._complete and not self._complete.done():
            self._complete.set_exception(self._ended)
