"""Changes are published again, exactly as they were (decision 0074)."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from portico_contracts.events import Changed
from portico_contracts.subjects import decode, encode
from portico_contracts.users.republishing import LogPosition, RepublishEvents
from portico_users.kernel import republishing
from portico_users.kernel.event_recorder import Occurrence
from portico_users.kernel.journal import Journal
from portico_users.kernel.outbox import Relay
from portico_users.kernel.republishing import Republishing

pytestmark = pytest.mark.servers

Published = list[tuple[str, bytes]]
"""Subjects and bodies."""

_TIMES = itertools.count(1_000_000, 1_000_000)
"""No two tests are at the same time."""


@pytest.fixture(name="published")
async def _published(users_world: Any) -> Published:
    """Four changes of one second and one of the next, all published; others are in the log as well."""
    database = users_world.parts.mongo.database
    users_world.clock.tick(next(_TIMES))
    await database["outbox"].delete_many({})
    await database["leases"].delete_many({})
    await users_world.apply()
    users_world.clock.tick(1)
    human = users_world.human(profile={"firstName": "Al", "lastName": "Adams"})
    await users_world.apply(users_world.organization(humans=[human]))
    await users_world.service.find(Journal).log(Occurrence("signIns", "org", "refused", {"why": "a test"}))
    return await carried(users_world)


async def carried(world: Any) -> Published:
    """What the relay publishes now."""
    before = len(world.bus.published)
    while await world.service.find(Relay).publish_batch():
        pass
    return [(subject, encode(body)) for subject, body in world.bus.published[before:]]


def changed(published: tuple[str, bytes]) -> Changed:
    """The body."""
    return decode(published[1], Changed)


async def republish(
    world: Any, *, since: float = -1, until: float = 1, after: LogPosition | None = None
) -> tuple[int, LogPosition | None]:
    """Publishes a period again, in seconds from the last change on."""
    now = world.clock.now()
    request = RepublishEvents(since=now + since, until=now + until, after=after)
    answer = await world.service.find(Republishing).republish(request)
    return answer.count, answer.after


async def test_changes_are_published_as_they_were(users_world: Any, published: Published) -> None:
    """With their ids, so that consumers know them, and in the order of each object; what changed no object is not published."""
    assert await republish(users_world) == (len(published), None)
    again = await carried(users_world)

    assert sorted(again) == sorted(published)
    assert [change.sequence for change in map(changed, again) if change.action == "updated"] == [2]


async def test_a_period_is_what_it_states(users_world: Any, published: Published) -> None:
    """From its first time on, and before its last."""
    assert await republish(users_world, since=0) == (1, None)
    assert await republish(users_world, until=0) == (len(published) - 1, None)
    assert await republish(users_world, since=0.5) == (0, None)


async def test_portions_leave_nothing_out(
    users_world: Any, published: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each begins after the one before; one that is repeated, because its answer was lost, puts nothing there twice."""
    monkeypatch.setattr(republishing, "PORTION", 2)
    total = 0
    after: LogPosition | None = None
    while True:
        count, following = await republish(users_world, after=after)
        assert await republish(users_world, after=after) == (count, following)
        total, after = total + count, following
        if after is None:
            break

    assert total == len(published)
    assert sorted(await carried(users_world)) == sorted(published)
