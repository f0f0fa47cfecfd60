"""Tests of the cache of users and of when an entry is current (decision 0039)."""

from __future__ import annotations

import asyncio

import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_versions import MemoryVersions
from portico_oauth.errors import ServiceError
from portico_runtime.versioned_cache import keys
from portico_runtime.versioned_cache.dated import Dated
from portico_runtime.versioned_cache.memory import VersionedCache

from .one_replica import ORG, Name, Users, World, settled


async def test_entry_with_current_version_needs_no_request(world: World) -> None:
    assert [await world.get("ann", "v1") for _ in range(3)] == ["Ann asked", "Ann", "Ann"]


@pytest.mark.parametrize("found", ["", "~0badc0de@1790000000", "?0badc0de", "v2", "v", "v1 ", "v10", "v0"])
async def test_any_other_version_text_causes_a_request(world: World, found: str) -> None:
    """No version, a marker, an unsettled text or another version causes a request, which carries the text to users."""
    await world.get("ann", "v1")

    assert await world.get("ann", found) == "Ann asked"
    assert world.users.asked[-1] == ("ann", found)


async def test_entry_has_the_version_of_the_answer(world: World) -> None:
    """Data requested while a marker was set counts for the version of the document only."""
    asked = await world.get("ann", "~0badc0de@1790000000")

    assert (asked, await world.get("ann", "v1")) == ("Ann asked", "Ann")


async def test_unknown_users_are_not_cached(world: World) -> None:
    assert [await world.get("zoe", "") for _ in range(2)] == [" asked", " asked"]


async def test_entry_expires_after_a_minute(world: World) -> None:
    await world.get("ann", "v1")
    world.clock.tick(59)
    young = await world.get("ann", "v1")
    world.clock.tick(1)

    assert (young, await world.get("ann", "v1")) == ("Ann", "Ann asked")


async def test_use_does_not_prolong_an_entry(world: World) -> None:
    answers = []
    for _ in range(4):
        answers.append(await world.get("ann", "v1"))
        world.clock.tick(20)

    assert answers == ["Ann asked", "Ann", "Ann", "Ann asked"]


@pytest.mark.parametrize("found", ["mark", "version"])
async def test_entry_depends_on_its_organization(world: World, found: str) -> None:
    """A change of the organization, or its marker, invalidates the organization's users from the next poll on."""
    await world.get("ann", "v1")
    if found == "mark":
        await world.versions.begin("c1", [ORG, keys.anything()])
        assert [await world.get("ann", "v1") for _ in range(2)] == ["Ann asked", "Ann asked"]
    else:
        await world.change_org()
        assert [await world.get("ann", "v1") for _ in range(2)] == ["Ann asked", "Ann"]


async def test_entry_does_not_depend_on_applications(world: World) -> None:
    await world.get("ann", "v1")
    await world.versions.begin("c1", [keys.of_kind("app"), keys.anything()])

    assert await world.get("ann", "v1") == "Ann"


async def test_without_a_lease_users_are_requested(world: World) -> None:
    """A second after the last poll no cached user is current."""
    await world.get("ann", "v1")
    world.clock.tick(1)
    before = len(world.users.asked)
    await world.names.get("ann", "v1")

    assert len(world.users.asked) == before + 1


async def test_answer_overtaken_by_a_change_is_not_cached(world: World) -> None:
    """If the organization changes while users answers, the answer is not cached."""
    await world.lease.poll()
    world.users.answers.clear()
    early = asyncio.create_task(world.names.get("ann", "v1"))
    await settled()
    await world.change_org()
    await world.lease.poll()
    world.users.answers.set()
    await early

    assert [await world.get("ann", "v1") for _ in range(2)] == ["Ann asked", "Ann"]


async def test_answer_from_before_a_lost_connection_is_not_cached(world: World) -> None:
    """A lost connection to Redis drops every entry and every answer in flight."""
    await world.get("bob", "w1")
    world.users.answers.clear()
    early = asyncio.create_task(world.names.get("ann", "v1"))
    await settled()
    world.lease.end()
    await world.lease.poll()
    world.users.answers.set()
    await early

    assert (await world.get("ann", "v1"), await world.get("bob", "w1")) == ("Ann asked", "Bob asked")


