"""The gateway behind another proxy: only that proxy may set the client's address (HH-04)."""

from __future__ import annotations

from pathlib import Path

import pytest
from portico_contracts.catalogue import SERVICES
from portico_harness.gateway_alone import running, telling_server
from portico_harness.plain_http import plain_http
from portico_stack.machine.ports import free_port
from portico_stack.servers.gateway import GatewayServer

pytestmark = pytest.mark.servers

SENT = {
    "X-Forwarded-For": "6.6.6.6, 203.0.113.9",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Proto": "gopher",
    "X-Forwarded-Port": "1",
    "X-Forwarded-Prefix": "/evil",
    "Forwarded": "for=6.6.6.6",
    "X-Real-Ip": "6.6.6.6",
}


@pytest.mark.parametrize(
    ("proxies", "forwarded"),
    [
        ("127.0.0.1", "6.6.6.6, 203.0.113.9, 127.0.0.1"),
        ("10.0.0.0/8 127.0.0.0/24", "6.6.6.6, 203.0.113.9, 127.0.0.1"),
        ("10.0.0.0/8", "127.0.0.1"),
        ("255.255.255.255/32", "127.0.0.1"),
        ("", "127.0.0.1"),
    ],
)
async def test_client_address_is_taken_from_known_proxies_only(
    program: type[GatewayServer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proxies: str, forwarded: str
) -> None:
    """The peer is appended to a known proxy's address list and replaces that of any other."""
    monkeypatch.setenv("PORTICO_GATEWAY_PROXIES", proxies)
    port = free_port()
    server = program(tmp_path / "gateway", free_port(), free_port(), dict.fromkeys(SERVICES, (f"127.0.0.1:{port}",)))
    async with running(server, tmp_path / "logs"), telling_server(port, "token"):
        async with plain_http(server.url) as client:
            head = (await client.get("/oidc/v1/userinfo", headers=SENT)).json()["head"]
            bare = (await client.get("/oidc/v1/userinfo")).json()["head"]

    assert sent_on(head) == {
        "x-forwarded-for": forwarded,
        "x-forwarded-host": f"localhost:{server.port}",
        "x-forwarded-proto": "http",
    }
    assert sent_on(bare)["x-forwarded-for"] == "127.0.0.1"


def sent_on(head: str) -> dict[str, str]:
    """Returns the proxy headers that a service receives."""
    lines = [line.partition(": ") for line in head.splitlines()]
    found = {
        name.lower(): value
        for name, _, value in lines
        if name.lower().startswith(("x-forwarded", "forwarded", "x-real"))
    }
    assert len(found) == sum(name.lower() in found for name, _, _ in lines)
    return found
