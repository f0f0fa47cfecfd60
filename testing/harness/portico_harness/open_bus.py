from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from portico_runtime.bus.nats_bus import NatsBus

from portico_harness.eventually import eventually
from portico_harness.servers import RunningNats


async def wait_until_connected(bus: NatsBus) -> None:
    async def is_connected() -> bool:
        await bus.check()
        return True

    await eventually(is_connected, bool)


@asynccontextmanager
async def open_bus(nats: RunningNats, user: str = "users") -> AsyncIterator[NatsBus]:
    bus = nats.bus(user)
    await bus.start()
    await wait_until_connected(bus)
    try:
        yield bus
    finally:
        await bus.close()
