from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest
from portico_contracts.catalogue import SERVICES
from portico_contracts.gateway import SECONDS
from portico_harness.eventually import HANGS
from portico_harness.gateway_alone import running, telling_server
from portico_stack.machine.ports import free_port
from portico_stack.servers.gateway import GatewayServer
from portico_stack.servers.haproxy import HaproxyServer

pytestmark = pytest.mark.servers

AT_ONCE = 32
FASTER = 100
REQUEST = b"POST /oauth/v2/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"


@pytest.fixture
async def fast(
    tmp_path_factory: pytest.TempPathFactory,
    program: type[GatewayServer],
    upstream_ports: dict[str, int],
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[GatewayServer]:
    """A gateway whose time for idle connections to replicas passes a hundred times faster."""
    for module in ("caddyfile", "haproxy"):
        faster = SECONDS._replace(idle_replica=SECONDS.idle_replica / FASTER)
        monkeypatch.setattr(f"portico_stack.gateway.{module}.SECONDS", faster)
    data = tmp_path_factory.mktemp("fast")
    upstreams: dict[str, tuple[str, ...]] = {one: (f"127.0.0.1:{upstream_ports[one]}",) for one in SERVICES}
    server = program(data / "gateway", free_port(), free_port(), upstreams)
    async with running(server, data / "logs"):
        yield server


@asynccontextmanager
async def replica(port: int) -> AsyncIterator[asyncio.Semaphore]:
    """Responds when as many requests have arrived; released for each connection that the gateway closes."""
    all_arrived, closed = asyncio.Barrier(AT_ONCE), asyncio.Semaphore(0)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            await all_arrived.wait()
            writer.write(RESPONSE)
            await reader.readexactly(1)
        closed.release()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", port):
        yield closed


async def test_gateway_closes_idle_connections_first(fast: GatewayServer, upstream_ports: dict[str, int]) -> None:
    """A request on a connection that the service closes at that time is lost (RX-12)."""
    async with replica(upstream_ports["token"]) as closed:
        clients = [await asyncio.open_connection("127.0.0.1", fast.port) for _ in range(AT_ONCE)]
        for _, writer in clients:
            writer.write(REQUEST)
        async with asyncio.timeout(HANGS):
            await asyncio.gather(*(reader.readuntil(b"\r\n\r\n") for reader, _ in clients))

        async with asyncio.timeout(SECONDS.proxy / FASTER):
            for _ in range(AT_ONCE):
                await closed.acquire()

        for _, writer in clients:
            writer.close()


@asynccontextmanager
async def idle_connection(server: HaproxyServer) -> AsyncIterator[asyncio.Task[bytes]]:
    """A task that is done when the gateway closes a connection that was used once."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET /oidc/v1/userinfo HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert (await reader.readline()).startswith(b"HTTP/1.1 200")
    ended = asyncio.create_task(reader.read())
    try:
        yield ended
    finally:
        ended.cancel()
        writer.close()


async def test_idle_connection_of_a_proxy_is_kept_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The proxy can close it first, so that no request of its clients is lost (RX-12)."""
    monkeypatch.setattr("portico_stack.gateway.haproxy.SECONDS", SECONDS._replace(client=1))
    port = free_port()
    upstreams = dict.fromkeys(SERVICES, (f"127.0.0.1:{port}",))
    async with AsyncExitStack() as opened:
        await opened.enter_async_context(telling_server(port, "token"))
        servers = []
        for proxies in ("127.0.0.1", ""):
            monkeypatch.setenv("PORTICO_GATEWAY_PROXIES", proxies)
            server = HaproxyServer(tmp_path / f"gateway-{proxies}", free_port(), free_port(), upstreams)
            await opened.enter_async_context(running(server, tmp_path / "logs"))
            servers.append(server)
        of_proxy, of_client = [await opened.enter_async_context(idle_connection(server)) for server in servers]

        ended, kept = await asyncio.wait([of_proxy, of_client], timeout=HANGS, return_when=asyncio.FIRST_COMPLETED)

        assert (ended, kept) == ({of_client}, {of_proxy})
