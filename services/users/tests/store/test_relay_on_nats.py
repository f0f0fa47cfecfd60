from __future__ import annotations

import asyncio
import itertools
import secrets
from collections import defaultdict
from typing import Any

import pytest
from portico_contracts.events import STREAM, WEBHOOKS, Changed
from portico_contracts.subjects import Event
from portico_contracts.users.republishing import RepublishEvents
from portico_fakes.memory_bus import MemoryBus
from portico_harness.eventually import HANGS
from portico_harness.open_bus import open_bus
from portico_harness.servers import RunningNats
from portico_oauth.errors import UNAVAILABLE, ServiceError
from portico_runtime.bus.nats_bus import NatsBus
from portico_users.journal.outbox import OLDEST_SECONDS, ROWS, Backlog, Relay
from portico_users.journal.republishing import Republishing
from portico_users.tables import EVENTS

pytestmark = pytest.mark.servers

NAMES = 6
CHANGES = 5
_TIMES = itertools.count(500_000_000, 1_000_000)
"""No other test uses these times, so the log has nothing else there."""


class ForgetsAnswers(MemoryBus):
    def __init__(self, bus: NatsBus) -> None:
        super().__init__()
        self._bus = bus
        self._lost: set[str] = set()

    async def publish(self, event: Event[Any], body: Any, *, event_id: str) -> None:
        await self._bus.publish(event, body, event_id=event_id)
        if event_id not in self._lost:
            self._lost.add(event_id)
            raise UNAVAILABLE.error(retry_after=1, part="stream")


@pytest.fixture
async def changed(users_world: Any) -> dict[str, int]:
    users_world.clock.tick(next(_TIMES))
    database = users_world.parts.mongo.database
    await database["outbox"].delete_many({})
    await database["leases"].delete_many({})
    for number in range(CHANGES):
        humans = [
            users_world.human(
                id=f"{name}-{users_world.tag}",
                username=f"{name}-{users_world.tag}",
                profile={"firstName": f"Name {number}", "lastName": "Adams"},
                email={"email": users_world.mail(str(name)), "isVerified": True},
            )
            for name in range(NAMES)
        ]
        await users_world.apply(users_world.organization(projects=[], humans=humans))
    about = await database["outbox"].aggregate([{"$group": {"_id": "$object", "count": {"$sum": 1}}}]).to_list(None)
    return {row["_id"]: row["count"] for row in about}


async def run_once(relay: Relay, world: Any) -> None:
    while await world.rows("outbox"):
        try:
            await relay.publish_batch()
        except (ServiceError, TimeoutError):
            # The bus is unavailable or did not respond: retry, as `Background` does.
            continue


async def on_the_stream(bus: NatsBus, about: dict[str, int]) -> dict[str, list[int]]:
    found: dict[str, dict[str, int]] = defaultdict(dict)

    async def work(_event: Event[Any], said: Changed) -> None:
        if said.aggregate_id in about:
            found[said.aggregate_id][said.event_id] = said.sequence

    async with asyncio.timeout(HANGS):
        while sum(len(events) for events in found.values()) < sum(about.values()):
            await bus.consume(WEBHOOKS, work, seconds=1)
        while await bus.consume(WEBHOOKS, work, seconds=0.5):
            pass
    return {object: list(events.values()) for object, events in found.items()}


async def stored(bus: NatsBus) -> int:
    return (await bus._client.jetstream().stream_info(STREAM)).state.last_seq


def relay_of(world: Any, bus: Any, replica: str) -> Relay:
    return Relay(world.parts.mongo.database, bus, world.clock, EVENTS, replica=replica)


