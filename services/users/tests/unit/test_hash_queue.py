"""Which hashes a queue admits, and for how long a place is taken."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest
from portico_contracts.http import GATEWAY_SECONDS
from portico_contracts.login import LOGIN_PASSWORD_SECONDS
from portico_contracts.users import BOOKED_WAIT_SECONDS, CHANGE_PASSWORD, HASH_WAIT_SECONDS, VERIFY_PASSWORD
from portico_fakes.clock import FrozenClock
from portico_oauth.errors import ServiceError
from portico_runtime.settings import HashingSection
from portico_users.credentials.passwords.hash_queue import HORIZON, RESERVE
from portico_users.credentials.passwords.hashing import HashingPool

COSTLY = "$2b$14$" + "." * 53
CHEAP = ""


class HeldHasher:
    """Computes nothing: a hash ends when the test lets it."""

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.began = threading.Semaphore(0)

    def hash(self, password: str) -> str:
        """A hash that takes no time."""
        return f"hash of {password}"

    def matches(self, hash: str, password: str) -> bool:
        """Costly hashes wait until they are let go; the others take no time."""
        if hash == COSTLY:
            self.began.release()
            self.let_go.wait()
        return password == "right"

    def needs_rehash(self, hash: str) -> bool:
        """The costly ones do."""
        return hash == COSTLY


class Hashing:
    """A pool whose clock and hashes are the test's."""

    def __init__(self, workers: int = 4) -> None:
        self.hasher = HeldHasher()
        self.clock = FrozenClock(1_000.0)
        settings = HashingSection(hashing_workers=workers, hashing_queue=32)
        self.pool = HashingPool(settings, secrets.token_bytes, hasher=self.hasher, now=self.clock.now)
        self.pool.costs.learner(COSTLY)(1.0)  # one second each, whatever this machine takes

    async def verify(self, hash: str, caller: str = "") -> bool:
        """One comparison with a place of its own."""
        async with self.pool.place(hash, caller) as place:
            return await place.verify(hash, "right")

    async def error(self, caller: str) -> ServiceError:
        """What a costly caller is refused with."""
        with pytest.raises(ServiceError) as refused:
            await self.verify(COSTLY, caller)
        return refused.value


@pytest.fixture
async def hashing() -> AsyncIterator[Hashing]:
    """A pool that hashes nothing by itself."""
    hashing = Hashing()
    yield hashing
    hashing.hasher.let_go.set()
    await hashing.pool.close()


@pytest.fixture
async def full(hashing: Hashing) -> AsyncIterator[list[asyncio.Task[bool]]]:
    """As many costly hashes as are admitted at once."""
    tasks = [asyncio.create_task(hashing.verify(COSTLY, f"first-{number}")) for number in range(_most(hashing))]
    await asyncio.to_thread(hashing.hasher.began.acquire)
    yield tasks
    hashing.hasher.let_go.set()
    await asyncio.gather(*tasks, return_exceptions=True)


def _most(hashing: Hashing) -> int:
    """Ten seconds of work for each thread, of one second each, and one more."""
    return 10 * hashing.pool.costly.workers + 1


def _numbers(callers: int) -> Iterator[str]:
    return (f"caller-{number}" for number in range(callers))


def test_deadlines_of_a_password_hold_one_another() -> None:
    """Users waits and hashes within its question, that within authz's answer to the pages, and that within the gateway's."""
    assert (HASH_WAIT_SECONDS, BOOKED_WAIT_SECONDS) == (10, 12)
    assert (VERIFY_PASSWORD.seconds, CHANGE_PASSWORD.seconds) == (24, 24)
    assert (LOGIN_PASSWORD_SECONDS, GATEWAY_SECONDS) == (27, 30)


async def test_callers_that_wait_less_than_ten_seconds_are_admitted() -> None:
    """Sixteen at once on one core whose hashes take 0.6 s all get a place; beyond 10 s none is given (RX-08)."""
    hashing = Hashing(workers=1)
    hashing.pool.costs.learner(hashing.pool.own_kind)(0.6)
    async with AsyncExitStack() as places:
        for caller in _numbers(17):
            await places.enter_async_context(hashing.pool.place(CHEAP, caller))
        with pytest.raises(ServiceError) as refused:
            await hashing.verify(CHEAP, "one more")
    await hashing.pool.close()

    assert (refused.value.id, refused.value.retry_after) == ("USER-034", 11)


