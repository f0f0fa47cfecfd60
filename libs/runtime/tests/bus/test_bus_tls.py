"""Tests of the bus over TLS: one NATS server, and a cluster of three (decision 0077)."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import nats.errors
import pytest
from portico_contracts.catalogue import BUS_USERS
from portico_contracts.events import KEY_PUBLISHED, KeyEvent
from portico_contracts.keys import PUBLIC_KEYS, GetPublicKeys, PublicKeys
from portico_harness.certificates import Files, write_certificate
from portico_harness.eventually import eventually
from portico_harness.loop_thread import LoopThread
from portico_harness.open_bus import wait_until_connected
from portico_harness.servers import RunningNats
from portico_harness.tls_servers import nats_over_tls
from portico_oauth.errors import ServiceError
from portico_runtime.bus.nats_bus import NatsBus
from portico_runtime.bus.nats_client import NatsClient
from portico_runtime.process.health import Health
from portico_runtime.settings.section import InvalidSetting
from portico_runtime.settings.sections.bus import BusSection
from portico_runtime.tls.refused import NOT_TRUSTED, OTHER_NAME
from portico_stack.machine.ports import free_port
from portico_stack.processes.programs import Process
from portico_stack.servers.nats import TlsFiles
from portico_stack.servers.nats_cluster import SERVERS, NatsCluster
from pydantic import SecretStr

pytestmark = [pytest.mark.servers, pytest.mark.long]


@pytest.fixture(name="files", scope="module")
def _files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return write_certificate(tmp_path_factory.mktemp("authority"), "localhost")


@pytest.fixture(name="server", scope="module")
def _server(tmp_path_factory: pytest.TempPathFactory, files: Files) -> Iterator[RunningNats]:
    with nats_over_tls(tmp_path_factory.mktemp("nats-tls"), files) as server:
        yield server


def bus(url: str, password: str, authority: Path | str, user: str = "keys") -> NatsBus:
    return NatsBus.of(BusSection(bus_url=url, bus_password=SecretStr(password), bus_ca_file=str(authority)), user)


@asynccontextmanager
async def connected(url: str, password: str, authority: Path, user: str = "keys") -> AsyncIterator[NatsBus]:
    one = bus(url, password, authority, user)
    if user == "keys":
        one.respond(PUBLIC_KEYS, answer)
    await one.start()
    try:
        await wait_until_connected(one)
        yield one
    finally:
        await one.close()


async def answer(_ask: GetPublicKeys) -> PublicKeys:
    return PublicKeys(jwks=({"kid": "k1"},))


async def publish(of: NatsBus) -> None:
    id = secrets.token_hex(8)
    await of.publish(KEY_PUBLISHED, KeyEvent(event_id=id, kid="k1", at=1.0), event_id=id)


async def refusal(of: NatsBus) -> str:
    """Returns the error that /readyz shows after start-up; closes the bus."""
    health = Health()
    health.add("bus", of.check)
    await of.start()

    async def reason() -> str:
        state = (await health.state())["bus"]
        return "" if state == "does not respond" else state

    try:
        return await eventually(reason, bool)
    finally:
        await of.close()


async def test_bus_works_over_tls(server: RunningNats, files: Files) -> None:
    """Requests are answered, events are acknowledged, and permissions are enforced."""
    async with (
        connected(server.url, server.password("keys"), files.authority) as keys,
        connected(server.url, server.password("token"), files.authority, "token") as token,
    ):
        asked = await token.call(PUBLIC_KEYS, GetPublicKeys())
        await publish(keys)

    assert asked.jwks == ({"kid": "k1"},)


async def test_untrusted_certificate_is_refused(server: RunningNats, tmp_path: Path) -> None:
    """Readiness names the certificate as the reason, and no request is sent."""
    other = write_certificate(tmp_path, "localhost").authority

    assert await refusal(bus(server.url, server.password("keys"), other)) == NOT_TRUSTED


async def test_certificate_for_another_name_is_refused(server: RunningNats, files: Files) -> None:
    url = f"tls://127.0.0.1:{urlsplit(server.url).port}"

    assert await refusal(bus(url, server.password("keys"), files.authority)) == OTHER_NAME


async def test_password_is_not_sent_without_tls(files: Files) -> None:
    """A client that requires TLS sends no password to a server that does not offer it."""
    received: list[bytes] = []

    async def in_between(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(
            b"INFO " + json.dumps({"server_id": "x", "max_payload": 1_000, "headers": True}).encode() + b"\r\n"
        )
        received.append(await reader.read(1_000))
        writer.close()

    listening = await asyncio.start_server(in_between, "127.0.0.1", 0)
    async with listening:
        port = listening.sockets[0].getsockname()[1]
        client = NatsClient(f"tls://localhost:{port}", "keys", "a-password-of-tests", str(files.authority))
        with pytest.raises(nats.errors.SecureConnWantedError):
            await client.connect_once(seconds=2)
        await client.close()
        await eventually(lambda: asyncio.sleep(0, bool(received)), bool)

    assert received == [b""]


@pytest.mark.parametrize(
    ("url", "ca_file"),
    [("tls://one:4222,nats://two:4222", ""), ("nats://one:4222", "/authority.pem"), ("tls://one:4222", "/missing.pem")],
)
def test_inconsistent_tls_settings_stop_the_start(url: str, ca_file: str) -> None:
    """TLS for only some servers, a CA file without TLS and a missing file are refused."""
    with pytest.raises(InvalidSetting, match="PORTICO_BUS_"):
        bus(url, "password", ca_file)


@asynccontextmanager
async def cluster_over_tls(data: Path, files: Files) -> AsyncIterator[tuple[NatsCluster, list[Process], LoopThread]]:
    passwords = {user: secrets.token_hex(16) for user in BUS_USERS}
    ports, routes = ([free_port() for _ in range(SERVERS)] for _ in range(2))
    cluster = NatsCluster(data, ports, routes, passwords, secrets.token_hex(16), TlsFiles(*files))
    loop = LoopThread()
    processes = [Process(program, data / "logs", print) for program in cluster.programs()]
    try:
        for process in processes:
            await asyncio.to_thread(loop.run, process.start())
        await asyncio.to_thread(loop.run, cluster.prepare())
        yield cluster, processes, loop
    finally:
        for process in processes:
            await asyncio.to_thread(loop.run, process.stop(5))
        await asyncio.to_thread(loop.close)


async def test_tls_cluster_survives_one_server(tmp_path: Path) -> None:
    """Requests and events continue over another server, also where only one was configured."""
    both = write_certificate(tmp_path, "localhost", "127.0.0.1")
    async with cluster_over_tls(tmp_path / "cluster", both) as (cluster, processes, loop):
        password, first = cluster.passwords["keys"], cluster.url.split(",")[0]
        async with connected(first, password, both.authority) as keys:
            token_password = cluster.passwords["token"]
            async with connected(cluster.url, token_password, both.authority, "token") as token:
                await asyncio.to_thread(loop.run, processes[0].stop(0))

                async def goes_on() -> bool:
                    try:
                        await token.call(PUBLIC_KEYS, GetPublicKeys())
                        await publish(keys)
                    except ServiceError:
                        return False
                    return True

                assert await eventually(goes_on, bool)
