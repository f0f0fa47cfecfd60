"""How facts of people stay remembered, and how many of them (decision 0039)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest
from portico_fakes.clock import FrozenClock
from portico_oauth.errors import ServiceError
from portico_runtime.facts.remembered import BETWEEN

from .one_replica import World, world_of


async def test_facts_are_confirmed_before_the_minute_is_over(world: World) -> None:
    """From forty seconds on one question confirms many, which then count for another minute."""
    await world.get("ann", "v1")
    await world.get("bob", "w1")
    world.clock.tick(39)
    await world.names.confirm_due(world.users.confirm)
    early = list(world.users.confirmed)
    world.clock.tick(1)
    await world.names.confirm_due(world.users.confirm)
    world.clock.tick(59)

    assert (early, world.users.confirmed) == ([], [{"ann": "v1", "bob": "w1"}])
    assert (await world.get("ann", "v1"), await world.get("bob", "w1")) == ("Ann", "Bob")


async def test_a_confirmation_counts_from_its_question(world: World) -> None:
    """The minute begins when users was asked, not when it answered."""

    async def slow(versions: Mapping[str, str]) -> Iterable[str]:
        world.clock.tick(10)
        return await world.users.confirm(versions)

    await world.get("ann", "v1")
    world.clock.tick(40)
    await world.names.confirm_due(slow)
    world.clock.tick(50)

    assert await world.get("ann", "v1") == "Ann asked"


async def test_what_changed_is_forgotten_when_it_is_confirmed(world: World) -> None:
    """A Redis that went back to an old version makes facts current no longer than until they are confirmed."""
    await world.get("ann", "v1")
    world.users.people["ann"] = ("Anna", "v2")
    world.clock.tick(40)
    await world.names.confirm_due(world.users.confirm)

    assert await world.get("ann", "v1") == "Anna asked"


async def test_each_of_a_persons_facts_is_confirmed_with_its_own_version(world: World) -> None:
    """Facts of an older version are not confirmed by the version of other facts of the same person."""
    old, new = BETWEEN.join(("ann", "p1")), BETWEEN.join(("ann", "p2"))
    await world.get(old, "v1")
    world.users.people["ann"] = ("Anna", "v2")
    await world.get(new, "v2")
    world.clock.tick(40)
    await world.names.confirm_due(world.users.confirm)

    assert (await world.get(new, "v2"), await world.get(old, "v1")) == ("Anna", "Anna asked")


async def test_many_are_confirmed_by_a_thousand_at_a_time(clock: FrozenClock) -> None:
    """No question is longer than a thousand people."""
    world = world_of(clock, most=3_000)
    world.users.people = {f"user-{number}": ("Name", "v1") for number in range(2_100)}
    for number in range(2_100):
        await world.get(f"user-{number}", "v1")
    clock.tick(40)
    await world.names.confirm_due(world.users.confirm)

    assert [len(one) for one in world.users.confirmed] == [1_000, 1_000, 100]


async def test_what_is_not_used_is_forgotten_after_ten_minutes(world: World) -> None:
    """Unused facts are confirmed sixteen times, then forgotten; facts that are used stay."""
    await world.get("ann", "v1")
    await world.get("bob", "w1")
    for _ in range(17):
        world.clock.tick(40)
        await world.names.confirm_due(world.users.confirm)
        assert await world.get("bob", "w1") == "Bob"

    assert ["ann" in one for one in world.users.confirmed] == [True] * 16 + [False]
    assert await world.get("ann", "v1") == "Ann asked"


async def test_what_depends_on_something_changed_is_not_confirmed(world: World) -> None:
    """Facts that no request can use any more are forgotten, without a question."""
    await world.get("ann", "v1")
    await world.change_org()
    world.clock.tick(40)
    await world.lease.poll()
    await world.names.confirm_due(world.users.confirm)

    assert world.users.confirmed == []


async def test_a_lease_that_is_over_for_a_short_time_forgets_nothing(world: World) -> None:
    """A late poll makes no fact current, and costs no question about each of them either."""
    await world.get("ann", "v1")
    world.clock.tick(45)
    await world.names.confirm_due(world.users.confirm)

    assert (world.lease.holds, world.users.confirmed) == (False, [{"ann": "v1"}])
    assert await world.get("ann", "v1") == "Ann"


async def test_a_confirmation_that_fails_prolongs_nothing(world: World) -> None:
    """While users is away facts end with their minute."""
    await world.get("ann", "v1")
    world.clock.tick(40)
    world.users.broken = True
    with pytest.raises(ServiceError):
        await world.names.confirm_due(world.users.confirm)
    world.clock.tick(20)

    with pytest.raises(ServiceError):
        await world.get("ann", "v1")


async def test_the_oldest_unused_is_forgotten_first(clock: FrozenClock) -> None:
    """When there is no room the first that was not used since it was confirmed makes room; what is used stays."""
    world = world_of(clock, most=3)
    for id, version in (("ann", "v1"), ("bob", "w1"), ("eve", "x1")):
        await world.get(id, version)
    clock.tick(40)
    await world.lease.poll()
    await world.names.confirm_due(world.users.confirm)
    await world.get("ann", "v1")
    world.users.people["zoe"] = ("Zoe", "y1")
    await world.get("zoe", "y1")

    assert [await world.get(id, version) for id, version in (("ann", "v1"), ("eve", "x1"), ("zoe", "y1"))] == [
        "Ann",
        "Eve",
        "Zoe",
    ]
    assert await world.get("bob", "w1") == "Bob asked"


@pytest.mark.parametrize("most", [10, 2_000])
async def test_no_more_is_remembered_than_the_bound(clock: FrozenClock, most: int) -> None:
    """However many people come, and though all were used, the memory is bounded (FD-27)."""
    world = world_of(clock, most=most)
    world.users.people = {f"user-{number}": ("Name", "v1") for number in range(most * 2)}
    for number in range(most * 2):
        await world.get(f"user-{number}", "v1")
    answers = [await world.get(f"user-{number}", "v1") for number in reversed(range(most * 2))]

    assert most * 9 // 10 <= answers.count("Name") <= most
