"""One conformance suite for the versions of facts: in memory and on a real Redis (decision 0039)."""

from __future__ import annotations

import asyncio

import pytest
from portico_fakes.randomness import seeded_bytes
from portico_harness.servers import RunningRedis
from portico_oauth.errors import Kind, ServiceError
from portico_runtime.facts import keys
from portico_runtime.facts.keys import VersionKey
from portico_runtime.facts.versions import RedisVersions, new_change
from portico_runtime.redis_client import RedisClient

from .played_changes import InRedis, Play, Store, is_version

ORDERS = (
    "A-begin A-commit A-finish B-begin B-commit B-finish",
    "A-begin A-commit B-begin A-finish B-commit B-finish",
    "A-begin A-commit B-begin B-commit A-finish B-finish",
    "A-begin A-commit B-begin B-commit B-finish A-finish",
    "A-begin B-begin A-commit A-finish B-commit B-finish",
    "A-begin B-begin A-commit B-commit A-finish B-finish",
    "A-begin B-begin A-commit B-commit B-finish A-finish",
    "A-begin B-begin B-commit A-commit A-finish B-finish",
    "A-begin B-begin B-commit A-commit B-finish A-finish",
    "A-begin B-begin B-commit B-finish A-commit A-finish",
    "A-begin B-begin A-withdraw B-commit B-finish",
    "A-begin B-begin B-commit A-withdraw B-finish",
    "A-begin B-begin B-commit B-finish A-withdraw",
    "A-begin A-begin A-commit A-finish",
    "A-begin B-begin A-begin B-commit A-commit B-finish A-finish",
    "A-begin A-commit lose B-begin B-commit A-finish B-finish",
    "A-begin A-commit lose B-begin B-commit B-finish A-finish",
    "A-begin A-commit B-begin lose B-commit B-finish A-finish",
    "A-begin lose A-commit A-finish",
    "A-begin lose A-begin A-commit A-finish",
)
"""Changes of one person that overlap in every order, and marks that are lost."""

SETTLINGS = (
    "settle read set A-begin A-commit A-finish",
    "settle read A-begin set A-commit A-finish",
    "settle read A-begin A-commit set A-finish",
    "settle read A-begin A-commit A-finish set",
    "settle A-begin read set A-commit A-finish",
    "settle A-begin read A-commit set A-finish",
    "settle A-begin read A-commit A-finish set",
    "settle A-begin A-commit read set A-finish",
    "settle A-begin A-commit read A-finish set",
    "settle A-begin A-commit A-finish read set",
    "A-begin settle read set A-commit A-finish",
    "A-begin settle read A-commit set A-finish",
    "A-begin settle read A-commit A-finish set",
    "A-begin settle A-commit read set A-finish",
    "A-begin settle A-commit read A-finish set",
    "A-begin settle A-commit A-finish read set",
    "A-begin A-commit settle read set A-finish",
    "A-begin A-commit settle read A-finish set",
    "A-begin A-commit settle A-finish read set",
    "A-begin A-commit A-finish settle read set",
)
"""One change and one settling of a person in every order."""

_random = seeded_bytes(390)


@pytest.mark.parametrize("order", ORDERS)
async def test_overlapping_changes_leave_no_version_but_the_last(stored: Store, person: VersionKey, order: str) -> None:
    """After every step of every order what is there is the version that was committed last, or no version."""
    play = Play(stored, person)
    for step in order.split():
        await play.step(step)
        text = await stored.text(person)

        assert not is_version(text) or text == play.committed, step


@pytest.mark.parametrize("order", SETTLINGS)
async def test_a_settling_never_sets_what_a_change_replaced(stored: Store, person: VersionKey, order: str) -> None:
    """A settling that a change overtakes, or that begins during one, leaves no version that was committed before."""
    play = Play(stored, person)
    for step in order.split():
        await play.step(step)
        text = await stored.text(person)

        assert not is_version(text) or text == play.committed, step
    assert await stored.text(person) == "version-A"


async def test_a_change_alone_sets_its_version(stored: Store, person: VersionKey) -> None:
    """While a change is under way its mark is there, and after it the version it committed."""
    change = new_change(_random)
    await stored.versions.begin(change, [person])
    marked = await stored.text(person)
    await stored.versions.finish(change, {person: "new"})

    assert marked.startswith(f"~{change}@")
    assert await stored.text(person) == "new"


async def test_marking_twice_keeps_the_first_mark(stored: Store, person: VersionKey) -> None:
    """A transaction that runs again marks once: the mark counts from the first time, and the version is set."""
    change = new_change(_random)
    await stored.versions.begin(change, [person])
    await stored.age(person, 60)
    first = await stored.text(person)
    await stored.versions.begin(change, [person])
    second = await stored.text(person)
    await stored.versions.finish(change, {person: "new"})

    assert second == first
    assert await stored.text(person) == "new"


async def test_a_withdrawn_change_leaves_no_version(stored: Store, person: VersionKey) -> None:
    """Where nothing was committed a text is left that is no version: the owner is asked, and settles the right one."""
    play = Play(stored, person)
    for step in ("A-begin", "A-withdraw"):
        await play.step(step)
    left = await stored.text(person)
    await stored.versions.settle(person, left, _read_old)

    assert left.startswith("?")
    assert await stored.text(person) == "old"


