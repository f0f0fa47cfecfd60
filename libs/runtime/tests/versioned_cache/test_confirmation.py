"""Tests of how long users stay cached and how many (decision 0039)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest
from portico_fakes.clock import FrozenClock
from portico_oauth.errors import ServiceError
from portico_runtime.versioned_cache.remembered import BETWEEN

from .one_replica import World, world_of


async def test_cached_users_are_confirmed_before_a_minute(world: World) -> None:
    """From forty seconds on, one request confirms many cached users for another minute."""
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


async def test_confirmation_counts_from_its_request(world: World) -> None:
    """The minute begins when users is called, not when it answers."""

    async def slow(versions: Mapping[str, str]) -> Iterable[str]:
        world.clock.tick(10)
        return await world.users.confirm(versions)

    await world.get("ann", "v1")
    world.clock.tick(40)
    await world.names.confirm_due(slow)
    world.clock.tick(50)

    assert await world.get("ann", "v1") == "Ann asked"


async def test_changed_user_is_dropped_on_confirmation(world: World) -> None:
    """After a Redis rollback to an old version, cached data stays current only until its confirmation."""
    await world.get("ann", "v1")
    world.users.people["ann"] = ("Anna", "v2")
    world.clock.tick(40)
    await world.names.confirm_due(world.users.confirm)

    assert await world.get("ann", "v1") == "Anna asked"


async def test_confirmation_compares_each_cached_version(world: World) -> None:
    """Cached data of an older version is not confirmed by newer data of the same user."""
    old, new = BETWEEN.join(("ann", "p1")), BETWEEN.join(("ann", "p2"))
    await world.get(old, "v1")
    world.users.people["ann"] = ("Anna", "v2")
    await world.get(new, "v2")
    world.clock.tick(40)
    await world.names.confirm_due(world.users.confirm)

    assert (await world.get(new, "v2"), await world.get(old, "v1")) == ("Anna", "Anna asked")


async def test_confirmations_are_batched_by_a_thousand(clock: FrozenClock) -> None:
    world = world_of(clock, most=3_000)
    world.users.people = {f"user-{number}": ("Name", "v1") for number in range(2_100)}
    for number in range(2_100):
        await world.get(f"user-{number}", "v1")
    clock.tick(40)
    await world.names.confirm_due(world.users.confirm)

    assert [len(one) for one in world.users.confirmed] == [1_000, 1_000, 100]


async def test_unused_entries_expire_after_ten_minutes(world: World) -> None:
    """Unused cached users are confirmed sixteen times and then dropped, while used ones stay."""
    await world.get("ann", "v1")
    await world.get("bob", "w1")
    for _ in range(17):
        world.clock.tick(40)
        await world.names.confirm_due(world.users.confirm)
        assert await world.get("bob", "w1") == "Bob"

    assert ["ann" in one for one in world.users.confirmed] == [True] * 16 + [False]
    assert await world.get("ann", "v1") == "Ann asked"


async def test_entries_with_changed_dependencies_are_not_confirmed(world: World) -> None:
    """Entries that no request can use are dropped without a request to users."""
    await world.get("ann", "v1")
    await world.change_org()
    world.clock.tick(40)
    await world.lease.poll()
    await world.names.confirm_due(world.users.confirm)

    assert world.users.confirmed == []


async def test_expired_lease_does_not_drop_entries(world: World) -> None:
    """While the lease is briefly expired no cached entry is current, and none is dropped or requested."""
    await world.get("ann", "v1")
    world.clock.tick(45)
    await world.names.confirm_due(world.users.confirm)

    assert (world.lease.holds, world.users.confirmed) == (False, [{"ann": "v1"}])
    assert await world.get("ann", "v1") == "Ann"


async def test_failed_confirmation_prolongs_nothing(world: World) -> None:
    """While users is unavailable, cached data expires after its minute."""
    await world.get("ann", "v1")
    world.clock.tick(40)
    world.users.broken = True
    with pytest.raises(ServiceError):
        await world.names.confirm_due(world.users.confirm)
    world.clock.tick(20)

    with pytest.raises(ServiceError):
        await world.get("ann", "v1")


async def test_oldest_unused_entry_is_evicted_first(clock: FrozenClock) -> None:
    """The entry that was not used since its confirmation is evicted first."""
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
async def test_cache_is_bounded(clock: FrozenClock, most: int) -> None:
    """However many users are requested, the memory of the cache is bounded (FD-27)."""
    world = world_of(clock, most=most)
    world.users.people = {f"user-{number}": ("Name", "v1") for number in range(most * 2)}
    for number in range(most * 2):
        await world.get(f"user-{number}", "v1")
    answers = [await world.get(f"user-{number}", "v1") for number in reversed(range(most * 2))]

    assert most * 9 // 10 <= answers.count("Name") <= most
