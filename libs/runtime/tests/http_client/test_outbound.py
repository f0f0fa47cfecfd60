from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from portico_harness.certificates import write_certificate
from portico_harness.eventually import HANGS
from portico_runtime.http_client.addresses import AddressNotAllowed, OutboundError
from portico_runtime.http_client.outbound import Outbound, OutboundResponse, open_socket
from portico_runtime.http_client.outbound_connection import NoResponse, TooLarge
from portico_runtime.settings.networks import read_allow_list
from portico_runtime.settings.sections.outbound import OutboundSection

Reply = Callable[[asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Canary:
    port: int = 0
    requests: list[bytes] = field(default_factory=list)
    connections: int = 0


@asynccontextmanager
async def canary(reply: Reply, *, tls: ssl.SSLContext | None = None) -> AsyncIterator[Canary]:
    seen = Canary()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.connections += 1
        head = await reader.readuntil(b"\r\n\r\n")
        length = next((int(line[15:]) for line in head.lower().split(b"\r\n") if line[:15] == b"content-length:"), 0)
        seen.requests.append(head + await reader.readexactly(length))
        await reply(writer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    seen.port = server.sockets[0].getsockname()[1]
    try:
        yield seen
    finally:
        server.close()  # from Python 3.12 on waiting for its end would wait for connections that are never answered


def saying(text: bytes) -> Reply:
    async def reply(writer: asyncio.StreamWriter) -> None:
        writer.write(text)
        await writer.drain()

    return reply


def resolving(*addresses: str) -> Callable[[str, int], Awaitable[list[str]]]:
    async def resolve(_host: str, _port: int) -> list[str]:
        return list(addresses)

    return resolve


OK = b"HTTP/1.1 204 No Content\r\n\r\n"


async def test_form_reaches_an_allowed_address() -> None:
    async with canary(saying(OK)) as server:
        allowed = OutboundSection(outbound_allow=f"rp.internal:{server.port}")
        outbound = Outbound(allowed, resolve=resolving("127.0.0.1"))
        status = await outbound.post_form(f"http://rp.internal:{server.port}/bc?x=1", {"logout_token": "a.b+c"})
        await outbound.close()

    assert status == 204
    [request] = server.requests
    assert request.startswith(b"POST /bc?x=1 HTTP/1.1\r\n")
    assert f"host: rp.internal:{server.port}\r\n".encode() in request.lower()
    assert b"content-type: application/x-www-form-urlencoded\r\n" in request.lower()
    assert request.endswith(b"\r\n\r\nlogout_token=a.b%2Bc")


@pytest.mark.parametrize(
    "addresses",
    [["127.0.0.1"], ["::1"], ["10.1.2.3"], ["169.254.169.254"], ["8.8.8.8", "127.0.0.1"], ["::ffff:127.0.0.1"],
     ["fe80::1%lo"]],
)  # fmt: skip
async def test_name_with_a_private_address_gets_no_connection(addresses: list[str]) -> None:
    """All addresses of a name are checked at connect time (IP-03)."""
    async with canary(saying(OK)) as server:
        outbound = Outbound(OutboundSection(), resolve=resolving(*addresses))
        with pytest.raises(AddressNotAllowed):
            await outbound.get(f"https://rebinding.example.test:{server.port}/keys")
        await outbound.close()

    assert server.connections == 0


@pytest.mark.parametrize(
    ("head", "said"),
    [(b"503 Busy\r\nretry-after: 120", (503, "120")), (b"200 Fine\r\nDate: now", (200, ""))],
)
async def test_retry_after_is_returned(head: bytes, said: tuple[int, str]) -> None:
    """Retry-After is returned with the status, whatever the case of the header name."""
    async with canary(saying(b"HTTP/1.1 " + head + b"\r\nContent-Length: 0\r\n\r\n")) as server:
        outbound = Outbound(
            OutboundSection(outbound_allow=f"rp.internal:{server.port}"), resolve=resolving("127.0.0.1")
        )
        taken = await outbound.post(f"http://rp.internal:{server.port}/in", b"{}", {"webhook-id": "1"})
        await outbound.close()

    assert taken == said


async def test_name_is_resolved_once_per_connection() -> None:
    """A second resolution is never used, which prevents DNS rebinding (IP-03)."""
    asked: list[str] = []

    async def resolve(host: str, _port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"]

    async with canary(saying(OK)) as server:
        outbound = Outbound(OutboundSection(outbound_allow=f"rp.internal:{server.port}"), resolve=resolve)
        for _ in range(2):
            await outbound.get(f"http://rp.internal:{server.port}/")
        await outbound.close()

    assert asked == ["rp.internal", "rp.internal"]
    assert server.connections == 2


async def test_next_address_of_a_name_is_tried() -> None:
    """An address that refuses connections, or does not respond to them, leaves the request to the next one."""
    async with canary(saying(OK)) as server:
        with socket.create_server(("127.0.0.3", server.port), backlog=0) as full, socket.socket() as waiting:
            waiting.connect(full.getsockname())  # takes the only place, so that later connections get no response
            names = resolving("127.0.0.2", "127.0.0.3", "127.0.0.1", "127.0.0.2")
            allowed = OutboundSection(outbound_allow=f"rp.internal:{server.port}")
            outbound = Outbound(allowed, resolve=names)
            status = await outbound.post_form(f"http://rp.internal:{server.port}/", {})
            with await open_socket("rp.internal", server.port, names, read_allow_list(allowed.outbound_allow)) as plain:
                reached = plain.getpeername()
                await asyncio.get_running_loop().sock_sendall(plain, b"GET / HTTP/1.1\r\n\r\n")
            await outbound.close()

    assert (status, reached) == (204, ("127.0.0.1", server.port))


async def test_redirect_is_not_followed() -> None:
    async with canary(
        saying(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n")
    ) as server:
        outbound = Outbound(OutboundSection(outbound_allow=f"127.0.0.1:{server.port}"))
        answer = await outbound.get(f"http://127.0.0.1:{server.port}/")
        await outbound.close()

    assert answer.status == 302
    assert server.connections == 1


@pytest.mark.parametrize("announced", [True, False])
async def test_response_over_its_limit_is_not_read(announced: bool) -> None:
    """The limit is 64 KiB, or 256 KiB where the caller allows it, with and without Content-Length (P8)."""

    async def read(asked: Callable[[Outbound, str], Awaitable[OutboundResponse]], size: int) -> int:
        length = f"Content-Length: {size}\r\n" if announced else ""
        async with canary(saying(f"HTTP/1.1 200 OK\r\n{length}\r\n".encode() + b"x" * size)) as server:
            outbound = Outbound(OutboundSection(outbound_allow=f"127.0.0.1:{server.port}"))
            try:
                return len((await asked(outbound, f"http://127.0.0.1:{server.port}/")).body)
            except TooLarge as error:
                return -error.status
            finally:
                await outbound.close()

    asked: tuple[tuple[Callable[[Outbound, str], Awaitable[OutboundResponse]], int], ...] = (
        (lambda outbound, url: outbound.get(url), 65_536),
        (lambda outbound, url: outbound.exchange(url, {}, {}), 65_536),
        (lambda outbound, url: outbound.get(url, limit=262_144), 262_144),
    )
    for way, limit in asked:
        assert [await read(way, size) for size in (limit, limit + 1)] == [limit, -200]


@pytest.mark.parametrize(
    "costly",
    [
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 5_000,
        b"HTTP/1.1 100 Continue\r\n\r\n" * 5_000,
        b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 10_000 + b"\r\n",
    ],
    ids=["small chunks", "informational answers", "headers"],
)
async def test_response_that_is_costly_to_parse_is_refused(costly: bytes) -> None:
    """The number of lines is limited, because many small protocol elements are expensive to parse (RX-08)."""
    async with canary(saying(costly)) as server:
        outbound = Outbound(OutboundSection(outbound_allow=f"127.0.0.1:{server.port}"))
        with pytest.raises(NoResponse, match="too many lines"):
            await outbound.get(f"http://127.0.0.1:{server.port}/")
        await outbound.close()


async def test_head_over_its_limit_is_refused() -> None:
    """A head without an end is not read for ever, whatever the limit of the body (RX-08)."""
    async with canary(saying(b"HTTP/1.1 200 OK\r\na: " + b"b" * 200_000)) as server:
        outbound = Outbound(OutboundSection(outbound_allow=f"127.0.0.1:{server.port}"))
        with pytest.raises(NoResponse, match="RemoteProtocolError"):
            await outbound.post(f"http://127.0.0.1:{server.port}/", b"", {})
        await outbound.close()


async def test_informational_responses_are_skipped() -> None:
    """The status and the headers are of the final response (RFC 9110 section 15.2)."""
    early = b"HTTP/1.1 103 Early Hints\r\nRetry-After: 9\r\n\r\n"
    final = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
    async with canary(saying(early + final)) as server:
        outbound = Outbound(OutboundSection(outbound_allow=f"127.0.0.1:{server.port}"))
        answer = await outbound.get(f"http://127.0.0.1:{server.port}/")
        await outbound.close()

    assert (answer.status, answer.body, answer.retry_after) == (200, b"{}", "")


async def test_header_with_a_line_break_is_not_sent() -> None:
    """A line break would end the header and begin another one (RFC 9112 section 5)."""
    async with canary(saying(OK)) as server:
        outbound = Outbound(OutboundSection(outbound_allow=f"127.0.0.1:{server.port}"))
        with pytest.raises(NoResponse, match="LocalProtocolError"):
            await outbound.get(f"http://127.0.0.1:{server.port}/", {"Authorization": "a\r\nHost: b"})
        await outbound.close()

    assert server.requests == []


async def test_unresponsive_server_times_out() -> None:
    async def never(_writer: asyncio.StreamWriter) -> None:
        await asyncio.get_running_loop().create_future()

    async with canary(never) as server:
        outbound = Outbound(OutboundSection(outbound_allow=f"127.0.0.1:{server.port}"), seconds=0.05)
        with pytest.raises(NoResponse):
            await outbound.get(f"http://127.0.0.1:{server.port}/")
        await outbound.close()


@pytest.mark.parametrize(
    "reply",
    [
        b"",
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    ],
)
async def test_non_http_response_is_not_a_response(reply: bytes) -> None:
    """A response that is not HTTP raises `NoResponse`."""
    async with canary(saying(reply)) as server:
        outbound = Outbound(OutboundSection(outbound_allow=f"127.0.0.1:{server.port}"))
        with pytest.raises(NoResponse):
            await outbound.get(f"http://127.0.0.1:{server.port}/")
        await outbound.close()


async def test_plain_http_on_https_address_is_not_a_response() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        outbound = Outbound(OutboundSection(outbound_allow=f"127.0.0.1:{port}"), seconds=HANGS)
        with pytest.raises(NoResponse, match="ConnectError"):
            await outbound.get(f"https://127.0.0.1:{port}/")
        await outbound.close()


async def test_certificate_must_be_trusted_and_of_the_name(tmp_path: Path) -> None:
    """The connection goes to the checked address, and TLS verifies the name of the URL."""
    files = write_certificate(tmp_path, "rp.internal")
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(files.certificate, files.key)
    trusted = str(files.authority)
    answers: list[int | str] = []
    async with canary(saying(OK), tls=tls) as server:
        for host, ca_file in (("rp.internal", ""), ("other.internal", trusted), ("rp.internal", trusted)):
            allowed = OutboundSection(outbound_allow=f"{host}:{server.port}", outbound_ca_file=ca_file)
            outbound = Outbound(allowed, resolve=resolving("127.0.0.1"))
            try:
                answers.append((await outbound.get(f"https://{host}:{server.port}/")).status)
            except NoResponse as error:
                answers.append(str(error))
            await outbound.close()

    assert answers == ["ConnectError", "ConnectError", 204]


async def test_unresolvable_name_is_not_a_response() -> None:
    async def fail(_host: str, _port: int) -> list[str]:
        raise OSError

    outbound = Outbound(OutboundSection(), resolve=fail)
    with pytest.raises(OutboundError):
        await outbound.get("https://nowhere.example.test/")
    await outbound.close()


async def test_form_post_returns_body_and_media_type() -> None:
    """The caller's headers are sent, and body and media type are returned, as a token endpoint requires (RFC 6749
    §4.1.3).
    """
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: Application/JSON; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}"
    async with canary(saying(answer)) as seen:
        client = Outbound(OutboundSection(outbound_allow=f"127.0.0.1:{seen.port}"))
        address = f"http://127.0.0.1:{seen.port}/token"
        got = await client.exchange(address, {"code": "a b"}, {"Authorization": "Basic eA=="})
        read = await client.get(address, {"Authorization": "Bearer t"})

    assert (got.status, got.body, got.content_type, read.body) == (200, b"{}", "application/json", b"{}")
    assert b"Authorization: Basic eA==\r\n" in seen.requests[0]
    assert seen.requests[0].endswith(b"\r\n\r\ncode=a+b")
    assert b"Authorization: Bearer t\r\n" in seen.requests[1]


async def test_name_is_resolved_without_a_request() -> None:
    """An address that may not be requested, and a name without one, are refused as with a request (IP-03)."""

    async def fail(_host: str, _port: int) -> list[str]:
        raise OSError

    outbound = Outbound(OutboundSection(), resolve=resolving("8.8.8.8"))
    await outbound.resolve("https://public.example/x")
    with pytest.raises(AddressNotAllowed):
        await outbound.resolve("https://127.0.0.1/x")
    with pytest.raises(AddressNotAllowed):
        await Outbound(OutboundSection(), resolve=resolving("8.8.8.8", "10.0.0.1")).resolve("https://mixed.example/x")
    with pytest.raises(NoResponse):
        await Outbound(OutboundSection(), resolve=fail).resolve("https://unknown.example/x")
