"""Work on events of the stream: at least once, one after the other, over real NATS."""

from __future__ import annotations

import asyncio
import dataclasses
import secrets
from typing import Any

import pytest
from nats.js.errors import ServiceUnavailableError
from portico_contracts.events import PROJECT_GRANT_CHANGED, USER_CHANGED, WEBHOOKS, Changed
from portico_contracts.subjects import Event
from portico_harness.eventually import HANGS
from portico_harness.open_bus import open_bus
from portico_harness.servers import RunningNats
from portico_oauth.errors import ServiceError
from portico_runtime.bus import NatsBus

pytestmark = pytest.mark.servers


def change(object: str, sequence: int) -> Changed:
    """An event about an object."""
    return Changed(
        event_id=f"{object}-{sequence}",
        aggregate_id=object,
        org_id="o",
        sequence=sequence,
        at=0.0,
        actor="system",
        action="updated",
    )


async def say(bus: NatsBus, *said: Changed) -> None:
    """Publishes events."""
    for one in said:
        await bus.publish(USER_CHANGED, one, event_id=one.event_id)


class Worker:
    """Works on the events about one object, and lets all others of the run pass."""

    def __init__(self, object: str) -> None:
        self.object = object
        self.seen: list[int] = []
        self.failures = 0
        self.busy = 0
        self.most_at_once = 0

    async def work(self, _event: Event[Any], said: Changed) -> None:
        """Notes the number of the event, after as many failures as are wanted."""
        if said.aggregate_id != self.object:
            return
        self.busy += 1
        self.most_at_once = max(self.most_at_once, self.busy)
        # Any other work that could begin now would.
        await asyncio.sleep(0)
        self.busy -= 1
        if self.failures:
            self.failures -= 1
            raise RuntimeError("not now")
        self.seen.append(said.sequence)

    async def until(self, bus: NatsBus, count: int) -> None:
        """Takes until so many events were seen."""
        while len(set(self.seen)) < count:
            try:
                await bus.consume(WEBHOOKS, self.work, seconds=1)
            except (ServiceError, RuntimeError):
                # The test's clock is the stream's: what failed is delivered again. A bus that is away refuses at once, and
                # only what lets the loop turn lets it come back.
                await asyncio.sleep(0)


@pytest.fixture
def worker() -> Worker:
    """Of an object of this test."""
    return Worker(f"object-{secrets.token_hex(4)}")


async def test_replicas_work_on_one_event_after_the_other(nats_server: RunningNats, worker: Worker) -> None:
    """Two replicas share the events, each is worked on once, and never two at a time, in order (FD-05)."""
    async with open_bus(nats_server) as one, open_bus(nats_server) as two:
        await say(one, *(change(worker.object, number) for number in range(1, 41)))
        async with asyncio.timeout(HANGS):
            await asyncio.gather(worker.until(one, 40), worker.until(two, 40))

    assert worker.seen == list(range(1, 41))
    assert worker.most_at_once == 1


async def test_an_event_whose_work_failed_comes_again_first(nats_server: RunningNats, worker: Worker) -> None:
    """No later event is delivered before it (FD-05)."""
    worker.failures = 1
    async with open_bus(nats_server) as bus:
        await say(bus, *(change(worker.object, number) for number in (1, 2, 3)))
        async with asyncio.timeout(HANGS):
            await worker.until(bus, 3)

    assert worker.seen == [1, 2, 3]


async def test_an_event_published_twice_is_on_the_stream_once(nats_server: RunningNats, worker: Worker) -> None:
    """A publisher that never received the acknowledgement publishes again, under the same id (FD-05)."""
    async with open_bus(nats_server) as bus:
        first = change(worker.object, 1)
        await say(bus, first, first, change(worker.object, 2), first)
        async with asyncio.timeout(HANGS):
            await worker.until(bus, 2)
        while await bus.consume(WEBHOOKS, worker.work, seconds=0.5):
            pass

    assert worker.seen == [1, 2]


async def test_what_is_no_event_is_passed_by(nats_server: RunningNats, worker: Worker) -> None:
    """All others wait behind it: it is dropped, with an error in the log."""
    async with open_bus(nats_server) as bus:
        await bus._client.jetstream().publish(USER_CHANGED.subject, b"not an event")
        await say(bus, change(worker.object, 1))
        async with asyncio.timeout(HANGS):
            await worker.until(bus, 1)

    assert worker.seen == [1]


async def test_work_goes_on_after_the_bus_died(nats_server: RunningNats, worker: Worker) -> None:
    """Events are on the disk; the last ones worked on may come again, and in order (FD-05)."""
    async with open_bus(nats_server) as bus:
        await say(bus, *(change(worker.object, number) for number in (1, 2)))
        async with asyncio.timeout(HANGS):
            await worker.until(bus, 1)
            nats_server.kill()
            await worker.until(bus, 2)

    assert list(dict.fromkeys(worker.seen)) == [1, 2]


async def test_a_release_that_knows_more_events_receives_them(nats_server: RunningNats, worker: Worker) -> None:
    """What an older release made on the bus is brought up to date."""
    older = dataclasses.replace(WEBHOOKS, events=(USER_CHANGED,))
    async with open_bus(nats_server) as bus:
        while await bus.consume(older, worker.work, seconds=0.2):
            pass
    async with open_bus(nats_server) as bus:
        while await bus.consume(WEBHOOKS, worker.work, seconds=0.2):
            pass
        await bus.publish(PROJECT_GRANT_CHANGED, change(worker.object, 1), event_id=f"{worker.object}-1")
        async with asyncio.timeout(HANGS):
            await worker.until(bus, 1)

    assert worker.seen == [1]


async def test_no_other_service_fetches_from_the_consumer(nats_server: RunningNats) -> None:
    """A service that is taken over cannot steal another's work (IN-05)."""
    async with open_bus(nats_server) as owner, open_bus(nats_server, "authz") as thief:
        await owner.consume(WEBHOOKS, Worker("nobody").work, seconds=0.2)
        with pytest.raises((ServiceError, ServiceUnavailableError)):
            await thief.consume(WEBHOOKS, Worker("nobody").work, seconds=0.2)