async def test_a_withdrawn_change_leaves_the_mark_of_another(stored: Store, person: VersionKey) -> None:
    """A change that is under way meanwhile counts on, until it is old."""
    play = Play(stored, person)
    for step in ("A-begin", "B-begin", "B-withdraw"):
        await play.step(step)
    overlapped = await stored.text(person)
    await stored.age(person, 120)
    await stored.versions.settle(person, await stored.text(person), _read_old)

    assert overlapped.startswith("~")
    assert await stored.text(person) == "old"


async def _read_old() -> str:
    return "old"


@pytest.mark.parametrize(("age", "settled"), [(0, False), (110, False), (120, True)])
async def test_a_settling_waits_for_a_mark_as_long_as_it_counts(
    stored: Store, person: VersionKey, age: int, settled: bool
) -> None:
    """A mark of less than 120 seconds refuses a settling; an older one was left by a process that ended."""
    await Play(stored, person).step("A-begin")
    await stored.age(person, age)
    marked = await stored.text(person)
    await stored.versions.settle(person, marked, _read_old)

    assert await stored.text(person) == ("old" if settled else marked)


async def test_a_young_mark_beside_an_old_one_refuses_a_settling(stored: Store, person: VersionKey) -> None:
    """Of two changes that overlap each one's mark counts for itself."""
    play = Play(stored, person)
    await play.step("A-begin")
    await stored.age(person, 120)
    await play.step("B-begin")
    marked = await stored.text(person)
    await stored.versions.settle(person, marked, _read_old)

    assert await stored.text(person) == marked


async def test_a_change_after_a_broken_off_one_sets_no_version(stored: Store, person: VersionKey) -> None:
    """An old mark is no reason to believe that its change committed before; what is left can be settled at once."""
    play = Play(stored, person)
    await play.step("A-begin")
    await stored.age(person, 120)
    for step in ("B-begin", "B-commit", "B-finish"):
        await play.step(step)
    left = await stored.text(person)
    await stored.versions.settle(person, left, _read_old)

    assert left.startswith("?")
    assert await stored.text(person) == "old"


async def test_a_settling_leaves_what_others_wrote_meanwhile(stored: Store, person: VersionKey) -> None:
    """Where there is by now anything but what was seen, nothing is written: a right version stays in force."""
    play = Play(stored, person)
    for step in ("A-begin", "A-commit", "A-finish"):
        await play.step(step)
    await stored.versions.settle(person, "", _read_old)

    assert await stored.text(person) == "version-A"


async def test_settlings_at_a_time_do_not_disturb_each_other(stored: Store, person: VersionKey) -> None:
    """Who settles what another one is settling uses the same text, so that the first of them ends it for all."""
    first, second = Play(stored, person), Play(stored, person)
    await first.step("settle")
    text = await stored.text(person)
    await second.step("settle")
    joined = await stored.text(person)
    for step in ("read", "set"):
        await first.step(step)
    settled = await stored.text(person)
    for step in ("read", "set"):
        await second.step(step)

    assert (joined, settled) == (text, "version-0")
    assert await stored.text(person) == "version-0"


async def test_nothing_is_settled_where_the_owner_has_no_version(stored: Store, person: VersionKey) -> None:
    """A user who was deleted meanwhile gets no version, so that the owner is asked."""

    async def read() -> str:
        return ""

    await stored.versions.settle(person, "", read)

    assert not is_version(await stored.text(person))


async def test_changes_of_nothing_write_nothing(stored: Store, person: VersionKey) -> None:
    """A change without facts neither marks nor sets anything."""
    await stored.versions.begin(new_change(_random), [])
    await stored.versions.finish(new_change(_random), {})

    assert not await stored.text(person)


async def test_facts_of_several_slots_are_marked_and_set(stored: Store) -> None:
    """One change of people of several buckets and of the directory marks all of them, and sets each its version."""
    facts = [*(keys.person(f"person of several {number}") for number in range(5)), keys.of_kind("app"), keys.anything()]
    change = new_change(_random)
    await stored.versions.begin(change, facts)
    marked = [await stored.text(fact) for fact in facts]
    await stored.versions.finish(change, {fact: f"version-{place}" for place, fact in enumerate(facts)})

    assert len({fact.slot for fact in facts}) > 2
    assert all(text.startswith(f"~{change}@") for text in marked)
    assert [await stored.text(fact) for fact in facts] == [f"version-{place}" for place in range(7)]


@pytest.mark.servers
@pytest.mark.parametrize("order", ["A-begin", "settle read set"])
async def test_versions_have_a_lifetime(redis_of_users: RedisClient, person: VersionKey, order: str) -> None:
    """The hash of a bucket ends a day after the last change or settling: no key of Redis is for ever."""
    play = Play(InRedis(redis_of_users), person)
    for step in order.split():
        await play.step(step)

    assert 86_300 < await redis_of_users.read("TTL", keys.versions(person.slot)) <= 86_400


@pytest.mark.servers
async def test_a_redis_that_is_away_refuses_marks(redis_server: RunningRedis, person: VersionKey) -> None:
    """What cannot be marked is `unavailable`, so that the change is not committed."""
    client = RedisClient(redis_server.section("users", timeout=0.3), "users")
    await asyncio.to_thread(redis_server.pause)
    try:
        with pytest.raises(ServiceError) as refused:
            await RedisVersions(client, _random).begin(new_change(_random), [person])
    finally:
        await asyncio.to_thread(redis_server.resume)
        await client.close()

    assert refused.value.kind is Kind.UNAVAILABLE
