from __future__ import annotations

import asyncio
import dataclasses
import secrets
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

import pytest
from nats.js.errors import ServiceUnavailableError
from portico_contracts.events import (
    LOGIN_SUCCEEDED,
    PROJECT_GRANT_CHANGED,
    SIGN_IN_LOG,
    USER_CHANGED,
    WEBHOOKS,
    Changed,
    LoginEvent,
)
from portico_contracts.subjects import Consumer, Event
from portico_harness.eventually import HANGS
from portico_harness.open_bus import open_bus
from portico_harness.servers import RunningNats
from portico_oauth.errors import ServiceError
from portico_runtime.bus.nats_bus import NatsBus
from portico_runtime.bus.stream_consumer import StreamConsumer

pytestmark = pytest.mark.servers


def change(object: str, sequence: int) -> Changed:
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
    for one in said:
        await bus.publish(USER_CHANGED, one, event_id=one.event_id)


class Worker:
    """Handles the events about one object and ignores all others of the run."""

    def __init__(self, object: str) -> None:
        self.object = object
        self.seen: list[int] = []
        self.failures = 0
        self.busy = 0
        self.most_at_once = 0

    async def work(self, _event: Event[Any], said: Changed) -> None:
        """Records the number of the event, after the requested number of failures."""
        if said.aggregate_id != self.object:
            return
        self.busy += 1
        self.most_at_once = max(self.most_at_once, self.busy)
        # Lets any other handler that could start now run.
        await asyncio.sleep(0)
        self.busy -= 1
        if self.failures:
            self.failures -= 1
            raise RuntimeError("not now")
        self.seen.append(said.sequence)

    async def until(self, bus: NatsBus, count: int, consumer: Consumer = WEBHOOKS) -> None:
        """Handles events until so many were seen."""
        while len(set(self.seen)) < count:
            try:
                await bus.consume(consumer, self.work, seconds=1)
            except (ServiceError, RuntimeError):
                # The stream uses the test's clock; failed events are delivered again. An unavailable bus fails at
                # once, and only yielding to the loop lets it reconnect.
                await asyncio.sleep(0)


@pytest.fixture
def worker() -> Worker:
    return Worker(f"object-{secrets.token_hex(4)}")


async def test_replicas_handle_one_event_at_a_time(nats_server: RunningNats, worker: Worker) -> None:
    """Two replicas share the events, each handled once, in order and never two at a time (FD-05)."""
    async with open_bus(nats_server) as one, open_bus(nats_server) as two:
        await say(one, *(change(worker.object, number) for number in range(1, 41)))
        async with asyncio.timeout(HANGS):
            await asyncio.gather(worker.until(one, 40), worker.until(two, 40))

    assert worker.seen == list(range(1, 41))
    assert worker.most_at_once == 1


async def test_failed_event_is_redelivered_first(nats_server: RunningNats, worker: Worker) -> None:
    """No later event is delivered before the failed one (FD-05)."""
    worker.failures = 1
    async with open_bus(nats_server) as bus:
        await say(bus, *(change(worker.object, number) for number in (1, 2, 3)))
        async with asyncio.timeout(HANGS):
            await worker.until(bus, 3)

    assert worker.seen == [1, 2, 3]


async def test_event_published_twice_is_stored_once(nats_server: RunningNats, worker: Worker) -> None:
    """A publisher that missed the acknowledgement publishes again under the same id (FD-05)."""
    async with open_bus(nats_server) as bus:
        first = change(worker.object, 1)
        await say(bus, first, first, change(worker.object, 2), first)
        async with asyncio.timeout(HANGS):
            await worker.until(bus, 2)
        while await bus.consume(WEBHOOKS, worker.work, seconds=0.5):
            pass

    assert worker.seen == [1, 2]


async def test_malformed_event_is_skipped(nats_server: RunningNats, worker: Worker) -> None:
    """A malformed event is dropped with an error in the log, because all others wait behind it."""
    async with open_bus(nats_server) as bus:
        await bus._client.jetstream().publish(USER_CHANGED.subject, b"not an event")
        await say(bus, change(worker.object, 1))
        async with asyncio.timeout(HANGS):
            await worker.until(bus, 1)

    assert worker.seen == [1]


