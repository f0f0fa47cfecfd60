from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import httpx
import pytest
from portico_contracts.catalogue import SERVICES
from portico_contracts.http import CONSOLE, CONSOLE_STATIC, LOGIN, LOGIN_STATIC
from portico_harness.gateway_alone import running
from portico_stack.machine.ports import free_port
from portico_stack.servers.gateway import GatewayServer

pytestmark = pytest.mark.servers

TEXT = b"a { color: red }\n" * 200


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A style sheet at an address of files, and a page at others."""
    with suppress(ConnectionError, asyncio.IncompleteReadError):
        head = await reader.readuntil(b"\r\n\r\n")
        media = b"text/css" if b"/static/" in head.partition(b"\r\n")[0] else b"text/html"
        lines = (b"HTTP/1.1 200 OK", b"Content-Type: " + media, b"Content-Length: %d" % len(TEXT), b"Connection: close")
        writer.write(b"\r\n".join((*lines, b"", TEXT)))
        await writer.drain()
    writer.close()


@pytest.fixture
async def gateway(
    tmp_path_factory: pytest.TempPathFactory, program: type[GatewayServer]
) -> AsyncIterator[GatewayServer]:
    data, port = tmp_path_factory.mktemp("compressing"), free_port()
    upstreams: dict[str, tuple[str, ...]] = dict.fromkeys(SERVICES, (f"127.0.0.1:{port}",))
    server = program(data / "gateway", free_port(), free_port(), upstreams)
    async with await asyncio.start_server(answer, "127.0.0.1", port), running(server, data / "logs"):
        yield server


async def test_static_files_are_compressed_and_pages_are_not(gateway: GatewayServer) -> None:
    """The length of a compressed page would reveal secrets."""
    paths = {f"{LOGIN_STATIC}/a.css": True, f"{CONSOLE_STATIC}/console.css": True, LOGIN: False, CONSOLE: False}
    async with httpx.AsyncClient(base_url=f"http://localhost:{gateway.port}") as client:
        found = {path: await client.get(path, headers={"Accept-Encoding": "gzip"}) for path in paths}

    assert [one.content for one in found.values()] == [TEXT] * 4
    assert {path: one.headers.get("content-encoding") == "gzip" for path, one in found.items()} == paths
