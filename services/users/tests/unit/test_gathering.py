from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest
from portico_users.storage.gathering import AT_ONCE, Gathering


class Store:
    def __init__(self, **values: str) -> None:
        self.values = values
        self.reads: list[list[str]] = []
        self.ends: list[asyncio.Future[None]] = []

    async def read(self, keys: Sequence[str]) -> Mapping[str, str]:
        self.reads.append(list(keys))
        found = {key: self.values[key] for key in keys if key in self.values}
        end = asyncio.get_running_loop().create_future()
        self.ends.append(end)
        await end
        return found

    async def finish(self, error: Exception | None = None) -> None:
        await turns()
        if error:
            self.ends[-1].set_exception(error)
        else:
            self.ends[-1].set_result(None)
        await turns()


async def turns() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_waiting_callers_share_one_read() -> None:
    """Callers that arrive during a read share the next one, each key requested once."""
    store = Store(a="1", b="2")
    reads = Gathering(store.read)
    first = asyncio.create_task(reads.find("a"))
    await turns()
    later = [asyncio.create_task(reads.find(key)) for key in ("a", "b", "c", "b")]
    await store.finish()
    await store.finish()

    assert await asyncio.gather(first, *later) == ["1", "1", "2", None, "2"]
    assert store.reads == [["a"], ["a", "b", "c"]]


async def test_caller_sees_earlier_commits() -> None:
    """A read that started before the request never answers it: a revoked permission has no effect (MG-06)."""
    store = Store(a="owner")
    reads = Gathering(store.read)
    before = asyncio.create_task(reads.find("a"))
    await turns()
    store.values["a"] = "nothing"
    after = asyncio.create_task(reads.find("a"))
    await store.finish()
    await store.finish()

    assert (await before, await after) == ("owner", "nothing")


async def test_results_are_not_cached() -> None:
    """A value is read again for the next caller, however soon it arrives."""
    store = Store(a="1")
    reads = Gathering(store.read)
    for _ in range(2):
        asked = asyncio.create_task(reads.find("a"))
        await store.finish()
        await asked

    assert store.reads == [["a"], ["a"]]


async def test_failed_read_fails_only_for_its_callers() -> None:
    """The error of one read reaches all of its callers; callers of the next read get their result."""
    store = Store(a="1")
    reads = Gathering(store.read)
    failing = [asyncio.create_task(reads.find("a")) for _ in range(2)]
    await turns()
    next_one = asyncio.create_task(reads.find("a"))
    await store.finish(ConnectionError("gone"))
    await store.finish()

    for one in failing:
        with pytest.raises(ConnectionError):
            await one
    assert await next_one == "1"


async def test_cancelled_caller_does_not_affect_others() -> None:
    """Cancelling one of two callers of a key leaves the other its result."""
    store = Store(a="1")
    reads = Gathering(store.read)
    given_up, patient = (asyncio.create_task(reads.find("a")) for _ in range(2))
    await turns()
    given_up.cancel()
    await store.finish()

    assert await patient == "1"
    assert given_up.cancelled()


async def test_queues_are_independent() -> None:
    """A read in another queue starts at once, while a slow one is in progress."""
    store = Store(a="1", b="2")
    reads = Gathering(store.read, lane_of=lambda key: key)
    slow, quick = asyncio.create_task(reads.find("a")), asyncio.create_task(reads.find("b"))
    await store.finish()

    assert (quick.done(), slow.done()) == (True, False)
    store.ends[0].set_result(None)
    assert (await slow, await quick) == ("1", "2")


async def test_one_read_is_limited_in_size() -> None:
    """Keys beyond the limit wait for the next read."""
    store = Store()
    reads = Gathering(store.read)
    asked = [asyncio.create_task(reads.find(str(number))) for number in range(AT_ONCE + 1)]
    await store.finish()
    await store.finish()
    await asyncio.gather(*asked)

    assert [len(keys) for keys in store.reads] == [100, 1]


async def test_callers_stay_batched_after_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Callers that were answered together and request again share the next read, including the first of them."""
    rested, turn = asyncio.Event(), asyncio.sleep

    async def sleep(seconds: float) -> None:
        await (rested.wait() if seconds else turn(0))

    monkeypatch.setattr(asyncio, "sleep", sleep)
    store = Store(a="1", b="2")
    reads = Gathering(store.read, rest=0.3)
    both = [asyncio.create_task(reads.find(key)) for key in ("a", "b")]
    await store.finish()
    await asyncio.gather(*both)
    first = asyncio.create_task(reads.find("a"))
    await turns()
    second = asyncio.create_task(reads.find("b"))
    await turns()
    meanwhile = list(store.reads)
    rested.set()
    await store.finish()

    assert meanwhile == [["a", "b"]]
    assert (await first, await second) == ("1", "2")
    assert store.reads == [["a", "b"], ["a", "b"]]
