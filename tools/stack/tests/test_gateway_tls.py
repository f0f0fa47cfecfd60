"""The gateway over https: its certificate, and clients without SNI."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path

import httpx
import pytest
from portico_contracts.catalogue import SERVICES
from portico_harness.certificates import write_certificate
from portico_harness.eventually import HANGS
from portico_harness.gateway_alone import running, telling_server
from portico_harness.named_transport import transport_to
from portico_stack.machine.ports import free_port
from portico_stack.machine.public_name import Certificate
from portico_stack.servers.gateway import GatewayServer

pytestmark = pytest.mark.servers


async def test_certificate_is_issued_by_the_local_authority(
    tmp_path: Path, program: type[GatewayServer], upstream_ports: dict[str, int]
) -> None:
    """Clients that trust the printed CA certificate reach the issuer, and localhost sends no HSTS."""
    upstreams = {service: (f"127.0.0.1:{upstream_ports[service]}",) for service in SERVICES}
    server = program(tmp_path / "gateway", free_port(), free_port(), upstreams, https=True)
    async with running(server, tmp_path / "logs"), telling_server(upstream_ports["keys"], "keys"):
        context = ssl.create_default_context(cafile=server.ca_file)
        async with httpx.AsyncClient(base_url=server.url, verify=context) as client:
            answer = await client.get("/oauth/v2/keys")

    assert answer.status_code == 200
    assert answer.json()["service"] == "keys"
    assert "Strict-Transport-Security" not in answer.headers


async def _ask_without_a_name(server: GatewayServer, authority: Path) -> bytes:
    """Sends one request over TLS without SNI, as Java does for a name without a dot."""
    context = ssl.create_default_context(cafile=authority)
    context.check_hostname = False  # the name is what is not sent
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, ssl=context, server_hostname="")
    try:
        writer.write(f"GET /oauth/v2/keys HTTP/1.1\r\nHost: {server.host}:{server.port}\r\n\r\n".encode())
        return await asyncio.wait_for(reader.readuntil(b"}"), HANGS)
    finally:
        writer.close()


@pytest.mark.parametrize("host", ["localhost", "id.example.test"])
async def test_client_without_sni_is_served(
    tmp_path: Path, program: type[GatewayServer], upstream_ports: dict[str, int], host: str
) -> None:
    """TLS without SNI gets the certificate of the issuer's host from the local CA."""
    upstreams = {service: (f"127.0.0.1:{upstream_ports[service]}",) for service in SERVICES}
    server = program(tmp_path / "gateway", free_port(), free_port(), upstreams, https=True, host=host)
    async with running(server, tmp_path / "logs"), telling_server(upstream_ports["keys"], "keys"):
        assert server.ca_file is not None
        answer = await _ask_without_a_name(server, server.ca_file)

    assert server.url == f"https://{host}:{server.port}"
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b'"service": "keys"' in answer
    assert (b"strict-transport-security" in answer.lower()) == (host != "localhost")


async def test_custom_certificate_is_served(
    tmp_path: Path, program: type[GatewayServer], upstream_ports: dict[str, int]
) -> None:
    """A custom certificate is served with and without SNI, and clients that trust its CA connect."""
    (tmp_path / "a folder").mkdir()
    files = write_certificate(tmp_path / "a folder", "id.example.test")
    given = Certificate(files.certificate, files.key)
    upstreams = {service: (f"127.0.0.1:{upstream_ports[service]}",) for service in SERVICES}
    server = program(
        tmp_path / "gateway", free_port(), free_port(), upstreams, https=True, host="id.example.test", certificate=given
    )
    async with running(server, tmp_path / "logs"), telling_server(upstream_ports["keys"], "keys"):
        transport = transport_to(server.url, files.authority, f"127.0.0.1:{server.port}")
        async with httpx.AsyncClient(base_url=server.url, transport=transport) as client:
            answer = await client.get("/oauth/v2/keys")
        nameless = await _ask_without_a_name(server, files.authority)

    assert answer.json()["service"] == "keys"
    assert nameless.startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    ("https", "port", "url"),
    [
        (True, 443, "https://id.example.test"),
        (False, 80, "http://id.example.test"),
        (True, 80, "https://id.example.test:80"),
    ],
)
def test_default_port_is_not_in_the_issuer(
    tmp_path: Path, program: type[GatewayServer], https: bool, port: int, url: str
) -> None:
    """Browsers omit the default port, and the issuer is compared as text."""
    assert program(tmp_path / "gateway", port, 1, {}, https=https, host="id.example.test").url == url
