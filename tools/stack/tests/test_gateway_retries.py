"""Requests that a replica received and did not answer: another one gets them where nothing can happen twice."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress

import pytest
from portico_harness.eventually import HANGS
from portico_harness.raw_http import exchange, request_of
from portico_stack.servers.gateway import GatewayServer

pytestmark = pytest.mark.servers


@pytest.mark.parametrize(("proof", "most"), [(b"", 2), (b"DPoP: proof\r\n", 1)], ids=["without proof", "with proof"])
async def test_get_is_retried_on_another_replica_unless_it_has_a_proof(
    gateway: GatewayServer, upstream_ports: dict[str, int], proof: bytes, most: int
) -> None:
    """A proof works once: the replica that died may have used it up (RFC 9449)."""
    received = 0
    get = b"GET /oauth/v2/authorize HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + proof + b"\r\n"

    async def die(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal received
        await reader.readuntil(b"\r\n\r\n")
        received += 1
        writer.close()

    async with AsyncExitStack() as replicas:
        for name in ("authz", "authz-2"):
            await replicas.enter_async_context(await asyncio.start_server(die, "127.0.0.1", upstream_ports[name]))
        heard = await exchange(gateway.port, get, wait=20)

    assert heard.statuses == [503]
    assert (received == 1) is (most == 1)


@pytest.mark.parametrize("used", [False, True], ids=["new connection", "used connection"])
@pytest.mark.parametrize(
    "body", [b"Content-Length: 3\r\n\r\na=b", b"Transfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n"]
)
async def test_post_is_not_retried_on_another_replica(
    gateway: GatewayServer, upstream_ports: dict[str, int], body: bytes, used: bool
) -> None:
    """A form that a dying replica received is not repeated, because codes and refresh tokens work once (TK-01)."""
    received = 0
    replicas = AsyncExitStack()

    async def die(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal received
        replicas.callback(writer.close)
        with suppress(asyncio.IncompleteReadError):
            while not (await reader.readuntil(b"\r\n\r\n")).startswith(b"POST"):
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            received += 1
            await reader.readuntil(b"a=b")
        writer.close()

    post = b"POST /oidc/v1/end_session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    async with replicas:
        for name in ("authz", "authz-2"):
            await replicas.enter_async_context(await asyncio.start_server(die, "127.0.0.1", upstream_ports[name]))
        if used:
            for _ in range(4):
                await exchange(gateway.port, request_of("GET", "/oauth/v2/authorize"))
        async with asyncio.timeout(HANGS):
            while not received:  # a busy gateway may use a connection to a server of an earlier test
                heard = await exchange(gateway.port, post + body, wait=20)

    assert received == 1, heard
    assert heard.statuses == [503]