def test_costly_hashes_have_half_of_the_workers(hashing: Hashing) -> None:
    """At most half, and at least one, whatever the machine has."""
    assert hashing.pool.costly.workers == max(1, hashing.pool.own.workers // 2)


async def test_a_long_wait_is_refused_before_the_hash_begins(hashing: Hashing, full: list[asyncio.Task[bool]]) -> None:
    """The estimated wait decides, not the number of places: USER-034 with the time to return (RX-08)."""
    refused = await hashing.error("one more")

    assert len(full) < 32
    assert (refused.id, refused.retry_after) == ("USER-034", 12)


@pytest.mark.usefixtures("full")
async def test_our_own_hashes_wait_for_no_costly_one(hashing: Hashing) -> None:
    """With the costly queue full and stuck, all of our own are compared at once (RX-08)."""
    answers = await asyncio.gather(*(hashing.verify(CHEAP, caller) for caller in _numbers(20)))

    # An empty hash belongs to no user, so that the result is false; that there is one matters.
    assert answers == [False] * 20


async def test_a_caller_that_returns_after_retry_after_is_admitted(
    hashing: Hashing, full: list[asyncio.Task[bool]]
) -> None:
    """Every refused caller has a time of its own, and is admitted then before all newer callers (RX-08)."""
    told = {caller: (await hashing.error(caller)).retry_after or 0 for caller in _numbers(10)}
    hashing.hasher.let_go.set()
    await asyncio.gather(*full)
    answers = []
    for caller, seconds in sorted(told.items(), key=lambda one: one[1]):
        hashing.clock.tick(max(0.0, 1_000.0 + seconds - hashing.clock.now()))
        answers.append(await hashing.verify(COSTLY, caller))

    assert answers == [True] * 10
    assert max(told.values()) > min(told.values())


@pytest.mark.usefixtures("full")
async def test_who_returns_early_keeps_the_time(hashing: Hashing) -> None:
    """Trying again and again neither shortens the wait nor moves it (RX-08)."""
    first = (await hashing.error("eager")).retry_after or 0
    hashing.clock.tick(1)
    again = (await hashing.error("eager")).retry_after

    assert again == first - 1


@pytest.mark.usefixtures("full")
async def test_a_flood_books_no_further_than_the_horizon(hashing: Hashing) -> None:
    """A thousand refused callers get a time, and none gets one far beyond what can be booked (RX-08)."""
    told = [(await hashing.error(caller)).retry_after or 0 for caller in _numbers(1_000)]

    assert max(told) <= RESERVE * HORIZON


async def test_bookings_that_are_not_claimed_expire(hashing: Hashing, full: list[asyncio.Task[bool]]) -> None:
    """After a flood that does not return the queue is as free as before (RX-08)."""
    for caller in _numbers(1_000):
        await hashing.error(caller)
    hashing.hasher.let_go.set()
    await asyncio.gather(*full)
    hashing.clock.tick(HORIZON + 60)

    assert await hashing.verify(COSTLY, "somebody else")


async def test_a_place_is_held_until_its_thread_ends(hashing: Hashing, full: list[asyncio.Task[bool]]) -> None:
    """Callers that stop waiting free no thread, so that none is admitted on top of those that still compute (RX-08)."""
    for task in full:
        task.cancel()
    await asyncio.gather(*full, return_exceptions=True)
    running = hashing.pool.costly.workers
    held = hashing.pool.costly.wait() * running
    hashing.hasher.let_go.set()
    hashing.clock.tick(60)
    admitted = await hashing.verify(COSTLY, "later")

    assert held == running * 1.0
    assert admitted
    assert hashing.pool.costly.wait() == 0.0


async def test_the_stronger_hash_is_made_in_the_own_queue(hashing: Hashing) -> None:
    """What replaces an imported hash is one of ours: it takes no second turn in the costly queue."""
    hashing.hasher.let_go.set()
    async with hashing.pool.place(COSTLY) as place:
        await place.verify(COSTLY, "right")
        made = await place.hash("right")

    assert made == "hash of right"
    assert hashing.pool.own.wait() == 0.0


async def test_estimates_learn_from_what_hashes_take(hashing: Hashing) -> None:
    """Twice the cost is twice the time, by what was seen here; another method is estimated by itself."""
    other = hashing.pool.costs.seconds("$1$........$" + "." * 22)
    hashing.pool.costs.learner("$2b$13$" + "." * 53)(5.0)

    assert hashing.pool.costs.seconds(COSTLY) > 2.0
    assert hashing.pool.costs.seconds("$1$........$" + "." * 22) == other
