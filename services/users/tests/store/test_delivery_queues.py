"""Stored delivery queues and deliveries: leases and due times."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from portico_oauth.errors import ServiceError
from portico_users.webhooks.deliveries import KEPT_ATTEMPTS, Attempt, Deliveries, Delivery, DeliveryState
from portico_users.webhooks.delivery_queues import LEASE_SECONDS, DeliveryQueues
from portico_users.webhooks.sender import QUEUES_AT_ONCE
from portico_users.webhooks.webhook import GIVE_UP_SECONDS, PAUSES
from pymongo import WriteConcern

pytestmark = pytest.mark.servers


@pytest.fixture
async def queues(users_world: Any) -> DeliveryQueues:
    """The delivery queues, without those of other tests."""
    database = users_world.parts.mongo.database
    await database["webhookLanes"].delete_many({})
    return DeliveryQueues(database, users_world.clock, users_world.parts.random, announce=lambda: None)


@pytest.fixture
def deliveries(users_world: Any) -> Deliveries:
    return Deliveries(users_world.parts.mongo.database, users_world.clock)


def delivery(world: Any, sequence: int, object: str = "one") -> Delivery:
    now = world.clock.now()
    return Delivery(
        webhook_id=f"hook-{world.tag}",
        event_id=f"{object}{sequence}{world.tag}",
        type="user.updated",
        object=object,
        sequence=sequence,
        at=now + sequence,
        body="{}",
        not_before=now,
        until=now + GIVE_UP_SECONDS,
    )


def attempt(world: Any, cause: str = "") -> Attempt:
    return Attempt(at=world.clock.now(), status=500 if cause else 200, milliseconds=3, cause=cause)


async def test_queue_is_leased_to_one_replica_at_a_time(users_world: Any, queues: DeliveryQueues) -> None:
    """When the lease expires, another replica processes the queue (FD-05)."""
    await queues.wake(["w"])
    mine = await queues.claim()
    others = await queues.claim()
    users_world.clock.tick(LEASE_SECONDS)
    theirs = await queues.claim()

    assert mine is not None
    assert others is None
    assert theirs is not None
    assert theirs.ticket != mine.ticket


async def test_delivery_enqueued_during_a_release_is_due(queues: DeliveryQueues) -> None:
    """A delivery enqueued between the last read and the release makes the queue due at once (FD-05)."""
    await queues.wake(["w"])
    queue = await queues.claim()
    assert queue is not None
    mark = await queues.mark(queue)
    await queues.wake(["w"])
    await queues.release(queue, mark, None, took=True)

    assert await queues.claim() is not None


async def test_empty_queue_is_deleted(queues: DeliveryQueues, users_world: Any) -> None:
    """Nothing stays stored for a webhook that has received everything."""
    await queues.wake(["w"])
    queue = await queues.claim()
    assert queue is not None
    await queues.release(queue, await queues.mark(queue), None, took=True)

    assert await users_world.rows("webhookLanes") == []


async def test_queues_with_a_backlog_take_turns(queues: DeliveryQueues, users_world: Any) -> None:
    """A queue released with deliveries that are due for long is served after those that became due meanwhile."""
    slow = [f"slow{number}" for number in range(QUEUES_AT_ONCE)]
    began = users_world.clock.now()
    await queues.wake(slow)
    served = [await queues.claim() for _ in slow]
    users_world.clock.tick(10)
    await queues.wake(["other"])
    for number in range(2 * QUEUES_AT_ONCE):
        users_world.clock.tick(1)
        queue = served[number]
        assert queue is not None
        await queues.release(queue, await queues.mark(queue), began, took=True)
        served.append(await queues.claim())
    ids = [queue.webhook_id if queue else "" for queue in served]

    assert ids == [*slow, "other", *slow, "other", *slow[: QUEUES_AT_ONCE - 2]]


async def test_expired_lease_releases_nothing(queues: DeliveryQueues, users_world: Any) -> None:
    """A replica with an expired lease does not end its successor's."""
    await queues.wake(["w"])
    late = await queues.claim()
    users_world.clock.tick(LEASE_SECONDS)
    successor = await queues.claim()
    assert late is not None
    assert successor is not None
    await queues.release(late, await queues.mark(late), None, took=True)
    [row] = await users_world.rows("webhookLanes")

    assert row["ticket"] == successor.ticket


async def test_failing_queue_pauses(queues: DeliveryQueues, users_world: Any) -> None:
    """The pause grows with each failure, and the time of the first one is stored."""
    since = users_world.clock.now()
    for failures, rest in ((1, 1), (2, 2), (3, 4)):
        await queues.wake(["w"])
        queue = await queues.claim()
        assert queue is not None
        assert queue.failures == failures - 1
        await queues.release(queue, await queues.mark(queue), None, took=False)
        await queues.wake(["w"])
        assert await queues.claim() is None
        users_world.clock.tick(rest)

    assert await queues.find_failing(["w", "x"]) == {"w": since}
    await queues.reset_attempts("w")
    assert await queues.find_failing(["w"]) == {}


async def test_reset_during_a_failing_turn_ends_its_pause(queues: DeliveryQueues, users_world: Any) -> None:
    """A new URL is tried at once, although the last request to the old one fails after it was set."""
    await queues.wake(["w"])
    for _ in range(3):
        queue = await queues.claim()
        assert queue is not None
        if queue.failures == 2:
            await queues.reset_attempts("w")
            assert await queues.claim() is None
        await queues.release(queue, await queues.mark(queue), users_world.clock.now(), took=False)
        users_world.clock.tick(2 if queue.failures < 2 else 0)
    again = await queues.claim()

    assert again is not None
    assert (again.failures, again.failing_since) == (0, 0.0)


