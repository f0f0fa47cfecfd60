from __future__ import annotations

import asyncio

import pytest
from portico_contracts.keys import PUBLIC_KEYS, GetPublicKeys, PublicKeys
from portico_harness.eventually import HANGS
from portico_harness.open_bus import open_bus, wait_until_connected
from portico_harness.servers import RunningNats
from portico_oauth.errors import Kind, ServiceError

pytestmark = pytest.mark.servers


async def test_stopping_replica_refuses_what_it_cannot_finish(nats_server: RunningNats) -> None:
    """A long request gets 503 when the replica stops, not at its own deadline (FD-12)."""
    begun = asyncio.Event()

    async def hang(_ask: GetPublicKeys) -> PublicKeys:
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    ending = nats_server.bus("keys")
    ending.respond(PUBLIC_KEYS, hang)
    await ending.start()
    await wait_until_connected(ending)
    async with open_bus(nats_server, "token") as token:
        asked = asyncio.create_task(token.call(PUBLIC_KEYS, GetPublicKeys(), seconds=55))
        await begun.wait()
        await ending.close()
        async with asyncio.timeout(HANGS):
            [refused] = await asyncio.gather(asked, return_exceptions=True)

    assert isinstance(refused, ServiceError)
    assert (refused.kind, refused.retry_after) == (Kind.UNAVAILABLE, 1)
