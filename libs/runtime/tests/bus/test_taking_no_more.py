from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from nats.aio.msg import Msg
from portico_contracts.keys import PUBLIC_KEYS
from portico_harness.eventually import HANGS
from portico_harness.servers import RunningNats
from portico_runtime.bus.handlers import LATE_SECONDS, take_no_more
from portico_runtime.bus.nats_client import NatsClient

pytestmark = pytest.mark.servers


async def test_requests_behind_a_slow_one_start(nats_server: RunningNats) -> None:
    """A replica that is busy when it stops has started every request that it received (FD-12)."""
    started: list[bytes] = []
    arrived, free = asyncio.Event(), asyncio.Event()

    async def receive(message: Msg) -> None:
        started.append(message.data)
        arrived.set()
        await free.wait()

    async with _connected(nats_server, "keys") as keys, _connected(nats_server, "token") as token:
        subscription = await keys.subscribe(PUBLIC_KEYS.subject, cb=receive)
        await keys.flush()
        for number in range(3):
            await token.publish(PUBLIC_KEYS.subject, b"%d" % number)
        await token.flush()
        async with asyncio.timeout(HANGS):
            await arrived.wait()
        asyncio.get_running_loop().call_later(1.5 * LATE_SECONDS, free.set)
        await take_no_more(keys, [subscription])

    assert started == [b"0", b"1", b"2"]


@asynccontextmanager
async def _connected(server: RunningNats, user: str) -> AsyncIterator[NatsClient]:
    async def ignore() -> None: ...

    client = NatsClient(server.url, user, server.passwords[user])
    await client.connect_somehow(ignore)
    yield client
    await client.close()
