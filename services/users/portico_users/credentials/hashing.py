"""argon2id in a bounded pool: hashing never blocks the event loop, and a flood is refused early (RX-08)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from portico_oauth.errors import Fact, Kind
from portico_oauth.opaque import RandomBytes, b64url
from portico_runtime.settings import HashingSection
from prometheus_client import Counter, Histogram

from portico_users.credentials import imported_hashes

OVERLOADED = Fact(
    "USER-034",
    Kind.UNAVAILABLE,
    "Too many passwords are being checked just now.",
    "Try again after the seconds in Retry-After.",
)

HASH_SECONDS = Histogram(
    "portico_password_hash_seconds", "Time of one password hash.", buckets=(0.01, 0.02, 0.05, 0.1, 0.5)
)
REFUSED = Counter("portico_password_hash_refused_total", "Hashes refused because the pool was full.")

Result = TypeVar("Result")

_OURS: Final = "$argon2id$"


def workers_of(settings: HashingSection) -> int:
    """How many hashes are computed at a time: never more than the process has cores.

    Two that take turns on one core push each other's 19 MiB out of its caches, and each costs a sixth more.
    """
    return min(settings.hashing_workers, len(os.sched_getaffinity(0)))


class Argon2:
    """Hashes and verifies in threads: argon2 works without the interpreter's lock, so they use the cores."""

    def __init__(self, settings: HashingSection, random: RandomBytes) -> None:
        self._hasher = PasswordHasher(
            time_cost=settings.argon2_passes, memory_cost=settings.argon2_memory_kib, parallelism=1
        )
        self._random = random
        self._executor = ThreadPoolExecutor(workers_of(settings), thread_name_prefix="argon2")
        self._nobody = ""

    async def start(self) -> None:
        """Makes the hash that passwords of unknown names are compared with, at the same cost (LG-01)."""
        self._nobody = await self.hash(b64url(self._random(32)))

    def close(self) -> None:
        """Ends the threads; what waits is dropped."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    async def hash(self, password: str) -> str:
        """Hashes a password with the parameters in force."""
        return await self._run(lambda: self._hasher.hash(password))

    async def verify(self, hash: str, password: str) -> bool:
        """Compares a password with a hash; with an empty hash it takes as long and says no."""
        return await self._run(lambda: self._matches(hash or self._nobody, password)) and hash != ""

    def needs_rehash(self, hash: str) -> bool:
        """The hash was made with other parameters than those in force, or in another way altogether."""
        return not hash.startswith(_OURS) or self._hasher.check_needs_rehash(hash)

    def _matches(self, hash: str, password: str) -> bool:
        if not hash.startswith(_OURS):
            return imported_hashes.matches(hash, password)
        try:
            return self._hasher.verify(hash, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: Callable[[], Result]) -> Result:
        def timed() -> Result:
            with HASH_SECONDS.time():
                return work()

        return await asyncio.get_running_loop().run_in_executor(self._executor, timed)


class HashingPool:
    """Lets a bounded number of callers at the hashing; the others are refused at once."""

    def __init__(self, settings: HashingSection, random: RandomBytes) -> None:
        self._argon2 = Argon2(settings, random)
        self._places = workers_of(settings) + settings.hashing_queue

    async def start(self) -> None:
        """Makes ready to hash."""
        await self._argon2.start()

    async def close(self) -> None:
        """Ends the threads."""
        self._argon2.close()

    @asynccontextmanager
    async def place(self) -> AsyncIterator[Argon2]:
        """A worker or a place in the queue. Take it before counting an attempt: a full pool costs nobody a try.

        Raises:
            Refusal: USER-034 when all are taken.
        """
        if self._places == 0:
            REFUSED.inc()
            raise OVERLOADED.refusal(retry_after=1)
        self._places -= 1
        try:
            yield self._argon2
        finally:
            self._places += 1
