"""Counts that take long: who waits for them, and how old they may be."""

from __future__ import annotations

import asyncio

import pytest
from portico_oauth.errors import UNAVAILABLE, ServiceError
from portico_users.storage import remembered
from portico_users.storage.remembered import OLD_SECONDS, SLOW_SECONDS, Remembered

FRESH = 10.0


class Counts:
    """Numbers the counts it makes; each takes so many seconds of the clock that measures them."""

    def __init__(self, took: float) -> None:
        self.now, self.clock, self.took = 1_000.0, 0.0, took
        self.made = 0
        self.fails = False
        self.remembered: Remembered[str, int] = Remembered(
            self.count,
            lambda: self.now,
            seconds=FRESH,
            most=2,
            is_kept=lambda value: value > 0,
            took=lambda: self.clock,
        )

    async def count(self, _key: str) -> int:
        if self.fails:
            raise UNAVAILABLE.error()
        self.made += 1
        self.clock += self.took
        return self.made

    async def find(self, key: str = "users") -> int | None:
        found = await self.remembered.find(key)
        for _ in range(5):  # a count that runs in the background ends
            await asyncio.sleep(0)
        return found


async def test_quick_count_is_made_again() -> None:
    counts = Counts(SLOW_SECONDS / 2)
    first = await counts.find()
    counts.now += FRESH

    assert (first, await counts.find()) == (1, 2)


async def test_slow_count_is_used_while_the_next_one_runs() -> None:
    """The caller after that gets the new one."""
    counts = Counts(SLOW_SECONDS)
    await counts.find()
    counts.now += FRESH

    assert await counts.find() == 1
    assert counts.made == 2
    assert await counts.find() == 2


async def test_slow_count_rests() -> None:
    """Counting takes a hundredth of the time at most."""
    counts = Counts(2.0)
    await counts.find()
    counts.now += 199

    assert (await counts.find(), counts.made) == (1, 1)


async def test_slow_count_becomes_too_old() -> None:
    counts = Counts(SLOW_SECONDS)
    await counts.find()
    counts.now += OLD_SECONDS

    assert await counts.find() == 2


async def test_failed_count_leaves_the_former_one() -> None:
    """Without a former one the caller gets the error."""
    counts = Counts(SLOW_SECONDS)
    await counts.find()
    counts.now, counts.fails = counts.now + FRESH, True

    assert await counts.find() == 1
    with pytest.raises(Exception, match="PORT-004"):
        await counts.find("apps")


async def test_oldest_count_is_forgotten() -> None:
    counts = Counts(SLOW_SECONDS)
    for key in ("one", "two", "three"):
        await counts.find(key)

    assert [counts.remembered.known(key) for key in ("one", "two", "three")] == [None, 2, 3]


async def test_first_count_goes_on_without_its_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    """A caller that gives up learns when to retry, and the next one gets the count."""
    counts, may_end = Counts(SLOW_SECONDS), asyncio.Event()

    async def waiting(_key: str) -> int:
        await may_end.wait()
        return 7

    monkeypatch.setattr(remembered, "WAIT_SECONDS", 0.0)
    counts.remembered._count = waiting
    with pytest.raises(ServiceError) as refused:
        await counts.find()
    may_end.set()
    for _ in range(5):
        await asyncio.sleep(0)

    assert (refused.value.id, refused.value.retry_after) == ("PORT-004", 1)
    assert counts.remembered.known("users") == 7
