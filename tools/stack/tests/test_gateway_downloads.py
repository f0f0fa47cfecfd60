from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from portico_contracts.catalogue import SERVICES
from portico_contracts.gateway import SECONDS
from portico_harness.eventually import HANGS
from portico_harness.gateway_alone import running
from portico_stack.machine.ports import free_port
from portico_stack.servers.gateway import GatewayServer

pytestmark = pytest.mark.servers

CHUNK = b"400\r\n" + b"x" * 1_024 + b"\r\n"
REQUEST = b"GET /ui/console/export HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@pytest.fixture
async def impatient(
    tmp_path_factory: pytest.TempPathFactory,
    program: type[GatewayServer],
    upstream_ports: dict[str, int],
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[GatewayServer]:
    """A gateway that closes the connection of a client which has read nothing for three seconds."""
    for module in ("caddyfile", "haproxy"):
        monkeypatch.setattr(f"portico_stack.gateway.{module}.SECONDS", SECONDS._replace(client=3))
    data = tmp_path_factory.mktemp("impatient")
    upstreams: dict[str, tuple[str, ...]] = {one: (f"127.0.0.1:{upstream_ports[one]}",) for one in SERVICES}
    server = program(data / "gateway", free_port(), free_port(), upstreams)
    async with running(server, data / "logs"):
        yield server


@asynccontextmanager
async def console(port: int, chunks: int, pause: float) -> AsyncIterator[asyncio.Event]:
    """Sends so many parts of a file, with a pause after each; the event is set once it could not send more."""
    ended = asyncio.Event()

    async def send(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in range(chunks):
                writer.write(CHUNK)
                await writer.drain()
                await asyncio.sleep(pause)  # allow fixed-wait: this server is slow
            writer.write(b"0\r\n\r\n")
            await writer.drain()
        ended.set()
        writer.close()

    async with await asyncio.start_server(send, "127.0.0.1", port):
        yield ended


async def test_download_may_take_longer_than_a_client_may_rest(
    impatient: GatewayServer, upstream_ports: dict[str, int]
) -> None:
    """The limit is for a client that stops reading, not for the whole response."""
    async with console(upstream_ports["console"], chunks=20, pause=0.25):
        reader, writer = await asyncio.open_connection("127.0.0.1", impatient.port)
        writer.write(REQUEST)
        body = await reader.read()
        writer.close()

    assert body.count(b"x" * 1_024) == 20


async def test_client_that_stops_reading_is_left(impatient: GatewayServer, upstream_ports: dict[str, int]) -> None:
    """Otherwise it would hold the connections to the services (RX-03)."""
    async with console(upstream_ports["console"], chunks=100_000, pause=0) as ended:
        _, writer = await asyncio.open_connection("127.0.0.1", impatient.port, limit=1_024)
        writer.write(REQUEST)
        async with asyncio.timeout(HANGS):
            await ended.wait()
        writer.close()
