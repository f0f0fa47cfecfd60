from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from portico_contracts.events import KEY_PUBLISHED, USER_CHANGED, WEBHOOKS, Changed, KeyEvent
from portico_contracts.subjects import Event
from portico_harness.eventually import eventually
from portico_harness.open_bus import open_bus, wait_until_connected
from portico_harness.servers import RunningNats
from portico_oauth.errors import Kind, ServiceError
from portico_runtime.bus.nats_bus import NatsBus
from portico_runtime.process.health import Health, is_ready

pytestmark = pytest.mark.servers

SECONDS = 20.0


async def publish(bus: NatsBus) -> str:
    id = secrets.token_hex(8)
    said = Changed(event_id=id, aggregate_id="a", org_id="o", sequence=1, at=1.0, actor="system")
    await bus.publish(USER_CHANGED, said, event_id=id)
    return id


async def outcome(work: Callable[[], Awaitable[Any]]) -> str:
    """Returns ``ok`` or the kind of the error."""
    try:
        await work()
    except ServiceError as error:
        return error.kind.value
    return "ok"


async def lose_store(nats: RunningNats, *buses: NatsBus) -> None:
    """Deletes the store of NATS; returns when the buses are connected again."""
    await asyncio.to_thread(nats.lose_store)
    for bus in buses:
        await wait_until_connected(bus)


async def test_publishing_recreates_a_lost_stream(fragile_nats: RunningNats) -> None:
    """The first attempt to publish creates a lost stream and stores the event (FD-05)."""
    async with open_bus(fragile_nats) as bus:
        await publish(bus)
        await lose_store(fragile_nats, bus)
        await asyncio.gather(*(publish(bus) for _ in range(20)))
        stored = (await bus._client.jetstream().stream_info("EVENTS")).state.messages

    assert stored == 20


async def test_consuming_recreates_a_lost_stream_and_consumer(fragile_nats: RunningNats) -> None:
    """A consumer that finds neither stream nor consumer creates both (FD-05)."""
    received: list[str] = []

    async def receive(_event: Event[Any], said: Changed) -> None:
        received.append(said.event_id)

    async with open_bus(fragile_nats) as bus:
        first = await publish(bus)
        await bus.consume(WEBHOOKS, receive, seconds=SECONDS)
        await lose_store(fragile_nats, bus)

        async def take() -> str:
            return await outcome(lambda: bus.consume(WEBHOOKS, receive, seconds=0.2))

        await eventually(take, lambda said: said == "ok")
        second = await publish(bus)
        await bus.consume(WEBHOOKS, receive, seconds=SECONDS)

    assert received == [first, second]


async def test_service_without_consumer_does_not_create_the_stream(fragile_nats: RunningNats) -> None:
    """A service without the right to create the stream gets an error until users created it (IN-05)."""
    said = KeyEvent(event_id="e1", kid="k1", at=1.0)
    async with open_bus(fragile_nats, "keys") as keys, open_bus(fragile_nats) as users:
        await lose_store(fragile_nats, keys, users)
        before = await outcome(lambda: keys.publish(KEY_PUBLISHED, said, event_id="e1"))
        await publish(users)
        after = await outcome(lambda: keys.publish(KEY_PUBLISHED, said, event_id="e1"))

    assert (before, after) == (Kind.UNAVAILABLE.value, "ok")


class Monotonic:
    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@asynccontextmanager
async def bus_with(clock: Monotonic, nats: RunningNats) -> AsyncIterator[NatsBus]:
    bus = NatsBus(nats.url, "users", nats.password("users"), monotonic=clock)
    await bus.start()
    try:
        await wait_until_connected(bus)
        yield bus
    finally:
        await bus.close()


async def test_full_disk_degrades_readiness_until_an_event_is_stored(fragile_nats: RunningNats) -> None:
    """After 30 s the bus reports why no event is stored, while the replica stays ready and answers."""
    clock = Monotonic()
    async with bus_with(clock, fragile_nats) as bus:
        health = Health()
        health.add("bus", bus.check)
        health.add_degradation("stream", bus.degradation)
        await publish(bus)
        await asyncio.to_thread(fragile_nats.fill_disk)
        while await outcome(lambda: publish(bus)) == "ok":
            pass
        early = await health.state()
        clock.seconds += 30
        failed = await outcome(lambda: publish(bus))
        full = await health.state()
        await asyncio.to_thread(fragile_nats.free_disk)
        await asyncio.to_thread(fragile_nats.kill)
        await eventually(lambda: outcome(lambda: publish(bus)), lambda said: said == "ok")
        freed = await health.state()

    assert early == {"bus": "ok", "stream": "ok"}
    assert failed == Kind.UNAVAILABLE.value
    assert full == {"bus": "ok", "stream": "degraded: no event could be published for 30 s (TimeoutError)"}
    assert is_ready(full)
    assert freed == {"bus": "ok", "stream": "ok"}
