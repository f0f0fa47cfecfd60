from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest
from portico_authz.logout.own_clients import OwnClients
from portico_runtime.http_client.addresses import OutboundError

ISSUER = "https://id.example.test"


class _Others:
    """The client for all other addresses."""

    def __init__(self) -> None:
        self.posted: list[str] = []

    async def post_form(self, url: str, fields: Mapping[str, str]) -> int:
        self.posted.append(url)
        return 204


async def test_own_clients_are_reached_without_the_gateway() -> None:
    """Every other address, similar ones included, is posted to as usual."""
    requests: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        requests.append(head.split(b"\r\n")[0] + b" " + await reader.readexactly(len(b"logout_token=a.b.c")))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    others = _Others()
    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        posts = OwnClients(ISSUER, f"http://127.0.0.1:{port}/, http://127.0.0.1:{port}", others)
        own = [f"{ISSUER}/ui/{name}/backchannel-logout" for name in ("console", "account")]
        foreign = [
            f"{own[0]}/x",
            f"https://evil.example/{own[0]}",
            f"{ISSUER}/ui/login",
            "https://shop.example.test/bc",
        ]
        statuses = [await posts.post_form(url, {"logout_token": "a.b.c"}) for url in (*own, *foreign)]
        await posts.close()

    assert statuses == [200, 200, 204, 204, 204, 204]
    assert requests == [
        f"POST /ui/{name}/backchannel-logout HTTP/1.1 logout_token=a.b.c".encode() for name in ("console", "account")
    ]
    assert others.posted == foreign


async def test_unreachable_service_is_retried() -> None:
    """An unreachable service raises `OutboundError`, like every other client."""
    posts = OwnClients(ISSUER, "http://127.0.0.1:1", _Others())
    with pytest.raises(OutboundError):
        await posts.post_form(f"{ISSUER}/ui/console/backchannel-logout", {"logout_token": "a.b.c"})
    await posts.close()
