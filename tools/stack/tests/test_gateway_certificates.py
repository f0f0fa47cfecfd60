"""Client certificates at the gateway (RFC 8705, decision 0151): what reaches token, and that no client can forge it."""

from __future__ import annotations

import asyncio
import base64
import json
import socket
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import httpx
import pytest
from portico_contracts.catalogue import SERVICES
from portico_contracts.http import MTLS_ALIASES, TOKEN
from portico_harness.client_certificates import Issued, new_authority, new_certificate
from portico_harness.gateway_alone import running, telling_server
from portico_stack.machine.ports import free_port
from portico_stack.servers.gateway import GatewayServer

pytestmark = pytest.mark.servers

KEY: Final = "key-of-the-gateway-0123456789-abcdef"
FORGED: Final = {
    "Client-Cert": ":Zm9yZ2Vk:",
    "client-cert": ":Zm9yZ2Vk:",
    "CLIENT-CERT": ":Zm9yZ2Vk:",
    "Client_Cert": ":Zm9yZ2Vk:",
    "client_cert": ":Zm9yZ2Vk:",
    "Client-Cert_Chain": ":Zm9yZ2Vk:",
    "Client-Cert-Chain": ":Zm9yZ2Vk:",
    "Portico-Gateway-Key": KEY,
    "PORTICO-GATEWAY-KEY": KEY,
    "Portico_Gateway_Key": KEY,
    "X-Portico-Gateway-Key": KEY,
}


@pytest.fixture(scope="module")
async def gateway(
    tmp_path_factory: pytest.TempPathFactory, program: type[GatewayServer], upstream_ports: dict[str, int]
) -> AsyncIterator[GatewayServer]:
    data = tmp_path_factory.mktemp("mtls")
    upstreams = {service: (f"127.0.0.1:{upstream_ports[service]}",) for service in SERVICES}
    server = program(
        data / "gateway", free_port(), free_port(), upstreams, https=True, mtls_port=free_port(), mtls_key=KEY
    )
    async with running(server, data / "logs"), telling_server(upstream_ports["token"], "token"):
        yield server


def browser(
    gateway: GatewayServer, *, certificate: tuple[str, str] | None = None, http2: bool = False
) -> httpx.AsyncClient:
    context = ssl.create_default_context(cafile=gateway.ca_file)
    if certificate:
        context.load_cert_chain(*certificate)
    return httpx.AsyncClient(verify=context, http2=http2)


def received(answer: httpx.Response) -> dict[str, list[str]]:
    """The headers that token received about certificates, by their name in lower case and with hyphens."""
    found: dict[str, list[str]] = {}
    for line in json.loads(answer.content)["head"].splitlines()[1:]:
        name, _, value = line.partition(":")
        name = name.lower().replace("_", "-")
        if "cert" in name or "gateway-key" in name:
            found.setdefault(name, []).append(value.strip())
    return found


@pytest.fixture(scope="module", params=["of a CA", "self-signed", "expired", "for servers"])
def issued(request: pytest.FixtureRequest) -> Issued:
    match request.param:
        case "of a CA":
            return new_certificate("CN=client", by=new_authority())
        case "expired":
            return new_certificate("CN=client", by=new_authority(), days=(-9, -2))
        case _:
            return new_certificate("CN=client")


async def test_certificate_of_the_connection_arrives(gateway: GatewayServer, issued: Issued, tmp_path: Path) -> None:
    """Every certificate whose key the client has reaches token unchanged, with the key of the gateway, and no other header."""
    async with browser(gateway, certificate=issued.write(tmp_path, "client")) as client:
        answers = [await client.post(gateway.mtls_url + TOKEN, headers=[item]) for item in FORGED.items()]

    wanted = {"portico-gateway-key": [KEY], "client-cert": [f":{base64.b64encode(issued.der).decode()}:"]}
    assert [received(answer) for answer in answers] == [wanted] * len(FORGED)


