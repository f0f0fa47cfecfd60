"""Connections to identity providers that are used again (decision 0163)."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from portico_harness.certificates import write_certificate
from portico_harness.eventually import eventually
from portico_runtime.http_client.addresses import AddressNotAllowed
from portico_runtime.http_client.kept_connections import IDLE_SECONDS, LONGEST_SECONDS, MOST, KeptConnections
from portico_runtime.http_client.outbound import Outbound
from portico_runtime.http_client.outbound_connection import NoResponse, TooLarge
from portico_runtime.settings.sections.outbound import OutboundSection

WHOLE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


@dataclass
class Time:
    now: float = 1_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Server:
    """Answers each request on each connection.

    Attributes:
        requests: the number of the connection of each request.
        answers: the next responses, before `WHOLE`; an empty one ends the connection.
    """

    port: int = 0
    connections: int = 0
    requests: list[int] = field(default_factory=list)
    answers: list[bytes] = field(default_factory=list)
    writers: list[asyncio.StreamWriter] = field(default_factory=list)
    ended: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        number = self.connections
        self.writers.append(writer)
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                lengths = [line[15:] for line in head.lower().split(b"\r\n") if line[:15] == b"content-length:"]
                await reader.readexactly(int(lengths[0]) if lengths else 0)
                self.requests.append(number)
                answer = self.answers.pop(0) if self.answers else WHOLE
                if not answer:
                    break
                writer.write(answer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.ended += 1
            writer.close()

    async def count(self) -> tuple[int, int]:
        return len(self.requests), self.ended


@asynccontextmanager
async def serving(tls: ssl.SSLContext | None = None) -> AsyncIterator[Server]:
    served = Server()
    server = await asyncio.start_server(served.serve, "127.0.0.1", 0, ssl=tls)
    served.port = server.sockets[0].getsockname()[1]
    try:
        yield served
    finally:
        server.close()


class Names:
    def __init__(self) -> None:
        self.address = "127.0.0.1"
        self.asked = 0

    async def __call__(self, _host: str, _port: int) -> list[str]:
        self.asked += 1
        return [self.address]


def client(server: Server, time: Time, names: Callable[[str, int], Awaitable[list[str]]] | None = None) -> Outbound:
    allowed = OutboundSection(outbound_allow=f"idp.internal:{server.port},other.internal:{server.port}")
    return Outbound(allowed, resolve=names or Names(), kept=KeptConnections(time))


async def ask(outbound: Outbound, server: Server, owner: str = "idp v1", host: str = "idp.internal") -> None:
    await outbound.kept_for(owner).exchange(f"http://{host}:{server.port}/token", {"code": "a"}, {})


async def test_connection_is_used_again_for_its_owner_alone() -> None:
    """Another provider, the same one after a change, and another host at the same address open their own."""
    async with serving() as server:
        outbound = client(server, Time())
        for owner in ("idp v1", "idp v1", "other v1", "idp v2", "idp v1"):
            await ask(outbound, server, owner)
        await ask(outbound, server, host="other.internal")
        await outbound.close()

    assert server.requests == [1, 1, 2, 3, 1, 4]


async def test_requests_without_an_owner_use_a_connection_once() -> None:
    """Webhooks and notices to applications never use one of before, and leave none."""
    async with serving() as server:
        outbound = client(server, Time())
        await ask(outbound, server)
        for _ in range(2):
            await outbound.get(f"http://idp.internal:{server.port}/")
        await eventually(server.count, lambda seen: seen[1] == 2)
        await outbound.close()

    assert server.requests == [1, 2, 3]


async def test_used_connection_leads_to_the_address_that_was_checked() -> None:
    """A name that leads to a private address later is refused with the next connection, within a minute (IP-03)."""
    time, names = Time(), Names()
    async with serving() as server:
        outbound = client(server, time, names)
        await ask(outbound, server)
        names.address = "10.0.0.1"
        await ask(outbound, server)
        asked = names.asked
        # The same server by a name that is not allowed to be private.
        public = Outbound(OutboundSection(), resolve=names, kept=KeptConnections(time)).kept_for("idp v1")
        with pytest.raises(AddressNotAllowed):
            await public.get(f"https://rebinding.example.test:{server.port}/")
        await outbound.close()

    assert (asked, server.requests) == (1, [1, 1])


async def test_connection_ends_with_its_time() -> None:
    """After four seconds without a request, and after a minute in any case, its name is resolved and checked again."""
    time, names = Time(), Names()
    async with serving() as server:
        outbound = client(server, time, names)
        await ask(outbound, server)
        time.now += IDLE_SECONDS
        await ask(outbound, server)
        first = list(server.requests)
        opened = time.now
        while time.now + IDLE_SECONDS / 2 < opened + LONGEST_SECONDS:
            time.now += IDLE_SECONDS / 2
            await ask(outbound, server)
        of_a_minute = set(server.requests[1:])
        time.now = opened + LONGEST_SECONDS
        await ask(outbound, server)
        await outbound.close()

    assert (first, of_a_minute, server.requests[-1], names.asked) == ([1, 2], {2}, 3, 3)


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
        WHOLE + b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]",
        b"HTTP/1.1 204 No Content\r\n\r\nmore",
        b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}",
    ],
    ids=["close", "two responses", "bytes after the response", "HTTP/1.0"],
)
async def test_connection_with_more_than_its_response_is_not_used_again(answer: bytes) -> None:
    """Otherwise the next request would get what a server sent too much as its response."""
    async with serving() as server:
        outbound = client(server, Time())
        server.answers.append(answer)
        for _ in range(2):
            await ask(outbound, server)
        await outbound.close()

    assert server.requests == [1, 2]


async def test_connection_that_receives_something_unasked_is_not_used_again() -> None:
    async with serving() as server:
        outbound = client(server, Time())
        await ask(outbound, server)
        server.writers[0].write(WHOLE)
        await eventually(server.count, lambda seen: seen[1] == 1)
        await ask(outbound, server)
        await outbound.close()

    assert server.requests == [1, 2]


async def test_connection_after_a_failure_is_not_used_again() -> None:
    """Neither after a response that is too large, nor after one that was not read, nor after a request that failed."""
    async with serving() as server:
        outbound = client(server, Time()).kept_for("idp v1")
        url = f"http://idp.internal:{server.port}/"
        with pytest.raises(TooLarge):
            await outbound.get(url, limit=1)
        await outbound.post(url, b"", {})
        server.answers.append(b"nonsense\r\n\r\n")
        with pytest.raises(NoResponse):
            await outbound.get(url)
        await outbound.get(url)
        await outbound.close()

    assert server.requests == [1, 2, 3, 4]


async def test_cancelled_request_leaves_no_response_for_the_next_one() -> None:
    async with serving() as server:
        outbound = client(server, Time())
        server.answers.append(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n")
        asked = asyncio.create_task(ask(outbound, server))
        await eventually(server.count, lambda seen: seen[0] == 1)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        await ask(outbound, server)
        await outbound.close()

    assert server.requests == [1, 2]


async def test_request_is_sent_again_when_a_used_connection_ends_without_a_response() -> None:
    """The server ended it while it was idle; on a new connection the request fails at once."""
    async with serving() as server:
        outbound = client(server, Time())
        await ask(outbound, server)
        server.answers.append(b"")
        await ask(outbound, server)
        after_the_end = list(server.requests)
        server.answers += [b"", b"", b""]
        with pytest.raises(NoResponse):
            await ask(outbound, server)
        with pytest.raises(NoResponse):
            await ask(outbound, server, "other v1")
        await outbound.close()

    assert (after_the_end, server.requests) == ([1, 1, 2], [1, 1, 2, 2, 3, 4])


async def test_request_is_not_sent_again_after_the_first_byte() -> None:
    async with serving() as server:
        outbound = client(server, Time())
        await ask(outbound, server)
        server.answers.append(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{")
        asked = asyncio.create_task(ask(outbound, server))
        await eventually(server.count, lambda seen: seen[0] == 2)
        server.writers[0].close()
        with pytest.raises(NoResponse):
            await asked
        await outbound.close()

    assert server.requests == [1, 1]


async def test_few_connections_wait_for_their_next_request() -> None:
    """Of too many the one that has waited for longest is closed."""
    async with serving() as server:
        outbound = client(server, Time())
        for number in range(MOST + 1):
            await ask(outbound, server, f"idp{number} v1")
        await eventually(server.count, lambda seen: seen[1] == 1)
        await ask(outbound, server, "idp1 v1")
        await ask(outbound, server, "idp0 v1")
        await outbound.close()
        await eventually(server.count, lambda seen: seen[1] == MOST + 2)

    assert server.requests[-2:] == [2, MOST + 2]


async def test_concurrent_requests_use_different_connections() -> None:
    async with serving() as server:
        outbound = client(server, Time())
        await asyncio.gather(*(ask(outbound, server) for _ in range(3)))
        await asyncio.gather(*(ask(outbound, server) for _ in range(3)))
        await outbound.close()

    assert sorted(server.requests) == [1, 1, 2, 2, 3, 3]


async def test_tls_connection_is_used_again(tmp_path: Path) -> None:
    """Certificate and name were verified when it was opened; another name opens its own and is refused."""
    files = write_certificate(tmp_path, "idp.internal")
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(files.certificate, files.key)
    async with serving(tls) as server:
        allowed = f"idp.internal:{server.port},other.internal:{server.port}"
        section = OutboundSection(outbound_allow=allowed, outbound_ca_file=str(files.authority))
        outbound = Outbound(section, resolve=Names(), kept=KeptConnections(Time())).kept_for("idp v1")
        for _ in range(2):
            await outbound.get(f"https://idp.internal:{server.port}/")
        with pytest.raises(NoResponse, match="ConnectError"):
            await outbound.get(f"https://other.internal:{server.port}/")
        await outbound.close()

    assert server.requests == [1, 1]
