"""Lanes and deliveries as they are stored: who may work when, and what is due."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from portico_users.notifications.webhooks.deliveries import KEPT_ATTEMPTS, Attempt, Deliveries, Delivery, DeliveryState
from portico_users.notifications.webhooks.delivery_queues import LEASE_SECONDS, Lanes
from portico_users.notifications.webhooks.schedule import GIVE_UP_SECONDS, PAUSES

pytestmark = pytest.mark.servers


@pytest.fixture
async def lanes(users_world: Any) -> Lanes:
    """No other lanes than those of the test."""
    database = users_world.parts.mongo.database
    await database["webhookLanes"].delete_many({})
    return Lanes(database, users_world.clock, users_world.parts.random)


@pytest.fixture
def deliveries(users_world: Any) -> Deliveries:
    """The deliveries."""
    return Deliveries(users_world.parts.mongo.database, users_world.clock)


def delivery(world: Any, sequence: int, object: str = "one") -> Delivery:
    """A delivery to the webhook of the test, due now."""
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
    """An attempt."""
    return Attempt(at=world.clock.now(), status=500 if cause else 200, milliseconds=3, cause=cause)


async def test_a_lane_is_one_replicas_at_a_time(users_world: Any, lanes: Lanes) -> None:
    """Until the lease ends: then the replica is dead, and another goes on (FD-05)."""
    await lanes.wake(["w"])
    mine = await lanes.claim()
    others = await lanes.claim()
    users_world.clock.tick(LEASE_SECONDS)
    theirs = await lanes.claim()

    assert mine is not None
    assert others is None
    assert theirs is not None
    assert theirs.ticket != mine.ticket


async def test_what_is_written_down_while_a_lane_is_given_back_is_not_forgotten(lanes: Lanes) -> None:
    """After the last look and before the end: the lane is due again at once (FD-05)."""
    await lanes.wake(["w"])
    lane = await lanes.claim()
    assert lane is not None
    mark = await lanes.mark(lane)
    await lanes.wake(["w"])
    await lanes.release(lane, mark, None, took=True)

    assert await lanes.claim() is not None


async def test_a_lane_without_work_is_gone(lanes: Lanes, users_world: Any) -> None:
    """Nothing is left behind of a webhook that has everything."""
    await lanes.wake(["w"])
    lane = await lanes.claim()
    assert lane is not None
    await lanes.release(lane, await lanes.mark(lane), None, took=True)

    assert await users_world.rows("webhookLanes") == []


async def test_a_late_replica_gives_back_nothing(lanes: Lanes, users_world: Any) -> None:
    """Whose lease ran out does not end the work of its successor."""
    await lanes.wake(["w"])
    late = await lanes.claim()
    users_world.clock.tick(LEASE_SECONDS)
    successor = await lanes.claim()
    assert late is not None
    assert successor is not None
    await lanes.release(late, await lanes.mark(late), None, took=True)
    [row] = await users_world.rows("webhookLanes")

    assert row["ticket"] == successor.ticket


async def test_a_failing_lane_rests_whatever_is_new(lanes: Lanes, users_world: Any) -> None:
    """Longer each time, and remembers since when."""
    since = users_world.clock.now()
    for failures, rest in ((1, 1), (2, 2), (3, 4)):
        await lanes.wake(["w"])
        lane = await lanes.claim()
        assert lane is not None
        assert lane.failures == failures - 1
        await lanes.release(lane, await lanes.mark(lane), None, took=False)
        await lanes.wake(["w"])
        assert await lanes.claim() is None
        users_world.clock.tick(rest)

    assert await lanes.find_failing(["w", "x"]) == {"w": since}
    await lanes.reset_attempts("w")
    assert await lanes.find_failing(["w"]) == {}


async def test_deliveries_are_due_by_object_and_in_order(users_world: Any, deliveries: Deliveries) -> None:
    """However they were written down."""
    await deliveries.put([delivery(users_world, 2), delivery(users_world, 1, "two"), delivery(users_world, 1)])
    due = await deliveries.list_due(f"hook-{users_world.tag}", 10)

    assert sorted([one.sequence for one in group] for group in due) == [[1], [1, 2]]


async def test_what_comes_after_a_failure_waits_for_it(users_world: Any, deliveries: Deliveries) -> None:
    """Also what was written down later; other objects go on (FD-05)."""
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


async def test_the_log_is_bounded(users_world: Any, deliveries: Deliveries) -> None:
    """The last attempts one by one, the others as a number; what ended is forgotten after a week."""
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


async def test_writing_down_again_changes_nothing(users_world: Any, deliveries: Deliveries) -> None:
    """The event came a second time, and one with it that is new."""
    one = delivery(users_world, 1)
    await deliveries.put([one])
    await deliveries.settle(one, attempt(users_world))
    await deliveries.put([one, delivery(users_world, 2)])
    found = await deliveries.find(one.webhook_id, one.event_id)
    new = await deliveries.find(one.webhook_id, delivery(users_world, 2).event_id)

    assert found is not None
    assert found.state is DeliveryState.DELIVERED
    assert new is not None


async def test_a_delivery_is_given_up_when_the_next_attempt_would_be_too_late(
    users_world: Any, deliveries: Deliveries
) -> None:
    """And one that ended meanwhile is not touched any more."""
    one = msgspec.structs.replace(delivery(users_world, 1), until=users_world.clock.now() + PAUSES[0])
    await deliveries.put([one])
    state = await deliveries.settle(one, attempt(users_world, "no"))
    await deliveries.settle(one, attempt(users_world))
    found = await deliveries.find(one.webhook_id, one.event_id)

    assert state is DeliveryState.GIVEN_UP
    assert found is not None
    assert (found.state, found.attempts) == (DeliveryState.GIVEN_UP, 1)
