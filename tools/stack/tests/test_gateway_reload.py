"""Reloading the gateway's configuration: no request is lost, and changes take effect."""

from __future__ import annotations

import asyncio
import os
import signal
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
import pytest
from portico_contracts.catalogue import SERVICES
from portico_harness.certificates import write_certificate
from portico_harness.eventually import HANGS, eventually
from portico_harness.gateway_alone import running, telling_server
from portico_harness.plain_http import plain_http
from portico_stack.machine.ports import free_port
from portico_stack.machine.public_name import Certificate
from portico_stack.processes.programs import Process
from portico_stack.servers.gateway import GatewayServer

pytestmark = [pytest.mark.servers, pytest.mark.long]

KEYS = "/oauth/v2/keys"
SCHEMA_VERSION = (
    b"POST /oauth/v2/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
)
RELOAD = {"haproxy": signal.SIGUSR2, "caddy": signal.SIGUSR1}
CONFIGURATION = {"haproxy": "haproxy.cfg", "caddy": "Caddyfile"}
REFUSED = {"haproxy": "Loading failure!", "caddy": "failed to reload config from file"}


def _reload(process: Process, server: GatewayServer) -> None:
    """Sends the signal to the started process only, as an operator does."""
    assert process.pid
    os.kill(process.pid, RELOAD[server.kind])


def _server(program: type[GatewayServer], folder: Path, **ports: int) -> GatewayServer:
    """Every service at a separate port; nothing listens at the unnamed ones."""
    upstreams = {service: (f"127.0.0.1:{ports.get(service) or free_port()}",) for service in SERVICES}
    return program(folder / "gateway", free_port(), free_port(), upstreams)


@dataclass
class Forms:
    """A service that reads forms, counts them and responds on command."""

    port: int
    arrived: int = 0

    def __post_init__(self) -> None:
        self.may_answer = asyncio.Event()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        async with await asyncio.start_server(self._answer, "127.0.0.1", self.port):
            yield

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            await reader.readuntil(b"\r\n\r\n")
            self.arrived += 1
            await reader.readexactly(3)
            await self.may_answer.wait()
            writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
        writer.close()


@dataclass
class Clients:
    port: int
    answered: int = 0
    unanswered: int = 0
    stopped: bool = False

    async def post(self, keeps: bool) -> None:
        while not self.stopped:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            except ConnectionError:
                self.unanswered += 1
                continue
            while await self._one(reader, writer, keeps) and keeps and not self.stopped:
                pass
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, keeps: bool) -> bool:
        """Posts one form; returns whether the connection stays open."""
        head = b""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            writer.write(
                SCHEMA_VERSION + b"Content-Length: 3\r\n" + (b"" if keeps else b"Connection: close\r\n") + b"\r\na=b"
            )
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), HANGS)
        self.answered += head.startswith(b"HTTP/1.1 200 ")
        self.unanswered += not head.startswith(b"HTTP/1.1 200 ")
        return bool(head) and b"connection: close" not in head.lower()

    async def more(self, number: int) -> None:
        wanted = self.answered + number
        await eventually(lambda: _value(self.answered), lambda answered: answered >= wanted)


async def test_reload_loses_no_request(tmp_path: Path, program: type[GatewayServer]) -> None:
    """Requests on new and old connections are answered, and each form reaches its service once."""
    forms = Forms(free_port())
    forms.may_answer.set()
    server = _server(program, tmp_path, token=forms.port)
    clients = Clients(server.port)
    async with forms.listening(), running(server, tmp_path / "logs") as process:
        posting = [asyncio.create_task(clients.post(keeps)) for keeps in (False, False, False, True, True, True)]
        for _ in range(5):
            _reload(process, server)
            await clients.more(800)
        clients.stopped = True
        await asyncio.gather(*posting)

    assert process.restarts == 0
    assert forms.arrived == clients.answered
    # Caddy closes connections without a complete head: nothing was executed, and clients retry.
    assert clients.unanswered == 0 or server.kind == "caddy"


