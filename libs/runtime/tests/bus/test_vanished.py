from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import pytest
from portico_contracts.keys import PUBLIC_KEYS, GetPublicKeys, PublicKeys
from portico_harness.eventually import eventually
from portico_harness.open_bus import open_bus, wait_until_connected
from portico_harness.servers import RunningNats
from portico_oauth.errors import Kind, ServiceError
from portico_runtime.bus import nats_client

pytestmark = [pytest.mark.servers, pytest.mark.long]

SECONDS = 20.0
"""Far above the five seconds, for busy machines, and far below the defaults of NATS."""


@asynccontextmanager
async def vanished_replica(nats: RunningNats) -> AsyncIterator[asyncio.StreamReader]:
    """A subscribed replica of keys that stops answering without closing its connection."""
    parts = urlsplit(nats.url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    options = {"verbose": False, "user": "keys", "pass": nats.password("keys"), "headers": True, "protocol": 1}
    writer.write(f"CONNECT {json.dumps(options)}\r\nSUB {PUBLIC_KEYS.subject} keys 1\r\nPING\r\n".encode())
    await reader.readuntil(b"PONG\r\n")
    try:
        yield reader
    finally:
        writer.close()


async def test_vanished_replica_gets_no_more_requests(nats_server: RunningNats) -> None:
    """The server closes a connection whose pings are unanswered, and all requests go to the other replica."""

    async def answer(_question: GetPublicKeys) -> PublicKeys:
        return PublicKeys(jwks=())

    keys = nats_server.bus("keys")
    keys.respond(PUBLIC_KEYS, answer)
    async with vanished_replica(nats_server) as connection:
        await keys.start()
        await wait_until_connected(keys)
        async with open_bus(nats_server, "token") as token:
            async with asyncio.timeout(SECONDS):
                said = await connection.read(-1)
            answers = [await token.call(PUBLIC_KEYS, GetPublicKeys()) for _ in range(20)]
    await keys.close()

    assert b"Stale Connection" in said
    assert answers == [PublicKeys(jwks=())] * 20


async def test_vanished_server_is_left(fragile_nats: RunningNats) -> None:
    """The bus is unready once its pings are unanswered, and reconnects by itself."""

    async def is_left() -> bool:
        try:
            await bus.call(PUBLIC_KEYS, GetPublicKeys(), seconds=0.01)
        except ServiceError as error:
            return error.private.get("part") == "bus"
        return False

    async with open_bus(fragile_nats) as bus:
        fragile_nats.pause()
        try:
            await eventually(is_left, bool)
        finally:
            fragile_nats.resume()
        await wait_until_connected(bus)


async def test_silent_bus_is_not_ready(fragile_nats: RunningNats) -> None:
    """The first check fails seconds before the connection counts as lost, and the bus is ready again when
    replies arrive (FD-02).
    """
    async with open_bus(fragile_nats) as bus:
        fragile_nats.pause()
        try:
            with pytest.raises(ConnectionError):
                await bus.check()
        finally:
            fragile_nats.resume()
        await wait_until_connected(bus)
        await bus.check()


async def test_long_request_fails_with_its_connection(fragile_nats: RunningNats) -> None:
    """A caller that may wait a minute gets an error as soon as the server is left (FD-02)."""
    began = asyncio.Event()

    async def answer(_question: GetPublicKeys) -> PublicKeys:
        began.set()
        await asyncio.Event().wait()
        raise AssertionError

    keys = fragile_nats.bus("keys")
    keys.respond(PUBLIC_KEYS, answer)
    await keys.start()
    await wait_until_connected(keys)
    async with open_bus(fragile_nats, "token") as token:
        asked = asyncio.create_task(token.call(PUBLIC_KEYS, GetPublicKeys(), seconds=60))
        await began.wait()
        fragile_nats.pause()
        try:
            async with asyncio.timeout(SECONDS):
                with pytest.raises(ServiceError) as refused:
                    await asked
        finally:
            fragile_nats.resume()
        await wait_until_connected(token)
    await keys.close()

    assert refused.value.kind is Kind.UNAVAILABLE


async def test_idle_client_leaves_pinging_to_the_server(nats_server: RunningNats) -> None:
    """One ping is enough for both sides to notice that the other vanished (decision 0089)."""

    class Client(nats_client.NatsClient):
        received = sent = 0

        async def _process_ping(self) -> None:
            self.received += 1
            await super()._process_ping()

        async def answers(self, seconds: float = nats_client.PONG_SECONDS) -> bool:
            self.sent += 1
            return await super().answers(seconds)

    async def received() -> int:
        return client.received

    client = Client(nats_server.url, "keys", nats_server.password("keys"))
    await client.connect_once(seconds=SECONDS)
    try:
        await eventually(received, lambda count: count > nats_client.SILENT_SECONDS)
        sent, received_so_far = client.sent, client.received
    finally:
        await client.close()

    assert sent < received_so_far  # a busy machine may be silent once


def test_vanished_server_is_left_within_five_seconds() -> None:
    """Silence and the wait for an answer; a server that is busy for two seconds is not left (decision 0026)."""
    assert nats_client.SILENT_SECONDS + nats_client.STALE_SECONDS <= 5
    assert nats_client.STALE_SECONDS >= 2
