"""Whether a server answers, asked without its driver, which `portico up` would keep in memory (decision 0044)."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

_OP_MSG: Final = 2013
_PING: Final = b"\x10ping\x00\x01\x00\x00\x00\x02$db\x00\x06\x00\x00\x00admin\x00"
"""The fields of the BSON document ``{ping: 1, $db: "admin"}``."""


async def redis_answers(port: int, user: str, password: str) -> None:
    """Raises unless Redis has loaded its data."""
    async with _connected(port) as (reader, writer):
        writer.write(_redis_command("AUTH", user, password) + _redis_command("PING"))
        answers = (await reader.readline(), await reader.readline())
    if answers != (b"+OK\r\n", b"+PONG\r\n"):
        raise ConnectionError("Redis is not ready")


async def mongo_answers(port: int) -> None:
    document = struct.pack("<i", len(_PING) + 5) + _PING + b"\x00"
    message = struct.pack("<iiiiib", 21 + len(document), 1, 0, _OP_MSG, 0, 0) + document
    async with _connected(port) as (reader, writer):
        writer.write(message)
        _length, _id, answered, _kind = struct.unpack("<iiii", await reader.readexactly(16))
    if answered != 1:
        raise ConnectionError("MongoDB did not answer")


async def nats_answers(port: int) -> None:
    """The server speaks first, also where clients use TLS."""
    async with _connected(port) as (reader, _writer):
        if not (await reader.readline()).startswith(b"INFO "):
            raise ConnectionError("NATS did not answer")


def _redis_command(*words: str) -> bytes:
    return f"*{len(words)}\r\n".encode() + b"".join(f"${len(word.encode())}\r\n{word}\r\n".encode() for word in words)


@asynccontextmanager
async def _connected(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()
