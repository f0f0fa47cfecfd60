"""The gateway without the services: backends echo the requests they receive."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from portico_contracts.http import MANAGEMENT_BODY
from portico_stack.processes.programs import Process
from portico_stack.servers.gateway import GatewayServer

from portico_harness.eventually import HANGS


@asynccontextmanager
async def telling_server(
    port: int,
    name: str,
    *,
    host: str = "127.0.0.1",
    max_body: int = MANAGEMENT_BODY,
) -> AsyncIterator[None]:
    """Echoes each request's head with the server's name; like a service, refuses a body over its limit after
    reading it.
    """

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            large = await _body_size(reader, head) > max_body
            body = json.dumps(
                {"code": 3, "details": [{"id": "PORT-005"}]} if large else {"service": name, "head": head}
            ).encode()
            status = b"413 Content Too Large" if large else b"200 OK"
            length = b"Content-Length: %d" % len(body)
            writer.write(b"HTTP/1.1 %s\r\nConnection: close\r\n%s\r\n\r\n%s" % (status, length, body))
            await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, host, port, limit=4 * 1024 * 1024):
        yield


async def _body_size(reader: asyncio.StreamReader, head: str) -> int:
    if "transfer-encoding: chunked" in head.lower():
        size = 0
        while chunk := int(await reader.readuntil(b"\r\n"), 16):
            size += len(await reader.readexactly(chunk + 2)) - 2
        return size
    length = [int(line.split(":")[1]) for line in head.splitlines() if line.lower().startswith("content-length")]
    return len(await reader.readexactly(length[0] if length else 0))


@asynccontextmanager
async def running(server: GatewayServer, logs: Path) -> AsyncIterator[Process]:
    process = Process(server.program(), logs, print)
    await process.start()
    try:
        yield process
    finally:
        await process.stop(2)


async def ask_raw(port: int, request: bytes, *, ends: bool = False) -> tuple[int, str]:
    """Sends bytes; returns status and head, or 0 and "" when the connection is closed without a response.

    Args:
        ends: half-close the connection; Go treats that as a disconnect and drops running requests.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        if ends:
            with suppress(OSError):  # it may have been closed on us already
                writer.write_eof()
        head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), HANGS)).decode()
    except asyncio.IncompleteReadError as closed:
        if closed.partial:
            raise
        return 0, ""
    finally:
        writer.close()
    return int(head.split(" ")[1]), head


async def ask_with_invitation(port: int, head: bytes, body: bytes) -> str:
    """Sends a head with ``Expect: 100-continue``, then the body if invited; returns the response."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(head + b"Expect: 100-continue\r\n\r\n")
        first = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), HANGS)
        if first.startswith(b"HTTP/1.1 100 "):
            writer.write(body)
            first = b""
        with suppress(ConnectionError):
            return (first + await asyncio.wait_for(reader.read(), HANGS)).decode()
        return first.decode()
    finally:
        writer.close()
