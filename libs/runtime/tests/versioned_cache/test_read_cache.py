from __future__ import annotations

import asyncio

import pytest
from portico_fakes.clock import FrozenClock
from portico_runtime.versioned_cache.read_cache import MAX_ENTRIES, ReadCache


class Source:
    def __init__(self) -> None:
        self.asked: list[str] = []
        self.broken = False
        self.answers = asyncio.Event()
        self.answers.set()

    async def load(self, key: str) -> int:
        """Returns the number of calls so far, once `answers` is set."""
        self.asked.append(key)
        number = len(self.asked)
        await self.answers.wait()
        if self.broken:
            raise ConnectionError
        return number


async def all_started() -> None:
    """Lets every task run until it blocks."""
    for _ in range(3):
        await asyncio.sleep(0)


async def test_answer_is_cached_for_less_than_a_second(clock: FrozenClock) -> None:
    """A cached answer is never older than a second (TK-11)."""
    source = Source()
    cache = ReadCache(clock, source.load)
    first = await cache.get("a")
    clock.tick(0.99)
    second = await cache.get("a")
    clock.tick(0.01)

    assert (first, second) == (1, 1)
    assert await cache.get("a") == 2


async def test_included_answer_is_as_old_as_its_request(clock: FrozenClock) -> None:
    """An answer that came with another one is cached for less than a second from its request (TK-11)."""
    source = Source()
    cache = ReadCache(clock, source.load)
    asked = clock.now()
    clock.tick(0.5)
    cache.remember("a", 70, asked=asked)
    clock.tick(0.49)
    young = await cache.get("a")
    clock.tick(0.01)

    assert (young, await cache.get("a")) == (70, 1)


@pytest.mark.parametrize("everything", [True, False])
async def test_answer_from_before_an_event_is_not_cached(clock: FrozenClock, everything: bool) -> None:
    """An answer requested before a change event may be stale; one requested after it is cached."""
    cache = ReadCache(clock, Source().load)
    asked = clock.now()
    clock.tick(0.1)
    if everything:
        cache.drop_all()
    else:
        cache.drop("a")
    cache.remember("a", 70, asked=asked)
    at_once = await cache.get("a")
    clock.tick(0.1)
    cache.remember("a", 71, asked=clock.now())

    assert (at_once, await cache.get("a")) == (1, 71)


async def test_event_drops_one_answer(clock: FrozenClock) -> None:
    source = Source()
    cache = ReadCache(clock, source.load)
    await cache.get("a")
    await cache.get("b")
    cache.drop("a")
    cache.drop("never asked")

    assert await cache.get("b") == 2
    assert await cache.get("a") == 3


async def test_dropping_all_clears_the_cache(clock: FrozenClock) -> None:
    source = Source()
    cache = ReadCache(clock, source.load)
    await cache.get("a")
    cache.drop_all()

    assert await cache.get("a") == 2


async def test_failure_is_not_cached(clock: FrozenClock) -> None:
    """The next caller requests again and never gets an old answer (P2)."""
    source = Source()
    cache = ReadCache(clock, source.load)
    source.broken = True
    with pytest.raises(ConnectionError):
        await cache.get("a")
    source.broken = False

    assert await cache.get("a") == 2


async def test_clock_jumping_back_prolongs_nothing(clock: FrozenClock) -> None:
    """After a backward jump of the clock the answer is requested again (FD-14)."""
    source = Source()
    cache = ReadCache(clock, source.load)
    await cache.get("a")
    clock.tick(-3_600)

    assert await cache.get("a") == 2


async def test_cache_is_bounded(clock: FrozenClock) -> None:
    """Keys chosen by callers cannot exhaust the memory (FD-27)."""
    source = Source()
    cache = ReadCache(clock, source.load)
    for number in range(MAX_ENTRIES + 10):
        await cache.get(str(number))

    assert len(cache._entries) <= MAX_ENTRIES


async def test_concurrent_callers_share_the_request(clock: FrozenClock) -> None:
    """Concurrent callers cause one request when an entry expires (RX-08)."""
    source = Source()
    cache = ReadCache(clock, source.load)
    source.answers.clear()
    crowd = asyncio.gather(*(cache.get("a") for _ in range(20)), cache.get("b"))
    await all_started()
    source.answers.set()

    assert await crowd == [1] * 20 + [2]
    assert source.asked == ["a", "b"]


async def test_shared_failure_is_raised_to_all_and_not_cached(clock: FrozenClock) -> None:
    """No caller gets an old answer instead, and the next one requests again (P2)."""
    source = Source()
    cache = ReadCache(clock, source.load)
    source.broken = True
    source.answers.clear()
    crowd = asyncio.gather(cache.get("a"), cache.get("a"), return_exceptions=True)
    await all_started()
    source.answers.set()

    assert [type(problem) for problem in await crowd] == [ConnectionError, ConnectionError]
    source.broken = False
    assert await cache.get("a") == 2


@pytest.mark.parametrize("all_of_them", [False, True])
async def test_answer_in_flight_is_dropped_by_an_event(clock: FrozenClock, all_of_them: bool) -> None:
    """An answer requested before the event is not used for callers after it (TK-11)."""
    source = Source()
    cache = ReadCache(clock, source.load)
    source.answers.clear()
    before = asyncio.create_task(cache.get("a"))
    await all_started()
    if all_of_them:
        cache.drop_all()
    else:
        cache.drop("a")
    after = asyncio.create_task(cache.get("a"))
    await all_started()
    source.answers.set()

    assert (await before, await after) == (1, 2)
    assert await cache.get("a") == 2


async def test_cancelled_caller_does_not_fail_the_others(clock: FrozenClock) -> None:
    source = Source()
    cache = ReadCache(clock, source.load)
    source.answers.clear()
    impatient, patient = asyncio.create_task(cache.get("a")), asyncio.create_task(cache.get("a"))
    await all_started()
    impatient.cancel()
    await asyncio.gather(impatient, return_exceptions=True)
    source.answers.set()

    assert await patient == 1


async def test_slow_request_is_not_shared(clock: FrozenClock) -> None:
    """An answer may be a second old, counted from its request, however slowly it arrives (TK-11)."""
    source = Source()
    cache = ReadCache(clock, source.load)
    source.answers.clear()
    slow = asyncio.create_task(cache.get("a"))
    await all_started()
    clock.tick(1.0)
    fresh = asyncio.create_task(cache.get("a"))
    await all_started()
    source.answers.set()

    assert (await slow, await fresh) == (1, 2)
    assert await cache.get("a") == 2
