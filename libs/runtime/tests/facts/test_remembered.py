"""What is remembered of people, and when it counts (decision 0039)."""

from __future__ import annotations

import asyncio

import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_versions import MemoryVersions
from portico_oauth.errors import ServiceError
from portico_runtime.facts import keys
from portico_runtime.facts.dated import Dated
from portico_runtime.facts.memory import FactMemory

from .one_replica import ORG, Name, Users, World, settled


async def test_known_facts_are_no_question(world: World) -> None:
    """With the version they were read with facts are current, and users is not asked."""
    assert [await world.get("ann", "v1") for _ in range(3)] == ["Ann asked", "Ann", "Ann"]


@pytest.mark.parametrize("found", ["", "~0badc0de@1790000000", "?0badc0de", "v2", "v", "v1 ", "v10", "v0"])
async def test_any_other_text_is_a_question(world: World, found: str) -> None:
    """Nothing, a mark, an unsettled text and the version of before or after: users is asked, and sees the text."""
    await world.get("ann", "v1")

    assert await world.get("ann", found) == "Ann asked"
    assert world.users.asked[-1] == ("ann", found)


async def test_facts_are_of_the_version_users_answered_with(world: World) -> None:
    """What was asked while a mark was there counts for the version of the document, and for no other."""
    asked = await world.get("ann", "~0badc0de@1790000000")

    assert (asked, await world.get("ann", "v1")) == ("Ann asked", "Ann")


async def test_unknown_people_are_asked_each_time(world: World) -> None:
    """Facts without a version are not remembered: a new user needs no mark."""
    assert [await world.get("zoe", "") for _ in range(2)] == [" asked", " asked"]


async def test_nothing_is_used_for_a_minute_unasked(world: World) -> None:
    """Facts are used for less than sixty seconds after users was asked about them."""
    await world.get("ann", "v1")
    world.clock.tick(59)
    young = await world.get("ann", "v1")
    world.clock.tick(1)

    assert (young, await world.get("ann", "v1")) == ("Ann", "Ann asked")


async def test_use_does_not_prolong_the_minute(world: World) -> None:
    """The minute counts from the question, however often the facts are used meanwhile."""
    answers = []
    for _ in range(4):
        answers.append(await world.get("ann", "v1"))
        world.clock.tick(20)

    assert answers == ["Ann asked", "Ann", "Ann", "Ann asked"]


@pytest.mark.parametrize("found", ["mark", "version"])
async def test_facts_depend_on_their_organization(world: World, found: str) -> None:
    """From the poll that sees a change of the organization, or its mark, its people are asked about."""
    await world.get("ann", "v1")
    if found == "mark":
        await world.versions.begin("c1", [ORG, keys.anything()])
        assert [await world.get("ann", "v1") for _ in range(2)] == ["Ann asked", "Ann asked"]
    else:
        await world.change_org()
        assert [await world.get("ann", "v1") for _ in range(2)] == ["Ann asked", "Ann"]


async def test_facts_do_not_depend_on_other_objects(world: World) -> None:
    """A change of applications leaves the facts of people current."""
    await world.get("ann", "v1")
    await world.versions.begin("c1", [keys.of_kind("app"), keys.anything()])

    assert await world.get("ann", "v1") == "Ann"


async def test_without_a_lease_people_are_asked_about(world: World) -> None:
    """When the last poll is a second ago nothing that depends on the directory is current."""
    await world.get("ann", "v1")
    world.clock.tick(1)
    before = len(world.users.asked)
    await world.names.get("ann", "v1")

    assert len(world.users.asked) == before + 1


async def test_an_answer_that_a_change_overtakes_is_not_current(world: World) -> None:
    """The organization changes while users answers: what it read may be from before, and is not remembered."""
    await world.lease.poll()
    world.users.answers.clear()
    early = asyncio.create_task(world.names.get("ann", "v1"))
    await settled()
    await world.change_org()
    await world.lease.poll()
    world.users.answers.set()
    await early

    assert [await world.get("ann", "v1") for _ in range(2)] == ["Ann asked", "Ann"]


