from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from portico_harness.eventually import eventually
from portico_runtime.bus.nats_bus import NatsBus
from portico_stack.assembly.stack import Stack


@asynccontextmanager
async def speaking_as(stack: Stack, service: str) -> AsyncIterator[NatsBus]:
    shared = stack.layout.shared
    bus = NatsBus(shared.bus_url, service, shared.bus_passwords[service])
    await bus.start()
    try:

        async def connected() -> bool:
            await bus.check()
            return True

        await eventually(connected, bool)
        yield bus
    finally:
        await bus.close()
