"""Request bodies at the gateway: limited, refused where unreadable, and never read as the next request."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from portico_contracts.http import GATEWAY, Route
from portico_harness.eventually import HANGS
from portico_harness.gateway_alone import ask_raw, telling_server
from portico_harness.plain_http import plain_http
from portico_harness.raw_http import exchange
from portico_stack.servers.gateway import GatewayServer

pytestmark = pytest.mark.servers


async def test_bodies_over_the_limit_are_refused(browser: httpx.AsyncClient, upstream_ports: dict[str, int]) -> None:
    """The limit is 64 KiB for forms and 2 MiB for JSON, enforced by Caddy or by the service (RX-01)."""
    form = telling_server(upstream_ports["token"], "token", max_body=64 * 1024)
    async with form, telling_server(upstream_ports["users"], "users"):
        small = await browser.post("/oauth/v2/token", content=b"x" * 64 * 1024)
        large = await browser.post("/oauth/v2/token", content=b"x" * (64 * 1024 + 1))
        small_json = await browser.post("/v2/users/human", content=b"x" * 2 * 1024 * 1024)
        large_json = await browser.post("/v2/users/human", content=b"x" * (2 * 1024 * 1024 + 1))

    assert (small.status_code, small_json.status_code) == (200, 200)
    assert (large.status_code, large_json.status_code) == (413, 413)


HEAD = b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
UNREADABLE = {
    "size": CHUNKED + b"zz\r\nabc\r\n0\r\n\r\n",
    "chunk end": CHUNKED + b"3\r\nabcXX0\r\n\r\n",
    "overflow": CHUNKED + b"fffffffffffffffff1\r\na\r\n0\r\n\r\n",
    "cut": HEAD + b"Content-Length: 100\r\n\r\nabc",
}


GONE = (0, 400, 408)
"""Statuses for a client that disconnected in the middle of a body."""


def _too_large(route: Route) -> bytes:
    return CHUNKED + b"%x\r\n" % (route.max_body + 1) + b"a" * (route.max_body + 1) + b"\r\n0\r\n\r\n"


@pytest.mark.parametrize("path", ["/oauth/v2/token", "/ui/login", "/v2/*"])
@pytest.mark.parametrize("unreadable", [*UNREADABLE, "too large"])
async def test_unreadable_body_is_a_client_error(
    gateway: GatewayServer, browser: httpx.AsyncClient, upstream_ports: dict[str, int], path: str, unreadable: str
) -> None:
    """An unreadable body is refused, and the replica stays in use for other clients (RX-12, IN-01)."""
    route = next(route for route in GATEWAY if route.path == path)
    request = UNREADABLE.get(unreadable) or _too_large(route)
    path = path.replace("*", "something")
    async with telling_server(upstream_ports[route.service], route.service, max_body=route.max_body):
        status, head = await ask_raw(gateway.port, request % path.encode(), ends=unreadable == "cut")
        async with asyncio.timeout(1.5):  # allow short-deadline: a replica that was taken out is waited for 2 s
            after = await browser.get(path)

    assert status in (GONE if unreadable == "cut" else (400, 413))
    assert unreadable == "cut" or "connection: close" in head.lower()
    assert after.json()["service"] == route.service


SHAPES = {"/oauth/v2/token": '"error":"invalid_request"', "/ui/login": 'id="error-page"', "/v2/something": '"code":3'}


@pytest.mark.parametrize("path", SHAPES)
@pytest.mark.parametrize("broken", [b"zz\r\nabc\r\n0\r\n\r\n", b"3\r\nabcXX0\r\n\r\n"], ids=["size", "chunk end"])
async def test_unreadable_body_has_the_error_of_its_path(
    gateway: GatewayServer, upstream_ports: dict[str, int], path: str, broken: bytes
) -> None:
    """A body that breaks after routing gets an error in the path's format with a request id (AZ-08, MG-19)."""
    service = {"/oauth/v2/token": "token", "/ui/login": "login-ui", "/v2/something": "users"}[path]
    async with telling_server(upstream_ports[service], service):
        reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
        writer.write(CHUNKED.replace(b"Transfer", b"Expect: 100-continue\r\nTransfer") % path.encode())
        invited = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), HANGS)
        writer.write(broken)
        answer = (await asyncio.wait_for(reader.read(), HANGS)).decode()
        writer.close()

    assert invited.startswith(b"HTTP/1.1 100 ")
    assert answer.startswith("HTTP/1.1 400 ")
    assert SHAPES[path] in answer
    assert "x-request-id: " in answer.lower()
    assert "connection: close" in answer.lower()


