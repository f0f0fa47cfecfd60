"""The read cache."""

from __future__ import annotations

import pytest
from portico_runtime.read_cache import MAX_ENTRIES, ReadCache
from portico_testing.clock import FrozenClock


class Source:
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.broken = False

    async def load(self, key: str) -> int:
        """How often it was asked so far."""
        self.asked.append(key)
        if self.broken:
            raise ConnectionError
        return len(self.asked)


async def test_an_answer_is_remembered_for_less_than_a_second(clock: FrozenClock) -> None:
    """A cached answer is never older than a second (TK-11)."""
    source = Source()
    cache = ReadCache(clock, source.load)
    first = await cache.get("a")
    clock.tick(0.99)
    second = await cache.get("a")
    clock.tick(0.01)

    assert (first, second) == (1, 1)
    assert await cache.get("a") == 2


async def test_an_event_drops_one_answer(clock: FrozenClock) -> None:
    """Dropping is at once, and leaves the others alone."""
    source = Source()
    cache = ReadCache(clock, source.load)
    await cache.get("a")
    await cache.get("b")
    cache.drop("a")
    cache.drop("never asked")

    assert await cache.get("b") == 2
    assert await cache.get("a") == 3


async def test_dropping_all_forgets_everything(clock: FrozenClock) -> None:
    """For events that concern many keys."""
    source = Source()
    cache = ReadCache(clock, source.load)
    await cache.get("a")
    cache.drop_all()

    assert await cache.get("a") == 2


async def test_a_failure_is_not_remembered(clock: FrozenClock) -> None:
    """The next question is asked again, and an old answer does not come back (P2)."""
    source = Source()
    cache = ReadCache(clock, source.load)
    source.broken = True
    with pytest.raises(ConnectionError):
        await cache.get("a")
    source.broken = False

    assert await cache.get("a") == 2


async def test_a_clock_that_jumps_back_makes_nothing_older(clock: FrozenClock) -> None:
    """After a jump of the clock the answer is asked for again (FD-14)."""
    source = Source()
    cache = ReadCache(clock, source.load)
    await cache.get("a")
    clock.tick(-3_600)

    assert await cache.get("a") == 2


async def test_the_cache_is_bounded(clock: FrozenClock) -> None:
    """Keys chosen by callers cannot fill the memory (FD-27)."""
    source = Source()
    cache = ReadCache(clock, source.load)
    for number in range(MAX_ENTRIES + 10):
        await cache.get(str(number))

    assert len(cache._entries) <= MAX_ENTRIES