async def test_backlog_is_measured(users_world: Any, changed: dict[str, int], nats_server: RunningNats) -> None:
    """Metrics have the number of waiting events and the age of the oldest one, and are zero when none waits."""
    backlog = Backlog(users_world.parts.mongo.database, users_world.clock)
    users_world.clock.tick(40)
    await backlog.measure()
    waiting = (ROWS._value.get(), OLDEST_SECONDS._value.get())
    async with open_bus(nats_server) as bus:
        await run_once(relay_of(users_world, bus, f"replica-{secrets.token_hex(4)}"), users_world)
    await backlog.measure()

    assert waiting == (sum(changed.values()), 40)
    assert (ROWS._value.get(), OLDEST_SECONDS._value.get()) == (0, 0)


async def test_recreated_stream_gets_the_backlog(
    users_world: Any, changed: dict[str, int], fragile_nats: RunningNats
) -> None:
    """The outbox drains to a recreated stream, each event once and in order (FD-05)."""
    async with open_bus(fragile_nats) as bus:
        await asyncio.to_thread(fragile_nats.lose_store)
        async with asyncio.timeout(60):
            await run_once(relay_of(users_world, bus, f"replica-{secrets.token_hex(4)}"), users_world)
        found = await on_the_stream(bus, changed)

    assert found == {object: list(range(1, count + 1)) for object, count in changed.items()}


async def test_lost_events_are_republished(
    users_world: Any, changed: dict[str, int], fragile_nats: RunningNats
) -> None:
    """Events that were acknowledged and lost with the stream are in the log, and on the new stream after
    republishing.
    """
    async with open_bus(fragile_nats) as bus:
        relay = relay_of(users_world, bus, f"replica-{secrets.token_hex(4)}")
        await run_once(relay, users_world)
        await asyncio.to_thread(fragile_nats.lose_store)
        now = users_world.clock.now()
        answer = await users_world.service.find(Republishing).republish(RepublishEvents(since=now - 60, until=now + 60))
        async with asyncio.timeout(60):
            await run_once(relay, users_world)
        found = await on_the_stream(bus, changed)

    assert (answer.count, answer.after) == (sum(changed.values()), None)
    assert found == {object: list(range(1, count + 1)) for object, count in changed.items()}


async def test_concurrent_relays_keep_the_order_per_object(
    users_world: Any, changed: dict[str, int], nats_server: RunningNats
) -> None:
    """Even if both believe that they hold the lease, the second one publishes no duplicates (FD-05)."""
    async with open_bus(nats_server) as one, open_bus(nats_server) as two:
        before = await stored(one)
        both = (relay_of(users_world, bus, "the same name") for bus in (one, two))
        await asyncio.gather(*(run_once(relay, users_world) for relay in both))
        after = await stored(one)
        found = await on_the_stream(one, changed)

    assert after - before == sum(changed.values())
    assert found == {object: list(range(1, count + 1)) for object, count in changed.items()}
    assert max(changed.values()) == CHANGES


async def test_relay_that_died_before_acknowledging_repeats(
    users_world: Any, changed: dict[str, int], nats_server: RunningNats
) -> None:
    """The same ids are published again and are on the stream once, in order (FD-05)."""
    async with open_bus(nats_server) as bus:
        before = await stored(bus)
        await run_once(relay_of(users_world, ForgetsAnswers(bus), f"replica-{secrets.token_hex(4)}"), users_world)
        after = await stored(bus)
        found = await on_the_stream(bus, changed)

    assert after - before == sum(changed.values())
    assert found == {object: list(range(1, count + 1)) for object, count in changed.items()}


async def test_killed_bus_loses_no_event(users_world: Any, changed: dict[str, int], nats_server: RunningNats) -> None:
    """If the bus is killed while events are published, each is on the stream in the end, once and in order (FD-05)."""
    async with open_bus(nats_server) as bus:
        relay = relay_of(users_world, bus, f"replica-{secrets.token_hex(4)}")
        carrying = asyncio.create_task(run_once(relay, users_world))
        nats_server.kill()
        async with asyncio.timeout(HANGS):
            await carrying
        found = await on_the_stream(bus, changed)

    assert found == {object: list(range(1, count + 1)) for object, count in changed.items()}
