"""The gateway without the services: the servers behind it echo the requests they get."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from portico_stack.processes import Process
from portico_stack.servers.caddy import CaddyServer


@asynccontextmanager
async def telling_server(port: int, name: str) -> AsyncIterator[None]:
    """A service that answers every request with its own name and the head it received."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = [int(line.split(":")[1]) for line in head.splitlines() if line.lower().startswith("content-length")]
        with suppress(asyncio.IncompleteReadError):
            await reader.readexactly(length[0] if length else 0)
            if "transfer-encoding: chunked" in head.lower():
                await reader.readuntil(b"0\r\n\r\n")
        body = json.dumps({"service": name, "head": head}).encode()
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", port, limit=4 * 1024 * 1024):
        yield


@asynccontextmanager
async def running(server: CaddyServer, logs: Path) -> AsyncIterator[None]:
    """The gateway, until the block ends."""
    process = Process(server.program(), logs, print)
    await process.start()
    try:
        yield
    finally:
        await process.stop(2)


async def ask_raw(port: int, request: bytes, *, ends: bool = False) -> tuple[int, str]:
    """Sends bytes, and answers with status and head of the answer.

    Args:
        ends: no more bytes follow. To Go that is a client that disconnected: it drops requests under way.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        if ends:
            with suppress(OSError):  # it may have been closed on us already
                writer.write_eof()
        head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)).decode()
    finally:
        writer.close()
    return int(head.split(" ")[1]), head
