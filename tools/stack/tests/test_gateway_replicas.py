"""The choice of replicas by DNS name, and while some are unavailable."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest
from portico_contracts.catalogue import SERVICES
from portico_harness.eventually import eventually
from portico_harness.gateway_alone import running, telling_server
from portico_harness.name_server import name_server
from portico_harness.plain_http import plain_http
from portico_stack.machine.ports import free_port
from portico_stack.servers.gateway import GatewayServer
from portico_stack.servers.haproxy import HaproxyServer

pytestmark = [pytest.mark.servers, pytest.mark.long]

KEYS = "/oauth/v2/keys"


async def _service(client: httpx.AsyncClient, path: str) -> str:
    answer = await client.get(path)
    return str(answer.json()["service"]) if answer.status_code == 200 else str(answer.status_code)


async def _until(client: httpx.AsyncClient, wanted: set[str], path: str = KEYS) -> None:
    """Waits until several requests in a row were answered by exactly these."""

    async def seen() -> set[str]:
        return {await _service(client, path) for _ in range(6)}

    await eventually(seen, lambda services: services == wanted)


@asynccontextmanager
async def _by_name(
    folder: Path,
    program: type[GatewayServer],
    service: str,
    addresses: list[str],
    listening: list[str],
    health_port: int | None = None,
) -> AsyncIterator[httpx.AsyncClient]:
    """A gateway that finds one service's replicas by DNS; `addresses` may be changed in the block."""
    port = free_port()
    async with AsyncExitStack() as stack:
        names = await stack.enter_async_context(name_server({f"{service}.example.test": addresses}))
        for host in listening:
            await stack.enter_async_context(telling_server(port, host, host=host))
        upstreams: dict[str, tuple[str, ...]] = {one: (f"127.0.0.1:{free_port()}",) for one in SERVICES}
        upstreams[service] = (f"{service}.example.test:{port}",)
        resolvers = (f"127.0.0.1:{names.port}",)
        server = program(
            folder / "gateway", free_port(), free_port(), upstreams, resolvers=resolvers, health_port=health_port
        )
        await stack.enter_async_context(running(server, folder / "logs"))
        yield await stack.enter_async_context(plain_http(server.url))


async def test_replicas_are_found_by_dns(tmp_path: Path, program: type[GatewayServer]) -> None:
    """When a name resolves to other addresses, requests follow without a reload (IN-05)."""
    addresses = ["127.0.0.2"]
    async with _by_name(tmp_path, program, "keys", addresses, ["127.0.0.2", "127.0.0.3"]) as client:
        await _until(client, {"127.0.0.2"})
        addresses[:] = ["127.0.0.3"]
        await _until(client, {"127.0.0.3"})


async def test_replicas_of_a_name_share_the_load(tmp_path: Path, program: type[GatewayServer]) -> None:
    """Requests are spread over all current addresses of a name."""
    addresses = ["127.0.0.2", "127.0.0.3"]
    async with _by_name(tmp_path, program, "keys", addresses, ["127.0.0.2", "127.0.0.3"]) as client:
        await _until(client, {"127.0.0.2", "127.0.0.3"})
        addresses.remove("127.0.0.2")
        await _until(client, {"127.0.0.3"})


@pytest.mark.parametrize(("service", "path"), [("keys", "/oauth/v2/keys"), ("token", "/oidc/v1/userinfo")])
async def test_dead_replica_of_a_name_is_skipped(
    tmp_path: Path, program: type[GatewayServer], service: str, path: str
) -> None:
    """No request fails while one address is unavailable, with gathered or rotating replicas."""
    addresses = ["127.0.0.2", "127.0.0.3"]
    async with _by_name(tmp_path, program, service, addresses, ["127.0.0.3"]) as client:
        await _until(client, {"127.0.0.3"}, path=path)
        seen = {await _service(client, path) for _ in range(20)}

    assert seen == {"127.0.0.3"}