async def test_pending_request_survives_a_reload(tmp_path: Path, program: type[GatewayServer]) -> None:
    """A request that waits for its response, or whose body is incomplete, is answered by the old configuration."""
    forms, first, second = Forms(free_port()), free_port(), free_port()
    server = _server(program, tmp_path, token=forms.port, keys=first)
    changed = replace(server, upstreams={**server.upstreams, "keys": (f"127.0.0.1:{second}",)})
    async with (
        forms.listening(),
        telling_server(first, "first"),
        telling_server(second, "second"),
        running(server, tmp_path / "logs") as process,
    ):
        streams = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(2)]
        for (_, writer), body in zip(streams, (b"a=b", b"a"), strict=True):
            writer.write(SCHEMA_VERSION + b"Content-Length: 3\r\n\r\n" + body)
        await eventually(lambda: _value(forms.arrived), lambda arrived: arrived >= 1)
        before = await _keys(server)
        changed.program()
        await _reload_until(process, server, lambda: _keys(server), lambda name: name == "second")
        streams[1][1].write(b"=b")
        forms.may_answer.set()
        answers = [await asyncio.wait_for(reader.readline(), HANGS) for reader, _ in streams]
        for _, writer in streams:
            writer.close()

    assert before == "first"
    assert answers == [b"HTTP/1.1 200 OK\r\n"] * 2


async def test_invalid_configuration_changes_nothing(tmp_path: Path, program: type[GatewayServer]) -> None:
    """The old configuration stays in force, the log has the error, and the next valid one is loaded."""
    first, second = free_port(), free_port()
    server = _server(program, tmp_path, keys=first)
    changed = replace(server, upstreams={**server.upstreams, "keys": (f"127.0.0.1:{second}",)})
    async with (
        telling_server(first, "first"),
        telling_server(second, "second"),
        running(server, tmp_path / "logs") as process,
    ):
        (server.data / CONFIGURATION[server.kind]).write_text("nonsense {\n")
        await _reload_until(process, server, lambda: _log(tmp_path), lambda log: REFUSED[server.kind] in log)
        kept = {await _keys(server) for _ in range(5)}
        changed.program()
        await _reload_until(process, server, lambda: _keys(server), lambda name: name == "second")

    assert kept == {"first"}
    assert process.restarts == 0


async def test_renewed_certificate_is_served_after_a_reload(tmp_path: Path, program: type[GatewayServer]) -> None:
    """A reload reads the certificate files again without a restart."""
    folders = tmp_path / "first", tmp_path / "second"
    for folder in folders:
        folder.mkdir()
    files, renewed = (write_certificate(folder, "localhost") for folder in folders)
    given = Certificate(files.certificate, files.key)
    server = replace(_server(program, tmp_path), https=True, certificate=given)
    async with running(server, tmp_path / "logs") as process:
        before = await _served(server.port)
        files.key.write_bytes(renewed.key.read_bytes())
        files.certificate.write_bytes(renewed.certificate.read_bytes())
        after = await _reload_until(process, server, lambda: _served(server.port), lambda served: served != before)

    assert after == renewed.certificate.read_text()


async def _reload_until(
    process: Process,
    server: GatewayServer,
    read: Callable[[], Awaitable[str]],
    is_wanted: Callable[[str], bool],
) -> str:
    """Reloads repeatedly, because a new process may not handle signals yet."""
    for _ in range(4):
        _reload(process, server)
        with suppress(AssertionError):
            return await eventually(read, is_wanted, 10)  # allow short-deadline: four times
    return await eventually(read, is_wanted)


async def _keys(server: GatewayServer) -> str:
    """Returns the replica of keys that answers on a new connection; none when Caddy closes it."""
    async with plain_http(server.url) as client:
        with suppress(httpx.TransportError):
            return str((await client.get(KEYS)).json()["service"])
    return ""


async def _log(folder: Path) -> str:
    return (folder / "logs" / "gateway.log").read_text()


async def _served(port: int) -> str:
    return await asyncio.to_thread(ssl.get_server_certificate, ("127.0.0.1", port))


async def _value(number: int) -> int:
    return number
