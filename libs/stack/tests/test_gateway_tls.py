"""The gateway over https: its certificate, and whom it serves."""

from __future__ import annotations

import ssl
from pathlib import Path

import httpx
import pytest
from portico_contracts.catalogue import SERVICES
from portico_stack.ports import free_port
from portico_stack.servers.caddy import CaddyServer
from portico_testing.gateway_alone import running, telling_server

pytestmark = pytest.mark.servers


async def test_https_has_a_certificate_of_the_local_authority(tmp_path: Path, upstream_ports: dict[str, int]) -> None:
    """Clients that trust the printed certificate reach the issuer; HSTS spares localhost."""
    upstreams = {service: (f"127.0.0.1:{upstream_ports[service]}",) for service in SERVICES}
    server = CaddyServer(tmp_path, free_port(), free_port(), upstreams, https=True)
    async with running(server, tmp_path / "logs"), telling_server(upstream_ports["keys"], "keys"):
        context = ssl.create_default_context(cafile=server.ca_file)
        async with httpx.AsyncClient(base_url=server.url, verify=context) as client:
            answer = await client.get("/oauth/v2/keys")

    assert answer.status_code == 200
    assert answer.json()["service"] == "keys"
    assert "Strict-Transport-Security" not in answer.headers
