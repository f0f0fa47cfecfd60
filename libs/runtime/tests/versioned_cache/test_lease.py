"""Tests of the lease under which cached organizations and applications are current (decision 0039)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_versions import MemoryVersions
from portico_oauth.errors import ServiceError
from portico_runtime.versioned_cache import keys
from portico_runtime.versioned_cache import lease as lease_module
from portico_runtime.versioned_cache.keys import VersionKey
from portico_runtime.versioned_cache.lease import CHANGING, Lease
from portico_runtime.versioned_cache.read_cache import ReadCache

APPS = keys.of_kind("app")
ANY = keys.anything()


@pytest.fixture(name="versions")
def _versions(clock: FrozenClock) -> MemoryVersions:
    return MemoryVersions(clock)


@pytest.fixture(name="lease")
def _lease(versions: MemoryVersions, clock: FrozenClock) -> Lease:
    return Lease(versions, clock, clock.now)


async def change(versions: MemoryVersions, name: str, *facts: VersionKey) -> None:
    await versions.begin(name, [*facts, ANY])
    await versions.finish(name, dict.fromkeys([*facts, ANY], name))


async def test_lease_holds_for_a_second_after_the_request(lease: Lease, clock: FrozenClock) -> None:
    """Before the first poll, and a second after the last one, nothing is current."""
    before = lease.holds
    await lease.poll()
    clock.tick(0.99)
    young = lease.holds
    clock.tick(0.01)

    assert (before, young, lease.holds) == (False, True, False)
    assert lease.version_of("app") == CHANGING


async def test_lease_counts_from_its_request(versions: MemoryVersions, clock: FrozenClock) -> None:
    """A slow poll renews the lease only for the rest of its second (decision 0039)."""

    class Slow(MemoryVersions):
        async def read_any(self) -> str:
            clock.tick(0.7)
            return await super().read_any()

    lease = Lease(Slow(clock), clock, clock.now)
    await lease.poll()
    clock.tick(0.29)
    young = lease.holds
    clock.tick(0.02)

    assert (young, lease.holds) == (True, False)


async def test_failed_poll_lets_the_lease_expire(lease: Lease, versions: MemoryVersions, clock: FrozenClock) -> None:
    """While Redis is unavailable, cached data stops being current within a second."""
    await lease.poll()
    versions.broken = True
    clock.tick(0.4)
    with pytest.raises(ServiceError):
        await lease.poll()
    young = lease.holds
    clock.tick(0.6)

    assert (young, lease.holds) == (True, False)


async def test_change_starts_a_new_epoch_of_its_field(lease: Lease, versions: MemoryVersions) -> None:
    """A change starts a new epoch of its field and of the whole, and of no other field."""
    await change(versions, "c1", APPS)
    await lease.poll()
    before = [lease.version_of(field) for field in ("app", "any", "project")]
    await change(versions, "c2", APPS)
    await lease.poll()
    after = [lease.version_of(field) for field in ("app", "any", "project")]

    assert after[0] > before[0]
    assert after[1] > before[1]
    assert after[2] == before[2]


async def test_field_being_changed_has_no_epoch(lease: Lease, versions: MemoryVersions) -> None:
    """Between marker and version nothing that depends on the field is current."""
    await lease.poll()
    await versions.begin("c1", [APPS, ANY])
    await lease.poll()
    during = (lease.version_of("app"), lease.holds, lease.version_of("project"))
    await versions.finish("c1", {APPS: "c1", ANY: "c1"})
    await lease.poll()

    assert during == (CHANGING, False, 0)
    assert (lease.version_of("app"), lease.holds) == (lease.counter, True)


@pytest.mark.parametrize(("age", "holds"), [(119, False), (120, True)])
async def test_abandoned_marker_counts_for_two_minutes(
    lease: Lease, versions: MemoryVersions, clock: FrozenClock, age: int, holds: bool
) -> None:
    """A marker left by a process that ended expires, and the lease holds again without a further change."""
    await versions.begin("broken off", [APPS, ANY])
    await lease.poll()
    clock.tick(age)
    await lease.poll()

    assert (lease.holds, lease.version_of("app") != CHANGING) == (holds, holds)


async def test_end_of_a_marker_is_a_change(lease: Lease, versions: MemoryVersions, clock: FrozenClock) -> None:
    """Data read while a marker counted may be older than its change and is dropped when the marker ends."""
    dropped: list[float] = []
    lease.when_changed(lambda: dropped.append(clock.now()))
    await versions.begin("broken off", [APPS, ANY])
    await lease.poll()
    seen, before = len(dropped), lease.counter
    clock.tick(120)
    await lease.poll()

    assert (seen, len(dropped)) == (1, 2)
    assert lease.version_of("app") == lease.counter > before


async def test_subscriber_is_notified_of_each_change_once(lease: Lease, versions: MemoryVersions) -> None:
    told: list[str] = []
    lease.when_changed(lambda: told.append("changed"))
    await change(versions, "c1", APPS)
    await lease.poll()
    await lease.poll()
    await change(versions, "c2", keys.organization("acme"))
    await lease.poll()

    assert told == ["changed", "changed"]


async def test_lost_versions_are_a_change(lease: Lease, versions: MemoryVersions) -> None:
    """After Redis lost all data, nothing cached before is current."""
    await change(versions, "c1", APPS)
    await lease.poll()
    before = [lease.version_of(field) for field in ("app", "any")]
    versions.stored.clear()
    await lease.poll()

    assert all(now > then for now, then in zip([lease.version_of(f) for f in ("app", "any")], before, strict=True))


async def test_expired_lease_starts_new_epochs(lease: Lease, versions: MemoryVersions) -> None:
    """After a lost connection equal versions prove nothing, because Redis may have been rolled back."""
    lost: list[str] = []
    lease.when_lost(lambda: lost.append("lost"))
    lease.when_changed(lambda: lost.append("changed"))
    await change(versions, "c1", APPS)
    await lease.poll()
    before = lease.version_of("app")
    lost.clear()
    lease.end()
    ended = lease.holds
    told = list(lost)
    await lease.poll()

    assert (ended, told) == (False, ["lost", "changed"])
    assert lease.version_of("app") > before


async def test_without_versions_a_lease_never_holds(clock: FrozenClock) -> None:
    lease = Lease(None, clock, clock.now)
    await lease.poll()

    assert not lease.holds


@pytest.fixture(name="load")
def _load() -> tuple[Callable[[str], Awaitable[int]], list[str]]:
    asked: list[str] = []

    async def load(key: str) -> int:
        asked.append(key)
        return len(asked)

    return load, asked


Load = tuple[Callable[[str], Awaitable[int]], list[str]]


async def test_cache_with_a_lease_keeps_entries_for_a_minute(lease: Lease, clock: FrozenClock, load: Load) -> None:
    cache = ReadCache(clock, load[0], lease=lease)
    await lease.poll()
    first = await cache.get("a")
    clock.tick(59.9)
    await lease.poll()
    old = await cache.get("a")
    clock.tick(0.1)
    await lease.poll()

    assert (first, old, await cache.get("a")) == (1, 1, 2)


async def test_cache_without_a_lease_keeps_entries_for_a_second(lease: Lease, clock: FrozenClock, load: Load) -> None:
    """Without a lease, a cached answer is never older than a second (TK-11)."""
    cache = ReadCache(clock, load[0], lease=lease)
    await lease.poll()
    await cache.get("a")
    clock.tick(0.99)
    young = await cache.get("a")
    clock.tick(0.01)

    assert (young, await cache.get("a")) == (1, 2)


async def test_cache_is_dropped_with_the_poll_that_sees_a_change(
    lease: Lease, versions: MemoryVersions, clock: FrozenClock, load: Load
) -> None:
    """A change of any cached object is in force with the next poll, less than a second later."""
    cache = ReadCache(clock, load[0], lease=lease)
    await lease.poll()
    await cache.get("a")
    clock.tick(0.2)
    await change(versions, "c1", APPS)
    before = await cache.get("a")
    await lease.poll()

    assert (before, await cache.get("a")) == (1, 2)


async def test_answer_in_flight_is_dropped_by_a_change(
    lease: Lease, versions: MemoryVersions, clock: FrozenClock
) -> None:
    """An answer requested before a change is not cached."""
    answers = asyncio.Event()
    asked: list[str] = []

    async def load(key: str) -> int:
        asked.append(key)
        number = len(asked)
        await answers.wait()
        return number

    cache = ReadCache(clock, load, lease=lease)
    await lease.poll()
    early = asyncio.create_task(cache.get("a"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await change(versions, "c1", APPS)
    await lease.poll()
    answers.set()

    assert (await early, await cache.get("a"), asked) == (1, 2, ["a", "a"])


async def test_unused_lease_is_not_polled(clock: FrozenClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Polling stops ten seconds after the last use, and the next use begins it again."""
    monkeypatch.setattr(lease_module, "POLL_SECONDS", 0)
    polls: list[float] = []

    class Counted(MemoryVersions):
        async def read_any(self) -> str:
            polls.append(clock.now())
            clock.tick(4)
            return await super().read_any()

    async def rounds() -> int:
        for _ in range(100):
            await asyncio.sleep(0)
        return len(polls)

    lease = Lease(Counted(clock), clock, clock.now)
    polling = asyncio.create_task(lease.poll_while_used())
    counts = [await rounds()]
    lease.peek("app")
    counts.append(await rounds())
    assert not lease.holds
    counts.append(await rounds())

    assert counts == [3, 3, 3]
    assert polling.done()
    again = asyncio.create_task(lease.poll_while_used())
    assert await rounds() == 6
    again.cancel()