async def test_handling_continues_after_the_bus_died(nats_server: RunningNats, worker: Worker) -> None:
    """Events are on disk, and the last ones handled may be redelivered in order (FD-05)."""
    async with open_bus(nats_server) as bus:
        await say(bus, *(change(worker.object, number) for number in (1, 2)))
        async with asyncio.timeout(HANGS):
            await worker.until(bus, 1)
            nats_server.kill()
            await worker.until(bus, 2)

    assert list(dict.fromkeys(worker.seen)) == [1, 2]


OLDER = dataclasses.replace(WEBHOOKS, events=(USER_CHANGED,))


async def join(bus: NatsBus, consumer: Consumer, worker: Worker) -> None:
    """As a replica that starts, and handles what waits."""
    while await bus.consume(consumer, worker.work, seconds=0.2):
        pass


async def grant(bus: NatsBus, worker: Worker, number: int) -> None:
    """Publishes an event that the older release does not handle."""
    await bus.publish(PROJECT_GRANT_CHANGED, change(worker.object, number), event_id=f"{worker.object}-{number}")


@pytest.fixture
def unknown_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The older release has no such event at all."""
    known = frozenset({USER_CHANGED.subject})
    monkeypatch.setattr("portico_runtime.bus.stream_consumer._KNOWN", known)
    monkeypatch.setattr("portico_runtime.bus.stream_consumer.AGAIN_SECONDS", 0.05)


async def test_consumer_is_updated_by_a_newer_release(nats_server: RunningNats, worker: Worker) -> None:
    """A consumer created by an older release is extended to the new event types, and stays so."""
    async with open_bus(nats_server) as bus:
        await join(bus, OLDER, worker)
    async with open_bus(nats_server) as bus:
        await join(bus, WEBHOOKS, worker)
        async with open_bus(nats_server) as older:
            await join(older, OLDER, worker)
        await grant(bus, worker, 1)
        async with asyncio.timeout(HANGS):
            await worker.until(bus, 1)

    assert worker.seen == [1]


@pytest.mark.usefixtures("unknown_before")
async def test_older_replica_leaves_unknown_events_to_newer_ones(nats_server: RunningNats, worker: Worker) -> None:
    """While two releases run, each event is handled, in order, by a replica that knows it."""
    async with open_bus(nats_server) as older, open_bus(nats_server) as newer:
        await join(newer, WEBHOOKS, worker)
        await join(older, OLDER, worker)
        for number in (1, 2, 3):
            await grant(newer, worker, number)
        await say(newer, change(worker.object, 4))
        async with asyncio.timeout(HANGS):
            await asyncio.gather(worker.until(older, 4, OLDER), worker.until(newer, 4))

    assert worker.seen == [1, 2, 3, 4]


@pytest.mark.usefixtures("unknown_before")
async def test_unknown_event_does_not_block_the_others_for_ever(
    nats_server: RunningNats, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an upgrade was undone no replica knows it, and all later events wait behind it."""
    monkeypatch.setattr("portico_runtime.bus.stream_consumer.LEFT_SECONDS", 0.0)
    async with open_bus(nats_server) as bus:
        await join(bus, WEBHOOKS, worker)
        await grant(bus, worker, 1)
        await say(bus, change(worker.object, 2))
    async with open_bus(nats_server) as older, asyncio.timeout(HANGS):
        await worker.until(older, 1, OLDER)

    assert worker.seen == [2]


async def test_event_that_is_not_wanted_any_more_is_passed(nats_server: RunningNats, worker: Worker) -> None:
    """A newer release that handles an event elsewhere does not wait for a replica that wants it."""
    async with open_bus(nats_server) as bus:
        await join(bus, WEBHOOKS, worker)
        await grant(bus, worker, 1)
        await say(bus, change(worker.object, 2))
    async with open_bus(nats_server) as newer, asyncio.timeout(HANGS):
        await worker.until(newer, 1, OLDER)

    assert worker.seen == [2]


