from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest
from portico_contracts.http import GATEWAY_SECONDS
from portico_contracts.login import LOGIN_PASSWORD_SECONDS
from portico_contracts.login_sessions import CHECK_LOGIN
from portico_contracts.users import BOOKED_WAIT_SECONDS, CHANGE_PASSWORD, HASH_WAIT_SECONDS, VERIFY_PASSWORD
from portico_fakes.clock import FrozenClock
from portico_harness.eventually import eventually
from portico_oauth.errors import ServiceError
from portico_runtime.settings.sections.hashing import HashingSection
from portico_users.credentials.passwords.hash_queue import HORIZON, RESERVE
from portico_users.credentials.passwords.hashing import HashingPool

COSTLY = "$2b$14$" + "." * 53
CHEAP = ""


class HeldHasher:
    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.began = threading.Semaphore(0)

    def hash(self, password: str) -> str:
        return f"hash of {password}"

    def matches(self, hash: str, password: str) -> bool:
        if hash == COSTLY:
            self.began.release()
            self.let_go.wait()
        return password == "right"

    def needs_rehash(self, hash: str) -> bool:
        return hash == COSTLY


class Hashing:
    def __init__(self, workers: int = 4) -> None:
        self.hasher = HeldHasher()
        self.clock = FrozenClock(1_000.0)
        settings = HashingSection(hashing_workers=workers, hashing_queue=32)
        self.pool = HashingPool(settings, secrets.token_bytes, hasher=self.hasher, now=self.clock.now)
        self.pool.costs.learner(COSTLY)(1.0)  # one second each, whatever this machine takes

    async def verify(self, hash: str, caller: str = "") -> bool:
        async with self.pool.place(hash, caller) as place:
            return await place.verify(hash, "right")

    async def error(self, caller: str) -> ServiceError:
        with pytest.raises(ServiceError) as refused:
            await self.verify(COSTLY, caller)
        return refused.value


@pytest.fixture
async def hashing() -> AsyncIterator[Hashing]:
    hashing = Hashing()
    yield hashing
    hashing.hasher.let_go.set()
    await hashing.pool.close()


@pytest.fixture
async def full(hashing: Hashing) -> AsyncIterator[list[asyncio.Task[bool]]]:
    tasks = [asyncio.create_task(hashing.verify(COSTLY, f"first-{number}")) for number in range(_most(hashing))]
    await asyncio.to_thread(hashing.hasher.began.acquire)
    yield tasks
    hashing.hasher.let_go.set()
    await asyncio.gather(*tasks, return_exceptions=True)


def _most(hashing: Hashing) -> int:
    return 10 * hashing.pool.costly.workers + 1


def _numbers(callers: int) -> Iterator[str]:
    return (f"caller-{number}" for number in range(callers))


def test_password_deadlines_are_nested() -> None:
    """The wait and the hash in users fit into users' timeout, that into authz's, and that into the gateway's."""
    assert (HASH_WAIT_SECONDS, BOOKED_WAIT_SECONDS) == (10, 12)
    assert (VERIFY_PASSWORD.seconds, CHANGE_PASSWORD.seconds) == (24, 24)
    assert (LOGIN_PASSWORD_SECONDS, CHECK_LOGIN.seconds, GATEWAY_SECONDS) == (27, 27, 30)


async def test_waits_below_ten_seconds_are_admitted() -> None:
    """Sixteen concurrent hashes of 0.6 s on one core are all admitted; beyond 10 s none is (RX-08)."""
    hashing = Hashing(workers=1)
    hashing.pool.costs.learner(hashing.pool.own_kind)(0.6)
    async with AsyncExitStack() as places:
        for caller in _numbers(17):
            await places.enter_async_context(hashing.pool.place(CHEAP, caller))
        with pytest.raises(ServiceError) as refused:
            await hashing.verify(CHEAP, "one more")
    await hashing.pool.close()

    assert (refused.value.id, refused.value.retry_after) == ("USER-034", 11)


def test_costly_hashes_use_half_of_the_workers(hashing: Hashing) -> None:
    """At most half, and at least one, are used whatever the machine has."""
    assert hashing.pool.costly.workers == max(1, hashing.pool.own.workers // 2)


async def test_long_wait_is_refused_before_hashing(hashing: Hashing, full: list[asyncio.Task[bool]]) -> None:
    """The estimated wait decides, not the queue length: USER-034 with the time to return (RX-08)."""
    refused = await hashing.error("one more")

    assert len(full) < 32
    assert (refused.id, refused.retry_after) == ("USER-034", 12)


@pytest.mark.usefixtures("full")
async def test_own_hashes_do_not_wait_for_costly_ones(hashing: Hashing) -> None:
    """With the costly queue full and stuck, all argon2id hashes of our own are compared at once (RX-08)."""
    answers = await asyncio.gather(*(hashing.verify(CHEAP, caller) for caller in _numbers(20)))

    # An empty hash belongs to no user, so the result is false; only its existence matters.
    assert answers == [False] * 20


async def test_caller_returning_after_retry_after_is_admitted(hashing: Hashing, full: list[asyncio.Task[bool]]) -> None:
    """Every refused caller has a booked time, and is admitted then before all newer callers (RX-08)."""
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
async def test_early_return_keeps_the_booking(hashing: Hashing) -> None:
    """Retrying early neither shortens the wait nor moves it (RX-08)."""
    first = (await hashing.error("eager")).retry_after or 0
    hashing.clock.tick(1)
    again = (await hashing.error("eager")).retry_after

    assert again == first - 1


@pytest.mark.usefixtures("full")
async def test_bookings_are_limited_by_the_horizon(hashing: Hashing) -> None:
    """A thousand refused callers get a time, and none far beyond the booking horizon (RX-08)."""
    told = [(await hashing.error(caller)).retry_after or 0 for caller in _numbers(1_000)]

    assert max(told) <= RESERVE * HORIZON


async def test_unclaimed_bookings_expire(hashing: Hashing, full: list[asyncio.Task[bool]]) -> None:
    """After a flood that does not return the queue is as free as before (RX-08)."""
    for caller in _numbers(1_000):
        await hashing.error(caller)
    hashing.hasher.let_go.set()
    await asyncio.gather(*full)
    hashing.clock.tick(HORIZON + 60)

    assert await hashing.verify(COSTLY, "somebody else")


async def test_place_is_held_until_its_thread_ends(hashing: Hashing, full: list[asyncio.Task[bool]]) -> None:
    """Cancelled callers free no thread, so no further caller is admitted in addition to running hashes (RX-08)."""
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


async def test_upgraded_hash_uses_the_own_queue(hashing: Hashing) -> None:
    """The replacement of an imported hash is one of ours: it takes no second turn in the costly queue."""
    hashing.hasher.let_go.set()
    async with hashing.pool.place(COSTLY) as place:
        await place.verify(COSTLY, "right")
        made = await place.hash("right")

    async def wait() -> float:
        return hashing.pool.own.wait()

    assert made == "hash of right"
    assert await eventually(wait, lambda seconds: seconds == 0.0) == 0.0  # its thread may end after its result


async def test_estimates_are_learned(hashing: Hashing) -> None:
    """Twice the cost is estimated as twice the measured time; each algorithm is estimated separately."""
    other = hashing.pool.costs.seconds("$1$........$" + "." * 22)
    hashing.pool.costs.learner("$2b$13$" + "." * 53)(5.0)

    assert hashing.pool.costs.seconds(COSTLY) > 2.0
    assert hashing.pool.costs.seconds("$1$........$" + "." * 22) == other
