"""Republishing of changes, unmodified (decision 0074)."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from portico_contracts.events import Changed
from portico_contracts.subjects import decode, encode
from portico_contracts.users.republishing import LogPosition, RepublishEvents
from portico_users.journal import republishing
from portico_users.journal.event_recorder import Occurrence
from portico_users.journal.journal import Journal
from portico_users.journal.outbox import Relay
from portico_users.journal.republishing import Republishing

pytestmark = pytest.mark.servers

Published = list[tuple[str, bytes]]

_TIMES = itertools.count(1_000_000, 1_000_000)
"""No two tests use the same time."""


@pytest.fixture(name="published")
async def _published(users_world: Any) -> Published:
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
    before = len(world.bus.published)
    while await world.service.find(Relay).publish_batch():
        pass
    return [(subject, encode(body)) for subject, body in world.bus.published[before:]]


def changed(published: tuple[str, bytes]) -> Changed:
    return decode(published[1], Changed)


async def republish(
    world: Any, *, since: float = -1, until: float = 1, after: LogPosition | None = None
) -> tuple[int, LogPosition | None]:
    now = world.clock.now()
    request = RepublishEvents(since=now + since, until=now + until, after=after)
    answer = await world.service.find(Republishing).republish(request)
    return answer.count, answer.after


async def test_changes_are_republished_unmodified(users_world: Any, published: Published) -> None:
    """The events have their ids, so that consumers recognize them, in the order per object; events without a
    change are not republished.
    """
    assert await republish(users_world) == (len(published), None)
    again = await carried(users_world)

    assert sorted(again) == sorted(published)
    assert [change.sequence for change in map(changed, again) if change.action == "updated"] == [2]


async def test_period_is_half_open(users_world: Any, published: Published) -> None:
    """The period includes its start and excludes its end."""
    assert await republish(users_world, since=0) == (1, None)
    assert await republish(users_world, until=0) == (len(published) - 1, None)
    assert await republish(users_world, since=0.5) == (0, None)


async def test_batches_omit_nothing(users_world: Any, published: Published, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each batch continues after the previous one; repeating one after a lost reply adds no duplicates."""
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
