"""Requests to a SCIM target over the real client: no redirect, no private address, its rate, and no path of its choice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from portico_runtime.http_client.outbound import Outbound
from portico_runtime.settings.sections.outbound import OutboundSection
from portico_users.scim_targets.client import Pacer, TargetClient, TargetFailed
from portico_users.scim_targets.target import ScimTarget


@asynccontextmanager
async def listening(answer: bytes) -> AsyncIterator[tuple[int, list[bytes]]]:
    """A server that answers every request alike; its port, and the request lines that it got."""
    got: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        got.append(await reader.readline())
        writer.write(answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], got


def client(url: str, *allowed: str) -> TargetClient:
    async def resolve(_host: str, _port: int) -> list[str]:
        return ["127.0.0.1"]

    target = ScimTarget(id="t", org_id="o", name="t", project_id="p", app_id="a", url=url)
    section = OutboundSection(outbound_allow=",".join(allowed))
    return TargetClient(target, "secret", Outbound(section, resolve=resolve), Pacer(0.0))


async def test_redirect_to_an_internal_address_is_not_followed() -> None:
    """The token would be sent to where the target leads (IP-03)."""
    async with listening(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}") as (inner, reached):
        head = f"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{inner}/\r\nContent-Length: 0\r\n\r\n"
        async with listening(head.encode()) as (port, got):
            with pytest.raises(TargetFailed, match="status 302"):
                await client(f"http://scim.example:{port}/v2", f"scim.example:{port}").find("1")

    assert (len(got), reached) == (1, [])


async def test_name_with_a_private_address_is_not_reached() -> None:
    """The address is checked at use: a name may lead elsewhere than when it was entered."""
    async with listening(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}") as (port, got):
        with pytest.raises(TargetFailed):
            await client(f"https://scim.example:{port}/v2").find("1")

    assert got == []


async def test_id_of_an_account_is_one_segment_of_the_path() -> None:
    async with listening(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n") as (port, got):
        found = await client(f"http://scim.example:{port}/v2", f"scim.example:{port}").find("../../admin?x=1")

    assert found is None
    assert got == [b"GET /v2/Users/..%2F..%2Fadmin%3Fx%3D1 HTTP/1.1\r\n"]


async def test_account_that_no_store_can_hold_is_a_failure_of_the_target() -> None:
    """A lone surrogate in an id would end the work for all users of the target, at each attempt."""
    body = b'{"id": "\\ud800"}'
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    async with listening(head + body) as (port, _):
        with pytest.raises(TargetFailed, match="not in JSON"):
            await client(f"http://scim.example:{port}/v2", f"scim.example:{port}").find("1")


async def test_rate_is_kept() -> None:
    """Between two requests, whatever their number and however long the pause before them."""
    at, slept = 100.0, list[float]()

    async def sleep(seconds: float) -> None:
        nonlocal at
        slept.append(round(seconds, 6))
        at += seconds

    pacer = Pacer(0.2, sleep, lambda: at)
    await pacer.wait()
    await pacer.wait()
    at += 0.05
    await pacer.wait()
    at += 5.0
    await pacer.wait()

    assert slept == [0.2, 0.15]
