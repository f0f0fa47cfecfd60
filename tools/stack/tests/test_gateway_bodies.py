"""Bodies at the gateway: bounded, refused where they cannot be read, and never taken for the next request."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from portico_contracts.http import GATEWAY, Route
from portico_harness.gateway_alone import ask_raw, telling_server
from portico_stack.servers.caddy import CaddyServer

pytestmark = pytest.mark.servers


async def test_bodies_above_the_bound_are_refused(browser: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """64 KiB for forms, 2 MiB for JSON; refused at the edge (RX-01)."""
    async with telling_server(upstream_ports["token"], "token"), telling_server(upstream_ports["users"], "users"):
        small = await browser.post("/oauth/v2/token", content=b"x" * 64 * 1024)
        large = await browser.post("/oauth/v2/token", content=b"x" * (64 * 1024 + 1))
        large_json = await browser.post("/v2/users/human", content=b"x" * (2 * 1024 * 1024 + 1))

    assert small.status_code == 200
    assert large.status_code == 413
    assert large.json()["error"] == "invalid_request"
    assert large_json.status_code == 413


HEAD = b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
UNREADABLE = {
    "size": CHUNKED + b"zz\r\nabc\r\n0\r\n\r\n",
    "chunk end": CHUNKED + b"3\r\nabcXX0\r\n\r\n",
    "bare line feed": CHUNKED + b"3\nabc\n0\n\n",
    "overflow": CHUNKED + b"fffffffffffffffff1\r\na\r\n0\r\n\r\n",
    "cut": HEAD + b"Content-Length: 100\r\n\r\nabc",
}


def _too_large(route: Route) -> bytes:
    return CHUNKED + b"%x\r\n" % (route.max_body + 1) + b"a" * (route.max_body + 1) + b"\r\n0\r\n\r\n"


@pytest.mark.parametrize("path", ["/oauth/v2/token", "/ui/login", "/v2/*"])
@pytest.mark.parametrize("unreadable", [*UNREADABLE, "too large"])
async def test_unreadable_body_is_the_clients_mistake(
    gateway: CaddyServer, browser: httpx.AsyncClient, upstream_ports: dict[str, int], path: str, unreadable: str
) -> None:
    """It is refused, and the replica behind stays in use: no other client waits or is refused (RX-12, IN-01)."""
    route = next(route for route in GATEWAY if route.path == path)
    request = UNREADABLE.get(unreadable) or _too_large(route)
    path = path.replace("*", "something")
    async with telling_server(upstream_ports[route.service], route.service):
        status, head = await ask_raw(gateway.port, request % path.encode(), ends=unreadable == "cut")
        async with asyncio.timeout(1.5):  # a replica that was taken out is waited for 2 s
            after = await browser.get(path)

    assert status in (400, 413, 499)
    assert "x-request-id: " in head.lower()
    assert status == 499 or "connection: close" in head.lower()
    assert after.json()["service"] == route.service


@pytest.mark.parametrize(
    "framing", [b"Content-Length: 3\r\n\r\nabc", b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"]
)
async def test_unexpected_body_is_refused(gateway: CaddyServer, upstream_ports: dict[str, int], framing: bytes) -> None:
    """A GET has no body: bytes after it could be taken for the next request (IN-01)."""
    async with telling_server(upstream_ports["keys"], "keys"):
        status, head = await ask_raw(gateway.port, b"GET /oauth/v2/keys HTTP/1.1\r\nHost: localhost\r\n" + framing)
        empty, _ = await ask_raw(
            gateway.port, b"GET /oauth/v2/keys HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
        )

    assert status == 400
    assert "connection: close" in head.lower()
    assert empty == 200


@pytest.mark.parametrize("status", [403, 404, 405, 408, 413, 415])
async def test_connection_ends_where_the_body_may_not_have_been_read(
    gateway: CaddyServer, upstream_ports: dict[str, int], status: int
) -> None:
    """The rest of a body that is answered early must not become a request (IN-01)."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 %d Refused\r\nContent-Length: 0\r\n\r\n" % status)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", upstream_ports["token"]):
        answered, head = await ask_raw(gateway.port, HEAD % b"/oauth/v2/token" + b"Content-Length: 0\r\n\r\n")

    assert answered == status
    assert "connection: close" in head.lower()
