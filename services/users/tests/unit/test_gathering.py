"""What is done together for several callers, and what no caller may notice of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest
from portico_harness.eventually import eventually
from portico_users.kernel.gathering import AT_ONCE, Gathering


class Store:
    """A store whose reads end when the test ends them; each answers what is stored when it ends."""

    def __init__(self, **values: str) -> None:
        self.values = values
        self.reads: list[list[str]] = []
        self.ends: list[asyncio.Future[None]] = []

    async def read(self, keys: Sequence[str]) -> Mapping[str, str]:
        """One read: what is stored when it begins."""
        self.reads.append(list(keys))
        found = {key: self.values[key] for key in keys if key in self.values}
        end = asyncio.get_running_loop().create_future()
        self.ends.append(end)
        await end
        return found

    async def count(self) -> int:
        """How many reads were begun."""
        return len(self.reads)

    async def finish(self, error: Exception | None = None) -> None:
        """Ends the read that was begun last, and lets all go on that waited for it."""
        await turns()
        if error:
            self.ends[-1].set_exception(error)
        else:
            self.ends[-1].set_result(None)
        await turns()


async def turns() -> None:
    """Lets every task take its turns until all of them wait."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_callers_that_wait_are_answered_by_one_read() -> None:
    """Callers that arrive while a read is under way share the next one, each key asked once."""
    store = Store(a="1", b="2")
    reads = Gathering(store.read)
    first = asyncio.create_task(reads.find("a"))
    await turns()
    later = [asyncio.create_task(reads.find(key)) for key in ("a", "b", "c", "b")]
    await store.finish()
    await store.finish()

    assert await asyncio.gather(first, *later) == ["1", "1", "2", None, "2"]
    assert store.reads == [["a"], ["a", "b", "c"]]


async def test_a_caller_sees_what_was_committed_before_it_asked() -> None:
    """A read that began before the caller asked never answers it: a permission that was taken away has no effect (MG-06)."""
    store = Store(a="owner")
    reads = Gathering(store.read)
    before = asyncio.create_task(reads.find("a"))
    await turns()
    store.values["a"] = "nothing"
    after = asyncio.create_task(reads.find("a"))
    await store.finish()
    await store.finish()

    assert (await before, await after) == ("owner", "nothing")


async def test_nothing_is_remembered_once_all_callers_have_their_answer() -> None:
    """A value is read again for the next caller, however short the time between them is."""
    store = Store(a="1")
    reads = Gathering(store.read)
    for _ in range(2):
        asked = asyncio.create_task(reads.find("a"))
        await store.finish()
        await asked

    assert store.reads == [["a"], ["a"]]


async def test_a_failed_read_fails_for_those_it_would_have_answered() -> None:
    """The error of one read reaches all of its callers, and the callers of the next read get their answer."""
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


async def test_a_caller_that_gives_up_takes_the_answer_from_no_other() -> None:
    """Cancelling one of two callers of a key leaves the other one its answer."""
    store = Store(a="1")
    reads = Gathering(store.read)
    given_up, patient = (asyncio.create_task(reads.find("a")) for _ in range(2))
    await turns()
    given_up.cancel()
    await store.finish()

    assert await patient == "1"
    assert given_up.cancelled()


async def test_lanes_do_not_wait_for_each_other() -> None:
    """A read of another lane begins at once, while one that takes long is still under way."""
    store = Store(a="1", b="2")
    reads = Gathering(store.read, lane_of=lambda key: key)
    slow, quick = asyncio.create_task(reads.find("a")), asyncio.create_task(reads.find("b"))
    await store.finish()

    assert (quick.done(), slow.done()) == (True, False)
    store.ends[0].set_result(None)
    assert (await slow, await quick) == ("1", "2")


async def test_one_read_asks_for_no_more_than_the_limit() -> None:
    """Keys beyond the limit wait for the next read, so that no question grows without bound."""
    store = Store()
    reads = Gathering(store.read)
    asked = [asyncio.create_task(reads.find(str(number))) for number in range(AT_ONCE + 1)]
    await store.finish()
    await store.finish()
    await asyncio.gather(*asked)

    assert [len(keys) for keys in store.reads] == [100, 1]


async def test_after_a_turn_of_several_the_next_callers_come_together() -> None:
    """Callers that were answered together and ask again share the next turn, also the first of them."""
    store = Store(a="1", b="2")
    reads = Gathering(store.read, rest=0.3)
    both = [asyncio.create_task(reads.find(key)) for key in ("a", "b")]
    await store.finish()
    await asyncio.gather(*both)
    first = asyncio.create_task(reads.find("a"))
    await turns()
    second = asyncio.create_task(reads.find("b"))
    await eventually(store.count, lambda begun: begun == 2)
    await store.finish()

    assert (await first, await second) == ("1", "2")
    assert store.reads == [["a", "b"], ["a", "b"]]