async def test_ordinary_listener_asks_for_no_certificate(gateway: GatewayServer, tmp_path: Path) -> None:
    """Where browsers are, no certificate is requested, and forged headers are removed in every spelling."""
    given = new_certificate("CN=client").write(tmp_path, "client")
    async with browser(gateway, certificate=given) as client:
        answers = [await client.post(gateway.url + TOKEN, headers=[item]) for item in FORGED.items()]

    assert [received(answer) for answer in answers] == [{}] * len(FORGED)


@pytest.mark.parametrize("http2", [False, True])
async def test_connection_without_a_certificate_has_none(gateway: GatewayServer, http2: bool) -> None:
    """Without a certificate the same endpoints answer, and token receives none, whatever the client sends."""
    async with browser(gateway, http2=http2) as client:
        answers = [await client.post(gateway.mtls_url + TOKEN, headers=[item]) for item in FORGED.items()]

    for answer in answers:
        found = received(answer)
        assert found.pop("client-cert", ["::"]) == ["::"]
        assert found == {"portico-gateway-key": [KEY]}


async def test_only_the_aliases_are_served(gateway: GatewayServer) -> None:
    """No page and no other call is at the address for certificates, however its path is written."""
    others = ("/", "/ui/login", "/ui/console/", "/v2/users", "/.well-known/openid-configuration", "/oauth/v2/authorize")
    async with browser(gateway) as client:
        known = {name: (await client.get(gateway.mtls_url + path)).status_code for name, path in MTLS_ALIASES.items()}
        absent = [await client.get(gateway.mtls_url + path) for path in (*others, f"/x{TOKEN}", f"{TOKEN}/")]
        grpc = await client.post(f"{gateway.mtls_url}/portico.x", headers={"Content-Type": "application/grpc"})

    assert set(known.values()) == {200}
    assert [answer.status_code for answer in (*absent, grpc)] == [404] * (len(others) + 3)


async def test_resumed_connection_has_its_certificate(gateway: GatewayServer, tmp_path: Path) -> None:
    """A client that resumes its TLS session, as Node does, is known by the certificate of the first handshake."""
    issued = new_certificate("CN=client")
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        context = ssl.create_default_context(cafile=gateway.ca_file)
        context.maximum_version = version
        context.load_cert_chain(*issued.write(tmp_path, "client"))
        calls = await asyncio.to_thread(_call_repeatedly, gateway.mtls_port, context)

        assert [base64.b64encode(issued.der).decode() in text for text, _ in calls] == [True] * 3
        assert calls[-1][1] or gateway.kind == "caddy", "the session was not resumed"


def _call_repeatedly(port: int, context: ssl.SSLContext) -> list[tuple[str, bool]]:
    """Three calls, each with the session of the one before: the response, and whether the session was resumed."""
    session: ssl.SSLSession | None = None
    found: list[tuple[str, bool]] = []
    for _ in range(3):
        with (
            socket.create_connection(("127.0.0.1", port)) as plain,
            context.wrap_socket(plain, server_hostname="localhost", session=session) as secured,
        ):
            secured.sendall(f"GET {TOKEN} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            text = b"".join(iter(lambda: secured.recv(65_536), b""))
            session = secured.session
            found.append((text.decode(), bool(secured.session_reused)))
    return found


async def test_without_a_key_there_is_no_listener(tmp_path: Path, program: type[GatewayServer]) -> None:
    """Turned off, no port is open for certificates, and the headers of clients are removed all the same."""
    port = free_port()
    upstreams = dict.fromkeys(SERVICES, (f"127.0.0.1:{port}",))
    server = program(tmp_path / "gateway", free_port(), free_port(), upstreams, https=True)
    async with (
        running(server, tmp_path / "logs"),
        telling_server(port, "token"),
        browser(server) as client,
    ):
        answers = [await client.post(server.url + TOKEN, headers=[item]) for item in FORGED.items()]

    assert server.mtls_url == ""
    assert [received(answer) for answer in answers] == [{}] * len(FORGED)
