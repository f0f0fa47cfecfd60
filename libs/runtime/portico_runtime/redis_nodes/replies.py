"""Replies of one pipeline.

redis-py reads each reply through three coroutines. All but the first reply of a pipeline have usually arrived
with it, and its parser can return them without waiting.
"""

from __future__ import annotations

from typing import Any, Protocol

from redis._parsers.hiredis import NOT_ENOUGH_DATA
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError


class _Reader(Protocol):
    def gets(self) -> Any: ...


class Replies:
    __slots__ = ("_connection", "_reader")

    def __init__(self, connection: AbstractConnection) -> None:
        self._connection = connection
        self._reader: _Reader = connection._parser._reader  # type: ignore[attr-defined] # noqa: SLF001

    async def next(self) -> Any:
        """Returns the next reply. Raises it when it is an error."""
        reply = self._reader.gets()
        if reply is NOT_ENOUGH_DATA:
            return await self._connection.read_response()
        if isinstance(reply, RedisError):
            raise reply
        return reply