async def test_bare_line_feeds_are_refused_or_normalized(
    gateway: GatewayServer, upstream_ports: dict[str, int]
) -> None:
    """HAProxy accepts chunks that end with a bare line feed, and a service never sees that framing (IN-01)."""
    received = bytearray()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        received.extend(await reader.readuntil(b"0\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", upstream_ports["token"]):
        status, _ = await ask_raw(gateway.port, CHUNKED % b"/oauth/v2/token" + b"3\nabc\n0\n\n")

    assert status in (200, 400)
    if status == 200:
        assert bytes(received).endswith(b"\r\n\r\n3\r\nabc\r\n0\r\n\r\n")


@pytest.mark.parametrize(
    "framing", [b"Content-Length: 3\r\n\r\nabc", b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"]
)
async def test_unexpected_body_is_refused(
    gateway: GatewayServer, upstream_ports: dict[str, int], framing: bytes
) -> None:
    """GET with a body is refused, because its bytes could be read as the next request (IN-01)."""
    async with telling_server(upstream_ports["keys"], "keys"):
        status, head = await ask_raw(gateway.port, b"GET /oauth/v2/keys HTTP/1.1\r\nHost: localhost\r\n" + framing)
        empty, _ = await ask_raw(
            gateway.port, b"GET /oauth/v2/keys HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
        )

    assert status == 400
    assert "connection: close" in head.lower()
    assert empty == 200


@pytest.mark.parametrize("status", [403, 404, 405, 408, 413, 415])
async def test_connection_closes_after_an_early_response(
    gateway: GatewayServer, upstream_ports: dict[str, int], status: int
) -> None:
    """The rest of a body answered early must not become a request, and the response is the service's (IN-01)."""
    own = b"Allow: POST\r\nContent-Type: application/json\r\nX-Request-Id: of-the-service\r\n"

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 %d Refused\r\nContent-Length: 13\r\n%b\r\n" % (status, own) + b'{"error":"x"}')
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", upstream_ports["token"]):
        heard = await exchange(gateway.port, HEAD % b"/oauth/v2/token" + b"Content-Length: 0\r\n\r\n")

    assert heard.statuses == [status]
    assert heard.closed
    assert heard.header("connection").lower() == "close"
    assert heard.header("allow") == "POST"
    assert heard.header("x-request-id") == "of-the-service"
    assert heard.text == '{"error":"x"}'


@pytest.mark.parametrize("status", [403, 404, 405, 408, 413, 415])
async def test_refused_stream_keeps_the_connection(
    gateway: GatewayServer, upstream_ports: dict[str, int], status: int
) -> None:
    """In HTTP/2 the rest of a body cannot become a request, so the connection stays open for other streams."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 %d Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" % status)
        await writer.drain()
        writer.close()

    async with (
        await asyncio.start_server(answer, "127.0.0.1", upstream_ports["token"]),
        plain_http(gateway.url, http1=False, http2=True) as client,
    ):
        answers = [await client.post("/oauth/v2/token", content=b"grant_type=x") for _ in range(3)]
        answers.append(await client.get("/no/such/path"))
        connections = {one.extensions["network_stream"].get_extra_info("client_addr") for one in answers}

    assert [one.status_code for one in answers] == [status, status, status, 404]
    assert len(connections) == 1