async def test_waiting_events_are_handled_together(nats_server: RunningNats) -> None:
    """A batch has the events that wait; after a failure all of them are delivered again (at least once)."""
    seen: list[list[str]] = []
    tag = secrets.token_hex(4)

    async def work(received: Sequence[tuple[Event[Any], Any]]) -> None:
        seen.append([body.user_id for _, body in received if body.user_id.startswith(tag)])
        if len(seen) == 1:
            raise RuntimeError("not now")

    async with open_bus(nats_server, "authz") as authz, open_bus(nats_server) as users:
        for number in range(5):
            body = LoginEvent(event_id=f"{tag}-{number}", user_id=f"{tag}-{number}", client_id="web", at=0.0)
            await authz.publish(LOGIN_SUCCEEDED, body, event_id=body.event_id)
        async with asyncio.timeout(HANGS):
            while len(set(chain.from_iterable(seen[1:]))) < 5:
                with suppress(RuntimeError, ServiceError):
                    await users.consume_batch(SIGN_IN_LOG, work, seconds=0)

    assert seen[0] == [f"{tag}-{number}" for number in range(5)]
    assert set(chain.from_iterable(seen[1:])) == set(seen[0])


async def test_batch_has_the_events_that_arrive_during_its_pause(nats_server: RunningNats) -> None:
    """Events that arrive one by one are written together; one that cannot be read does not keep the others."""
    seen: list[list[str]] = []
    tag = secrets.token_hex(4)

    async def work(received: Sequence[tuple[Event[Any], Any]]) -> None:
        seen.append([body.user_id for _, body in received if body.user_id.startswith(tag)])

    async with open_bus(nats_server, "authz") as authz, open_bus(nats_server) as users:

        async def sign_in(number: int) -> None:
            body = LoginEvent(event_id=f"{tag}-{number}", user_id=f"{tag}-{number}", client_id="web", at=0.0)
            await authz.publish(LOGIN_SUCCEEDED, body, event_id=body.event_id)

        async def pause(_seconds: float) -> None:
            await authz._client.jetstream().publish(LOGIN_SUCCEEDED.subject, b"not an event")
            for number in range(2, 5):
                await sign_in(number)

        consumer = StreamConsumer(users._client, users._stream, SIGN_IN_LOG, pause, HANGS)
        for number in range(2):
            await sign_in(number)
        async with asyncio.timeout(HANGS):
            while not any(seen):
                await consumer.take_batch(work, seconds=HANGS)

    assert seen[-1] == [f"{tag}-{number}" for number in range(5)]


async def test_full_batch_is_not_delayed(nats_server: RunningNats) -> None:
    """Where more events wait than a batch has, they are written without a pause."""
    sizes: list[int] = []
    pauses: list[float] = []

    async def work(received: Sequence[tuple[Event[Any], Any]]) -> None:
        sizes.append(len(received))

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    async with open_bus(nats_server, "authz") as authz, open_bus(nats_server) as users:
        for _ in range(6):
            id = secrets.token_hex(8)
            body = LoginEvent(event_id=id, user_id=id, client_id="web", at=0.0)
            await authz.publish(LOGIN_SUCCEEDED, body, event_id=id)
        five = dataclasses.replace(SIGN_IN_LOG, batch=5)
        consumer = StreamConsumer(users._client, users._stream, five, pause, HANGS)
        async with asyncio.timeout(HANGS):
            await consumer.take_batch(work, seconds=HANGS)

    assert (sizes, pauses) == ([5], [])


async def test_other_service_cannot_fetch_from_the_consumer(nats_server: RunningNats) -> None:
    """A compromised service cannot take another service's events (IN-05)."""
    async with open_bus(nats_server) as owner, open_bus(nats_server, "authz") as thief:
        await owner.consume(WEBHOOKS, Worker("nobody").work, seconds=0.2)
        with pytest.raises((ServiceError, ServiceUnavailableError)):
            await thief.consume(WEBHOOKS, Worker("nobody").work, seconds=0.2)
