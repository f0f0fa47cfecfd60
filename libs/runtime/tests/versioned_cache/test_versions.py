"""Conformance tests of the versions, against memory and a real Redis (decision 0039)."""

from __future__ import annotations

import asyncio

import pytest
from portico_fakes.randomness import seeded_bytes
from portico_harness.servers import RunningRedis
from portico_oauth.errors import Kind, ServiceError
from portico_runtime.redis.client import RedisClient
from portico_runtime.versioned_cache import keys
from portico_runtime.versioned_cache.keys import VersionKey
from portico_runtime.versioned_cache.versions import RedisVersions, new_change

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
"""Every interleaving of overlapping changes of one user, and lost markers."""

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
"""Every interleaving of one change and one settlement of a user."""

_random = seeded_bytes(390)


@pytest.mark.parametrize("order", ORDERS)
async def test_overlapping_changes_leave_the_last_version_or_none(
    stored: Store, person: VersionKey, order: str
) -> None:
    """After every step of every interleaving, the stored version is the last committed one or none."""
    play = Play(stored, person)
    for step in order.split():
        await play.step(step)
        text = await stored.text(person)

        assert not is_version(text) or text == play.committed, step


@pytest.mark.parametrize("order", SETTLINGS)
async def test_settlement_never_restores_an_old_version(stored: Store, person: VersionKey, order: str) -> None:
    """A settlement that overlaps a change leaves no version committed before it."""
    play = Play(stored, person)
    for step in order.split():
        await play.step(step)
        text = await stored.text(person)

        assert not is_version(text) or text == play.committed, step
    assert await stored.text(person) == "version-A"


async def test_change_sets_marker_then_version(stored: Store, person: VersionKey) -> None:
    change = new_change(_random)
    await stored.versions.begin(change, [person])
    marked = await stored.text(person)
    await stored.versions.finish(change, {person: "new"})

    assert marked.startswith(f"~{change}@")
    assert await stored.text(person) == "new"


async def test_marking_twice_keeps_the_first_marker(stored: Store, person: VersionKey) -> None:
    """A transaction that is retried keeps the time of its first marker, and the version is set."""
    change = new_change(_random)
    await stored.versions.begin(change, [person])
    await stored.age(person, 60)
    first = await stored.text(person)
    await stored.versions.begin(change, [person])
    second = await stored.text(person)
    await stored.versions.finish(change, {person: "new"})

    assert second == first
    assert await stored.text(person) == "new"


async def test_withdrawn_change_leaves_no_version(stored: Store, person: VersionKey) -> None:
    """If nothing was committed, an unsettled text remains, and the owner settles the right version."""
    play = Play(stored, person)
    for step in ("A-begin", "A-withdraw"):
        await play.step(step)
    left = await stored.text(person)
    await stored.versions.settle(person, left, _read_old)

    assert left.startswith("?")
    assert await stored.text(person) == "old"


async def test_withdrawn_change_leaves_the_marker_of_another(stored: Store, person: VersionKey) -> None:
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
async def test_settlement_waits_for_a_young_marker(stored: Store, person: VersionKey, age: int, settled: bool) -> None:
    """A marker younger than 120 seconds refuses a settlement; an older one was left by a process that ended."""
    await Play(stored, person).step("A-begin")
    await stored.age(person, age)
    marked = await stored.text(person)
    await stored.versions.settle(person, marked, _read_old)

    assert await stored.text(person) == ("old" if settled else marked)


async def test_young_marker_next_to_an_old_one_refuses_a_settlement(stored: Store, person: VersionKey) -> None:
    play = Play(stored, person)
    await play.step("A-begin")
    await stored.age(person, 120)
    await play.step("B-begin")
    marked = await stored.text(person)
    await stored.versions.settle(person, marked, _read_old)

    assert await stored.text(person) == marked


async def test_change_after_an_aborted_one_sets_no_version(stored: Store, person: VersionKey) -> None:
    """An old marker does not prove that its change committed first, and the remaining text can be settled at once."""
    play = Play(stored, person)
    await play.step("A-begin")
    await stored.age(person, 120)
    for step in ("B-begin", "B-commit", "B-finish"):
        await play.step(step)
    left = await stored.text(person)
    await stored.versions.settle(person, left, _read_old)

    assert left.startswith("?")
    assert await stored.text(person) == "old"


async def test_settlement_keeps_concurrent_writes(stored: Store, person: VersionKey) -> None:
    """A settlement writes nothing if the stored text is not the one that was read."""
    play = Play(stored, person)
    for step in ("A-begin", "A-commit", "A-finish"):
        await play.step(step)
    await stored.versions.settle(person, "", _read_old)

    assert await stored.text(person) == "version-A"


async def test_concurrent_settlements_agree(stored: Store, person: VersionKey) -> None:
    """Concurrent settlements use the same text, so that the first one completes all of them."""
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


async def test_deleted_user_gets_no_version(stored: Store, person: VersionKey) -> None:
    """A settlement of a user who was deleted meanwhile sets no version."""

    async def read() -> str:
        return ""

    await stored.versions.settle(person, "", read)

    assert not is_version(await stored.text(person))


async def test_empty_change_writes_nothing(stored: Store, person: VersionKey) -> None:
    await stored.versions.begin(new_change(_random), [])
    await stored.versions.finish(new_change(_random), {})

    assert not await stored.text(person)


async def test_change_covers_several_slots(stored: Store) -> None:
    """One change of users in several buckets and of other objects marks all of them and sets each version."""
    facts = [*(keys.user(f"person of several {number}") for number in range(5)), keys.of_kind("app"), keys.anything()]
    change = new_change(_random)
    await stored.versions.begin(change, facts)
    marked = [await stored.text(fact) for fact in facts]
    await stored.versions.finish(change, {fact: f"version-{place}" for place, fact in enumerate(facts)})

    assert len({fact.slot for fact in facts}) > 2
    assert all(text.startswith(f"~{change}@") for text in marked)
    assert [await stored.text(fact) for fact in facts] == [f"version-{place}" for place in range(7)]


@pytest.mark.servers
@pytest.mark.parametrize("order", ["A-begin", "settle read set"])
async def test_versions_expire(redis_of_users: RedisClient, person: VersionKey, order: str) -> None:
    """The hash of a bucket expires a day after the last change or settlement."""
    play = Play(InRedis(redis_of_users), person)
    for step in order.split():
        await play.step(step)

    assert 86_300 < await redis_of_users.read("TTL", keys.versions(person.slot)) <= 86_400


@pytest.mark.servers
async def test_unavailable_redis_refuses_markers(redis_server: RunningRedis, person: VersionKey) -> None:
    """If the marker cannot be set, the error is `unavailable` and the change is not committed."""
    client = RedisClient(redis_server.section("users", timeout=0.3), "users")
    await asyncio.to_thread(redis_server.pause)
    try:
        with pytest.raises(ServiceError) as refused:
            await RedisVersions(client, _random).begin(new_change(_random), [person])
    finally:
        await asyncio.to_thread(redis_server.resume)
        await client.close()

    assert refused.value.kind is Kind.UNAVAILABLE
