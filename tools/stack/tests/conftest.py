from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
from portico_contracts.catalogue import SERVICES
from portico_harness.gateway_alone import running
from portico_harness.plain_http import plain_http
from portico_stack.machine.ports import free_port
from portico_stack.servers.caddy import CaddyServer
from portico_stack.servers.gateway import GatewayServer
from portico_stack.servers.haproxy import HaproxyServer


@pytest.fixture(scope="module")
def upstream_ports() -> dict[str, int]:
    """A port for each service; authz has a second one."""
    return {name: free_port() for name in (*SERVICES, "authz-2")}


@pytest.fixture(scope="module", params=[HaproxyServer, CaddyServer], ids=["haproxy", "caddy"])
def program(request: pytest.FixtureRequest) -> type[GatewayServer]:
    """Each gateway program; the tests hold for both."""
    server: type[GatewayServer] = request.param
    return server


@pytest.fixture(scope="module")
async def gateway(
    tmp_path_factory: pytest.TempPathFactory, program: type[GatewayServer], upstream_ports: dict[str, int]
) -> AsyncIterator[GatewayServer]:
    """The gateway with one replica of each service but two of authz; nothing listens behind it yet."""
    data = tmp_path_factory.mktemp("gateway")
    upstreams: dict[str, tuple[str, ...]] = {service: (f"127.0.0.1:{upstream_ports[service]}",) for service in SERVICES}
    upstreams["authz"] += (f"127.0.0.1:{upstream_ports['authz-2']}",)
    server = program(data / "gateway", free_port(), free_port(), upstreams)
    async with running(server, data / "logs"):
        yield server


@pytest.fixture
async def browser(gateway: GatewayServer) -> AsyncIterator[httpx.AsyncClient]:
    async with plain_http(gateway.url) as client:
        yield client