@asynccontextmanager
async def _health_port(port: int, state: dict[str, bytes], host: str) -> AsyncIterator[list[bytes]]:
    """An internal port with a configurable status; yields the request lines."""
    asked: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readline())
        writer.write(b"HTTP/1.1 %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" % state["status"])
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, host, port):
        yield asked


async def test_unhealthy_replica_gets_no_requests(tmp_path: Path, program: type[GatewayServer]) -> None:
    """An unhealthy replica is skipped until it recovers: Caddy checks /healthz, HAProxy /readyz."""
    port, health = free_port(), free_port()
    upstreams: dict[str, tuple[str, ...]] = {service: (f"127.0.0.1:{free_port()}",) for service in SERVICES}
    upstreams["keys"] = (f"127.0.0.2:{port}", f"127.0.0.3:{port}")
    state = {"status": b"503 Service Unavailable"}
    well = {"status": b"200 OK"}
    server = program(tmp_path / "gateway", free_port(), free_port(), upstreams, health_port=health)
    async with (
        telling_server(port, "second", host="127.0.0.2"),
        telling_server(port, "third", host="127.0.0.3"),
        _health_port(health, well, "127.0.0.2") as asked,
        _health_port(health, state, "127.0.0.3"),
        running(server, tmp_path / "logs"),
        plain_http(server.url) as client,
    ):
        await _until(client, {"second"})
        state["status"] = b"200 OK"
        await _until(client, {"second", "third"})

    assert {line.split(b" ")[1] for line in asked} == {b"/readyz" if program is HaproxyServer else b"/healthz"}


async def test_unready_replica_is_skipped_while_another_is_ready(tmp_path: Path) -> None:
    """HAProxy checks each replica's /readyz and uses all when none is ready (FD-11)."""
    ports, inner = (free_port(), free_port()), (free_port(), free_port())
    addresses = tuple(f"127.0.0.1:{port}" for port in ports)
    upstreams: dict[str, tuple[str, ...]] = {service: (f"127.0.0.1:{free_port()}",) for service in SERVICES}
    upstreams["keys"] = addresses
    states = [{"status": b"503 Service Unavailable"}, {"status": b"200 OK"}]
    server = HaproxyServer(
        tmp_path / "gateway", free_port(), free_port(), upstreams, ready_ports=dict(zip(addresses, inner, strict=True))
    )
    async with (
        telling_server(ports[0], "first"),
        telling_server(ports[1], "second"),
        _health_port(inner[0], states[0], "127.0.0.1") as asked,
        _health_port(inner[1], states[1], "127.0.0.1"),
        running(server, tmp_path / "logs"),
        plain_http(server.url) as client,
    ):
        await _until(client, {"second"})
        states[1]["status"] = b"503 Service Unavailable"
        await _until(client, {"first", "second"})
        states[0]["status"] = b"200 OK"
        await _until(client, {"first"})

    assert {line.split(b" ")[1] for line in asked} == {b"/readyz"}


@pytest.mark.parametrize(("service", "path"), [("keys", "/oauth/v2/keys"), ("token", "/oidc/v1/userinfo")])
async def test_unready_replica_of_a_name_is_skipped(tmp_path: Path, service: str, path: str) -> None:
    """Replicas of one DNS name and internal port are checked separately, and one is used when none is ready (FD-11)."""
    inner, addresses = free_port(), ["127.0.0.2", "127.0.0.3"]
    states = {address: {"status": b"200 OK"} for address in addresses}
    async with (
        _health_port(inner, states["127.0.0.2"], "127.0.0.2"),
        _health_port(inner, states["127.0.0.3"], "127.0.0.3"),
        _by_name(tmp_path, HaproxyServer, service, addresses, addresses, inner) as client,
    ):
        states["127.0.0.2"]["status"] = b"503 Service Unavailable"
        await _until(client, {"127.0.0.3"}, path)
        states["127.0.0.3"]["status"] = b"503 Service Unavailable"
        answered = {await _service(client, path) for _ in range(20)}
        states["127.0.0.2"]["status"] = b"200 OK"
        await _until(client, {"127.0.0.2"}, path)

    assert answered <= set(addresses)
