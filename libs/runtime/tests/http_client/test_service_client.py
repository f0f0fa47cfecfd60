from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from portico_harness.certificates import write_certificate
from portico_harness.eventually import HANGS
from portico_runtime.http_client.service_client import MAX_ANSWER, Address, NoResponse, ServiceClient, connect
from portico_runtime.http_client.service_connection import ServiceConnection

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class Reluctant:
    """Fails to open its first connection."""

    refused = False

    async def __call__(self, address: Address) -> ServiceConnection:
        if not self.refused:
            self.refused = True
            raise ConnectionRefusedError
        return await connect(address)


class Service:
    """A service with scripted responses that records the requests."""

    def __init__(self) -> None:
        self.url = ""
        self.says: list[bytes] = []
        self.asked: list[bytes] = []
        self.connections = 0
        self.silent = False
        self.received = asyncio.Event()
        self.left = asyncio.Event()
        self._writers: list[asyncio.StreamWriter] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one connection; an empty response closes it."""
        self.connections += 1
        self._writers.append(writer)
        while request := await self._read(reader):
            self.asked.append(request)
            self.received.set()
            answer = self.says.pop(0) if self.says else OK
            if self.silent:
                continue
            writer.write(answer)
            if not answer:
                break
        writer.close()
        self.left.set()

    async def hang_up(self) -> None:
        for writer in self._writers:
            writer.close()
            await writer.wait_closed()
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def _read(self, reader: asyncio.StreamReader) -> bytes:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            return b""
        length = next((int(line[15:]) for line in head.split(b"\r\n") if line.startswith(b"Content-Length:")), 0)
        return head + await reader.readexactly(length)


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    made = Service()
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield made
    server.close()


async def test_request_is_sent_unchanged(service: Service) -> None:
    """Method, path below the base path, host, headers, length and body are sent as given (RFC 9112 §3)."""
    service_client = ServiceClient(f"{service.url}/inside/")
    await service_client.request("POST", "/here", {"X-Request-Id": "abc", "Content-Type": "text/plain"}, b"body")
    await service_client.close()

    head, _, body = service.asked[0].partition(b"\r\n\r\n")
    first, *headers = head.decode().split("\r\n")
    assert (first, body) == ("POST /inside/here HTTP/1.1", b"body")
    host, length = f"Host: {service.url.removeprefix('http://')}", "Content-Length: 4"
    assert sorted(headers) == sorted([host, length, "X-Request-Id: abc", "Content-Type: text/plain"])


async def test_response_is_read_from_any_chunks(service: Service) -> None:
    service.says = [
        b"HTTP/1.1 503 No\r\nRetry-After: 7\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n1\r\n!\r\n0\r\n\r\n"
    ]
    service_client = ServiceClient(service.url)
    answered = await service_client.request("GET", "/", {})
    await service_client.close()

    assert (answered.status, answered.headers["retry-after"], answered.body) == (503, "7", b"no!")


async def test_connection_is_reused(service: Service) -> None:
    """Sequential requests share one connection, concurrent requests use one each."""
    service_client = ServiceClient(service.url)
    for _ in range(3):
        await service_client.request("GET", "/", {})
    one = service.connections
    answers = await asyncio.gather(*(service_client.request("GET", "/", {}) for _ in range(3)))
    await service_client.close()

    assert (one, service.connections) == (1, 3)
    assert [(answer.status, answer.body) for answer in answers] == [(200, b"ok")] * 3


@pytest.mark.parametrize("why", ["told to close", "too old"])
async def test_connection_about_to_close_is_not_reused(service: Service, why: str) -> None:
    if why == "told to close":
        service.says = [b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"]
    service_client = ServiceClient(service.url, idle_seconds=0 if why == "too old" else 60)
    for _ in range(2):
        await service_client.request("GET", "/", {})
    await service_client.close()

    assert service.connections == 2


async def test_connection_closed_while_idle_costs_no_request(service: Service) -> None:
    service_client = ServiceClient(service.url)
    await service_client.request("GET", "/", {})
    await service.hang_up()
    answered = await service_client.request("GET", "/", {})
    await service_client.close()

    assert (answered.status, len(service.asked)) == (200, 2)


async def test_request_is_never_sent_twice(service: Service) -> None:
    service.says = [b""]
    service_client = ServiceClient(service.url)
    with pytest.raises(NoResponse):
        await service_client.request("POST", "/", {}, b"once")

    assert len(service.asked) == 1


async def test_no_caller_gets_another_requests_response(service: Service) -> None:
    """A cancelled caller closes the connection, so that its response reaches no other caller."""
    service.silent = True
    service_client = ServiceClient(service.url)
    asking = asyncio.create_task(service_client.request("GET", "/first", {}))
    await service.received.wait()
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    await asyncio.wait_for(service.left.wait(), HANGS)
    service.silent = False
    await service_client.request("GET", "/second", {})
    await service_client.close()

    assert service.connections == 2


@pytest.mark.parametrize(
    "said",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut",
        b"SSH-2.0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 20000000\r\n\r\n" + b"x" * (MAX_ANSWER + 1),
    ],
    ids=["cut off", "not HTTP", "endless"],
)
async def test_invalid_response_is_an_error(service: Service, said: bytes) -> None:
    """A truncated, malformed or oversized response is an error, never a partial result."""
    service.says = [said, b""]
    service_client = ServiceClient(service.url)
    asking = asyncio.create_task(service_client.request("GET", "/", {}))
    await service.received.wait()
    if b"cut" in said:
        await service.hang_up()
    with pytest.raises(NoResponse):
        await asking


async def test_page_of_a_thousand_records_is_read(service: Service) -> None:
    """Records of 12 KB, such as applications with many addresses."""
    size = 1_000 * 12_000
    service.says = [b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size + b"x" * size]

    assert len((await ServiceClient(service.url).request("GET", "/", {})).body) == size


async def test_unsolicited_response_closes_the_connection(service: Service) -> None:
    service.says = [OK + OK.replace(b"ok", b"no")]
    service_client = ServiceClient(service.url)
    bodies = [(await service_client.request("GET", "/", {})).body for _ in range(2)]
    await service_client.close()

    assert (bodies, service.connections) == ([b"ok", b"ok"], 2)


async def test_connecting_is_tried_twice(service: Service) -> None:
    """Behind one address there may be a stopped replica and a running one, and nothing was sent yet."""
    service_client = ServiceClient(service.url, connect=Reluctant())
    answered = await service_client.request("POST", "/", {}, b"once")
    await service_client.close()

    assert answered.status == 200


@pytest.mark.parametrize("trusted", [True, False])
async def test_certificate_is_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, trusted: bool) -> None:
    files = write_certificate(tmp_path, "localhost")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(files.certificate, files.key)
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(files.authority))
    made = Service()
    async with await asyncio.start_server(made.serve, "localhost", 0, ssl=context) as server:
        client = ServiceClient(f"https://localhost:{server.sockets[0].getsockname()[1]}")
        with nullcontext() if trusted else pytest.raises(ssl.SSLCertVerificationError):
            await client.request("GET", "/", {})
        await client.close()

    assert len(made.asked) == trusted


async def test_unreachable_server_raises_os_error() -> None:
    server = await asyncio.start_server(lambda _reader, _writer: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()

    with pytest.raises(OSError, match=str(port)):
        await ServiceClient(f"http://127.0.0.1:{port}").request("GET", "/", {})


@pytest.mark.parametrize("header", ["v\r\nX: y", "v\ny", "v\0"])
async def test_header_injection_is_prevented(service: Service, header: str) -> None:
    """A trace id comes from a client and cannot end a header or begin a request."""
    service_client = ServiceClient(service.url)
    with pytest.raises(ValueError, match="header"):
        await service_client.request("GET", "/", {"traceparent": header})
    await service_client.close()

    assert service.asked == []


async def test_path_injection_is_prevented(service: Service) -> None:
    service_client = ServiceClient(service.url)
    await service_client.request("GET", "/a b\r\nX: y", {})
    await service_client.close()

    assert service.asked[0].startswith(b"GET /a%20b")
    assert b"X: y" not in service.asked[0]


async def test_changed_address_is_followed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a container is replaced, its old address may belong to another service and is not used."""
    before, after, stranger = Service(), Service(), Service()
    loop = asyncio.get_running_loop()
    addresses = ["127.0.0.2"]
    resolve = loop.getaddrinfo

    async def look_up(_host: object, port: int, **named: Any) -> Any:
        return await resolve(addresses[0], port, **named)

    monkeypatch.setattr(loop, "getaddrinfo", look_up)
    server = await asyncio.start_server(before.serve, "127.0.0.2", 0)
    port = server.sockets[0].getsockname()[1]
    client = ServiceClient(f"http://authz.example.test:{port}")
    await client.request("GET", "/", {})
    server.close()
    await before.hang_up()
    addresses[0] = "127.0.0.3"
    async with (
        await asyncio.start_server(stranger.serve, "127.0.0.2", port),
        await asyncio.start_server(after.serve, "127.0.0.3", port),
    ):
        await client.request("GET", "/", {})
        await client.close()

    assert (len(before.asked), len(after.asked), len(stranger.asked)) == (1, 1, 0)