async def test_request_from_before_a_lost_connection_is_not_shared(world: World) -> None:
    """A caller after a lost connection sends a new request even if the version is the same."""
    await world.lease.poll()
    world.users.answers.clear()
    early = asyncio.create_task(world.names.get("ann", "v1"))
    await settled()
    world.lease.end()
    late = asyncio.create_task(world.names.get("ann", "v1"))
    await settled()
    world.users.answers.set()
    await asyncio.gather(early, late)

    assert len(world.users.asked) == 2


@pytest.mark.parametrize(
    ("versions", "questions"),
    [
        (("v1", "v1", "v1"), 1),
        (("?0badc0de", "?0badc0de"), 1),
        (("v1", "v2", "v1"), 2),
        (("~0badc0de@1790000000", "~0badc0de@1790000000"), 2),
        (("", ""), 2),
    ],
)
async def test_requests_are_shared_only_for_the_same_version(
    world: World, versions: tuple[str, ...], questions: int
) -> None:
    """A marker may outlast its change, so a request sent earlier does not answer a later caller."""
    await world.lease.poll()
    world.users.answers.clear()
    crowd = [asyncio.create_task(world.names.get("ann", version)) for version in versions]
    await settled()
    world.users.answers.set()
    await asyncio.gather(*crowd)

    assert len(world.users.asked) == questions


async def test_cancelled_caller_leaves_the_shared_request(world: World) -> None:
    await world.lease.poll()
    world.users.answers.clear()
    impatient, patient = (asyncio.create_task(world.names.get("ann", "v1")) for _ in range(2))
    await settled()
    impatient.cancel()
    await asyncio.gather(impatient, return_exceptions=True)
    world.users.answers.set()

    assert (await patient).text == "Ann"


async def test_failure_is_not_cached(world: World) -> None:
    """While users is unavailable the answer is `unavailable`, never a stale entry, and the next call tries again
    (P2).
    """
    await world.get("ann", "v1")
    world.users.broken = True
    with pytest.raises(ServiceError):
        await world.get("ann", "v2")
    world.users.broken = False
    world.users.people["ann"] = ("Anna", "v2")

    assert await world.get("ann", "v2") == "Anna asked"


async def test_change_event_drops_one_entry(world: World) -> None:
    await world.get("ann", "v1")
    await world.get("bob", "w1")
    world.names.forget("ann")
    world.names.forget("never asked")

    assert (await world.get("ann", "v1"), await world.get("bob", "w1")) == ("Ann asked", "Bob")


async def test_data_included_in_another_answer_is_cached(world: World) -> None:
    """Included data counts from the start of the request that returned it, unless something changed since."""
    await world.lease.poll()
    asked = world.names.begin()
    world.names.remember("ann", Dated(Name("Ann"), "v1", ORG.field), asked)
    first = await world.get("ann", "v1")
    asked = world.names.begin()
    await world.change_org()
    await world.lease.poll()
    world.names.remember("bob", Dated(Name("Bob"), "w1", ORG.field), asked)

    assert (first, await world.get("bob", "w1")) == ("Ann", "Bob asked")


async def test_version_is_read_only_when_unknown(clock: FrozenClock) -> None:
    """A version that came with the grant or session is used; otherwise Redis is read, and without Redis it is empty."""
    versions = MemoryVersions(clock)
    versions.stored[keys.user("ann")] = "v1"
    memory, without = (VersionedCache(reader, clock, most=10) for reader in (versions, None))

    assert [await memory.version_of("ann", read) for read in (None, "", "v0")] == ["v1", "", "v0"]
    assert await without.version_of("ann", None) == ""
    assert len(memory.upkeep(Users({}).confirm)) == 2
    assert without.upkeep(Users({}).confirm) == ()
