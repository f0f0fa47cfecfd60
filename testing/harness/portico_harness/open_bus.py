"""Buses of tests over a real NATS."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from portico_runtime.bus import NatsBus

from portico_harness.eventually import eventually
from portico_harness.servers import RunningNats


async def wait_until_connected(bus: NatsBus) -> None:
    """Returns when the bus accepts requests."""

    async def is_connected() -> bool:
        await bus.check()
        return True

    await eventually(is_connected, bool)


@asynccontextmanager
async def open_bus(nats: RunningNats, user: str = "users") -> AsyncIterator[NatsBus]:
    """A connected bus of one user."""
    bus = nats.bus(user)
    await bus.start()
    await wait_until_connected(bus)
    try:
        yield bus
    finally:
        await bus.close()