async def test_an_answer_from_before_a_lost_connection_is_not_remembered(world: World) -> None:
    """When Redis may be another one everything is forgotten, also what is being asked."""
    await world.get("bob", "w1")
    world.users.answers.clear()
    early = asyncio.create_task(world.names.get("ann", "v1"))
    await settled()
    world.lease.end()
    await world.lease.poll()
    world.users.answers.set()
    await early

    assert (await world.get("ann", "v1"), await world.get("bob", "w1")) == ("Ann asked", "Bob asked")


async def test_a_question_from_before_a_lost_connection_is_not_shared(world: World) -> None:
    """Who comes after the loss asks anew, although the version is the same."""
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
async def test_requests_share_a_question_only_with_the_same_version(
    world: World, versions: tuple[str, ...], questions: int
) -> None:
    """A mark may stay when its change is in force, so that a question asked before that is no answer for who comes later."""
    await world.lease.poll()
    world.users.answers.clear()
    crowd = [asyncio.create_task(world.names.get("ann", version)) for version in versions]
    await settled()
    world.users.answers.set()
    await asyncio.gather(*crowd)

    assert len(world.users.asked) == questions


async def test_one_who_goes_away_leaves_the_shared_question(world: World) -> None:
    """A cancelled request takes nothing from those who share its question."""
    await world.lease.poll()
    world.users.answers.clear()
    impatient, patient = (asyncio.create_task(world.names.get("ann", "v1")) for _ in range(2))
    await settled()
    impatient.cancel()
    await asyncio.gather(impatient, return_exceptions=True)
    world.users.answers.set()

    assert (await patient).text == "Ann"


async def test_a_failure_is_not_remembered(world: World) -> None:
    """While users is away the answer is `unavailable`, never an old one; afterwards it is asked again (P2)."""
    await world.get("ann", "v1")
    world.users.broken = True
    with pytest.raises(ServiceError):
        await world.get("ann", "v2")
    world.users.broken = False
    world.users.people["ann"] = ("Anna", "v2")

    assert await world.get("ann", "v2") == "Anna asked"


async def test_a_hint_forgets_one_key(world: World) -> None:
    """An event of a change makes the next request ask, and leaves the others alone."""
    await world.get("ann", "v1")
    await world.get("bob", "w1")
    world.names.forget("ann")
    world.names.forget("never asked")

    assert (await world.get("ann", "v1"), await world.get("bob", "w1")) == ("Ann asked", "Bob")


async def test_facts_that_came_with_another_answer_are_remembered(world: World) -> None:
    """They count as if they had been asked when that question began, unless something changed since."""
    await world.lease.poll()
    asked = world.names.begin()
    world.names.remember("ann", Dated(Name("Ann"), "v1", ORG.field), asked)
    first = await world.get("ann", "v1")
    asked = world.names.begin()
    await world.change_org()
    await world.lease.poll()
    world.names.remember("bob", Dated(Name("Bob"), "w1", ORG.field), asked)

    assert (first, await world.get("bob", "w1")) == ("Ann", "Bob asked")


async def test_a_version_is_read_only_where_the_request_has_none(clock: FrozenClock) -> None:
    """What came with the grant or session is used as it is; otherwise Redis is asked, and without one it is empty."""
    versions = MemoryVersions(clock)
    versions.stored[keys.person("ann")] = "v1"
    memory, without = (FactMemory(reader, clock, most=10) for reader in (versions, None))

    assert [await memory.version_of("ann", read) for read in (None, "", "v0")] == ["v1", "", "v0"]
    assert await without.version_of("ann", None) == ""
    assert len(memory.upkeep(Users({}).confirm)) == 2
    assert without.upkeep(Users({}).confirm) == ()