async def test_deliveries_are_due_by_object_and_in_order(users_world: Any, deliveries: Deliveries) -> None:
    """Deliveries are due in the order of their events, whatever the order of enqueueing."""
    await deliveries.put([delivery(users_world, 2), delivery(users_world, 1, "two"), delivery(users_world, 1)])
    due = await deliveries.list_due(f"hook-{users_world.tag}", 10)

    assert sorted([one.sequence for one in group] for group in due) == [[1], [1, 2]]


async def test_deliveries_after_a_failed_one_wait_for_it(users_world: Any, deliveries: Deliveries) -> None:
    """Later deliveries about the same object wait; those about other objects do not (FD-05)."""
    hook = f"hook-{users_world.tag}"
    await deliveries.put([delivery(users_world, 1), delivery(users_world, 2)])
    await deliveries.settle(delivery(users_world, 1), attempt(users_world, "no"))
    await deliveries.put([delivery(users_world, 3), delivery(users_world, 1, "two")])
    now = [[one.object for one in group] for group in await deliveries.list_due(hook, 10)]
    next_time = await deliveries.find_next_time(hook)
    users_world.clock.tick(PAUSES[0])
    later = {group[0].object: [one.sequence for one in group] for group in await deliveries.list_due(hook, 10)}

    assert now == [["two"]]
    assert next_time == users_world.clock.now() - PAUSES[0]  # of the other object
    assert later == {"one": [1, 2, 3], "two": [1]}


async def test_log_is_limited(users_world: Any, deliveries: Deliveries) -> None:
    """The last attempts are logged, the others only counted; finished deliveries expire after a week."""
    one = delivery(users_world, 1)
    await deliveries.put([one])
    for number in range(KEPT_ATTEMPTS + 5):
        found = await deliveries.find(one.webhook_id, one.event_id)
        assert found is not None
        await deliveries.settle(found, attempt(users_world, f"cause {number}"))
    await deliveries.settle(one, attempt(users_world))
    found = await deliveries.find(one.webhook_id, one.event_id)
    [row] = await users_world.rows("webhookDeliveries", _id=one.id)

    assert found is not None
    assert found.attempts == KEPT_ATTEMPTS + 6
    assert len(found.log) == KEPT_ATTEMPTS
    assert found.log[-1].cause == ""
    assert found.state is DeliveryState.DELIVERED
    assert (row["forgetAt"].timestamp() - users_world.clock.now()) == 7 * 24 * 3600


async def test_enqueueing_is_idempotent(users_world: Any, deliveries: Deliveries) -> None:
    """An event consumed again adds no second delivery, also together with a new one."""
    one = delivery(users_world, 1)
    await deliveries.put([one])
    await deliveries.settle(one, attempt(users_world))
    await deliveries.put([one, delivery(users_world, 2)])
    found = await deliveries.find(one.webhook_id, one.event_id)
    new = await deliveries.find(one.webhook_id, delivery(users_world, 2).event_id)

    assert found is not None
    assert found.state is DeliveryState.DELIVERED
    assert new is not None


async def test_delivery_without_a_majority_is_not_stored(users_world: Any) -> None:
    """A failover could lose it, so the event must be consumed again."""
    database = users_world.parts.mongo.database.with_options(write_concern=WriteConcern(w=7))
    with pytest.raises(ServiceError):
        await Deliveries(database, users_world.clock).put([delivery(users_world, 1)])


async def test_delivery_is_given_up_before_a_late_attempt(users_world: Any, deliveries: Deliveries) -> None:
    """A delivery that has finished meanwhile is not changed."""
    one = msgspec.structs.replace(delivery(users_world, 1), until=users_world.clock.now() + PAUSES[0])
    await deliveries.put([one])
    state = await deliveries.settle(one, attempt(users_world, "no"))
    await deliveries.settle(one, attempt(users_world))
    found = await deliveries.find(one.webhook_id, one.event_id)

    assert state is DeliveryState.GIVEN_UP
    assert found is not None
    assert (found.state, found.attempts) == (DeliveryState.GIVEN_UP, 1)


async def test_next_time_is_that_of_the_first_claimable_queue(users_world: Any) -> None:
    """A queue can be claimed once it is due and not leased or paused; new deliveries wake the sender at once."""
    calls: list[float] = []
    database, clock = users_world.parts.mongo.database, users_world.clock
    await database["webhookLanes"].delete_many({})
    queues = DeliveryQueues(database, clock, users_world.parts.random, announce=lambda: calls.append(clock.now()))
    times = [await queues.find_next_time()]
    await queues.wake(["w"])
    times.append(await queues.find_next_time())
    await queues.claim()
    times.append(await queues.find_next_time())
    clock.tick(1)
    await queues.wake(["v"])
    times.append(await queues.find_next_time())
    queue = await queues.claim()
    assert queue is not None
    await queues.release(queue, await queues.mark(queue), clock.now(), took=True, is_long=True)
    times += [await queues.find_next_time(), await queues.find_next_time(short=True)]

    began = clock.now() - 1
    assert times == [None, began, began + LEASE_SECONDS, began + 1, began + 1, began + LEASE_SECONDS]
    assert calls == [began, began + 1]
