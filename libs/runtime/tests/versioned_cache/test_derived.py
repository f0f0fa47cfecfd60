"""What is computed from cached data of a user is exactly as current as that data (decision 0039)."""

from __future__ import annotations

from portico_runtime.versioned_cache.derived import Derived

from .one_replica import Name, World


async def derived_of(world: World) -> Derived[Name]:
    await world.lease.poll()
    return Derived(Name, world.lease, most=10, monotonic=world.clock.now)


async def test_result_is_found_for_its_version_alone(world: World) -> None:
    """Neither a mark nor a version of before, after or nothing finds it."""
    derived = await derived_of(world)
    derived.keep("ann", "v1", Name("ANN"), derived.begin())
    versions = ("v1", "v2", "v", "~c1@1", "")

    assert [derived.find("ann", version) for version in versions] == [Name("ANN"), None, None, None, None]


async def test_result_ends_with_any_change_of_another_object(world: World) -> None:
    derived = await derived_of(world)
    derived.keep("ann", "v1", Name("ANN"), derived.begin())
    await world.change_org()
    await world.lease.poll()

    assert derived.find("ann", "v1") is None


async def test_result_that_a_change_overtook_is_not_kept(world: World) -> None:
    """Its data was read from the state before."""
    derived = await derived_of(world)
    asked = derived.begin()
    await world.change_org()
    await world.lease.poll()
    derived.keep("ann", "v1", Name("ANN"), asked)

    assert derived.find("ann", "v1") is None


async def test_result_is_as_old_as_its_oldest_source(world: World) -> None:
    """Nothing is used for longer than a minute after users returned it, however it was computed."""
    derived = await derived_of(world)
    await world.get("ann", "v1")
    world.clock.tick(30)
    await world.get("bob", "w1")
    derived.keep("ann", "v1", Name("both"), derived.begin(), world.names.asked_at("ann"), world.names.asked_at("bob"))
    derived.keep("bob", "w1", Name("BOB"), derived.begin(), world.names.asked_at("bob"), world.names.asked_at("eve"))
    world.clock.tick(30)
    await world.lease.poll()

    assert (derived.find("ann", "v1"), derived.find("bob", "w1")) == (None, Name("BOB"))


async def test_result_of_a_changed_user_is_dropped_on_confirmation(world: World) -> None:
    """It is confirmed with its version, like what it was computed from."""
    derived = await derived_of(world)
    derived.keep("ann", "v1", Name("ANN"), derived.begin())
    world.users.people["ann"] = ("Anna", "v2")
    world.clock.tick(40)
    await derived.confirm_due(world.users.confirm)
    await world.lease.poll()

    assert derived.find("ann", "v1") is None
