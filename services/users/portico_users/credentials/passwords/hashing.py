"""Hashes passwords in two bounded queues, off the event loop; overload is refused early (RX-08).

Imported hashes have a queue with at most half as many threads, so that slow ones never delay native ones.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Final, Protocol

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from nacl.exceptions import InvalidkeyError
from nacl.pwhash import argon2id
from portico_oauth.opaque import RandomBytes, b64url
from portico_runtime.settings.sections.hashing import HashingSection

from portico_users.credentials.passwords import imported_hashes
from portico_users.credentials.passwords.hash_kinds import HashCosts, in_force, kind_of
from portico_users.credentials.passwords.hash_queue import HASH_SECONDS, OVERLOADED, REFUSED, HashQueue, Place
from portico_users.credentials.passwords.typed_forms import is_trimmed_by_program, typed_forms
from portico_users.values.names import opaque_string

__all__ = ["HASH_SECONDS", "OVERLOADED", "REFUSED", "Argon2", "HashingPlace", "HashingPool", "workers_of"]

_OURS: Final = "$argon2id$"
_FIRST_HASHES: Final = 3
"""Hashes computed at start, because the first one of a process is slower."""


def workers_of(settings: HashingSection) -> int:
    """At most the number of cores: two hashes on a core evict each other's 19 MiB, and each is a sixth slower."""
    return min(settings.hashing_workers, _cores())


def _cores() -> int:
    if affinity := getattr(os, "sched_getaffinity", None):  # macOS has none
        return len(affinity(0))
    return os.cpu_count() or 1


def own_kind(settings: HashingSection) -> str:
    return kind_of(
        f"$argon2id$v=19$m={settings.argon2_memory_kib},t={settings.argon2_passes},p=1${'A' * 22}${'A' * 43}"
    )


class Hasher(Protocol):
    """Computes hashes; called in a thread."""

    def hash(self, password: str) -> str: ...

    def matches(self, hash: str, password: str) -> bool: ...

    def needs_rehash(self, hash: str) -> bool:
        """Reports whether the hash has other parameters or another algorithm than the current ones."""
        ...


class Argon2:
    """Creates argon2id hashes and compares all supported formats, without the GIL.

    libsodium computes hashes with current parameters: it uses the widest vector instructions and frees memory
    after each hash (decision 0042). argon2-cffi compares argon2 hashes with other parameters.
    """

    def __init__(self, settings: HashingSection) -> None:
        self._passes, self._bytes = settings.argon2_passes, settings.argon2_memory_kib * 1024
        self._hasher = PasswordHasher(
            time_cost=settings.argon2_passes, memory_cost=settings.argon2_memory_kib, parallelism=1
        )
        self._is_in_force = in_force(own_kind(settings))

    def hash(self, password: str) -> str:
        return argon2id.str(password.encode(), opslimit=self._passes, memlimit=self._bytes).decode()

    def needs_rehash(self, hash: str) -> bool:
        return not hash.startswith(_OURS) or self._hasher.check_needs_rehash(hash)

    def matches(self, hash: str, password: str) -> bool:
        if self._is_in_force(hash):
            try:
                return argon2id.verify(hash.encode(), password.encode())
            except InvalidkeyError:
                return False
        if not hash.startswith(_OURS):
            return imported_hashes.matches(hash, password)
        try:
            return self._hasher.verify(hash, password)
        except (VerificationError, InvalidHashError):
            return False


class HashingPlace:
    def __init__(self, pool: HashingPool, place: Place, *, is_own: bool) -> None:
        self._pool = pool
        self._place = place
        self._is_own = is_own
        self._matched = ""

    async def verify(self, hash: str, password: str) -> bool:
        """Compares a password with a hash; an empty hash gives false after the time of a native one.

        Imported hashes and those of older releases may be of the password as typed, or as their program rewrote it:
        the forms that differ are compared too.
        """
        for text in typed_forms(hash, password):
            if await self._matches(hash or self._pool.own_kind, text):
                self._matched = text
                return hash != ""
        return False

    async def _matches(self, hash: str, text: str) -> bool:
        pool = self._pool
        return await self._place.run(lambda: pool.hasher.matches(hash, text), took=pool.costs.learner(hash))

    async def hash(self, password: str) -> str:
        """Uses the current parameters and the queue of native hashes."""
        pool, password = self._pool, opaque_string(password)
        place = self._place if self._is_own else pool.own.force(pool.costs.seconds(pool.own_kind))
        try:
            return await place.run(lambda: pool.hasher.hash(password), took=pool.costs.learner(pool.own_kind))
        finally:
            if not self._is_own:
                place.leave()

    def needs_rehash(self, hash: str, password: str) -> bool:
        """Reports whether a stronger hash should replace this one; only if it covered the whole password."""
        is_opaque = self._matched in ("", opaque_string(password))
        needs = self._pool.hasher.needs_rehash(hash) or not is_opaque
        is_only_one = imported_hashes.reads_all_of(hash, password) and not is_trimmed_by_program(hash, password)
        return needs and is_only_one


class HashingPool:
    def __init__(
        self,
        settings: HashingSection,
        random: RandomBytes,
        *,
        hasher: Hasher | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.hasher: Hasher = hasher or Argon2(settings)
        self.own_kind = own_kind(settings)
        self.costs = HashCosts(self.own_kind)
        self._random = random
        workers = workers_of(settings)
        half = max(1, workers // 2)
        self._threads = [ThreadPoolExecutor(workers, "own-hash"), ThreadPoolExecutor(half, "costly-hash")]
        own, costly = self._threads
        self.own = HashQueue("own", own, workers, waiting=settings.hashing_queue, now=now)
        self.costly = HashQueue("costly", costly, half, waiting=settings.hashing_queue, now=now, books=True)
        self._measuring = asyncio.Lock()

    async def start(self) -> None:
        """Computes some hashes to calibrate the estimates."""
        for _ in range(_FIRST_HASHES):
            async with self.place() as place:
                await place.hash(b64url(self._random(32)))

    async def close(self) -> None:
        for threads in self._threads:
            threads.shutdown(wait=False, cancel_futures=True)

    @asynccontextmanager
    async def place(self, hash: str = "", caller: str = "") -> AsyncIterator[HashingPlace]:
        """Yields a place in the queue. Take it before counting an attempt: overload must cost no attempt."""
        is_own = self.costs.is_ours(hash)
        queue = self.own if is_own else self.costly
        place = queue.admit(self.costs.seconds(hash or self.own_kind), caller)
        try:
            yield HashingPlace(self, place, is_own=is_own)
        finally:
            place.leave()

    async def measure(self, hash: str) -> float:
        """Returns the seconds of a hash; computes one if its method was not measured yet."""
        if self.costs.was_seen(hash):
            return self.costs.seconds(hash)
        async with self._measuring:
            if kind_of(hash) and not self.costs.was_seen(hash):
                queue = self.own if self.costs.is_ours(hash) else self.costly
                place = queue.force(self.costs.seconds(hash))
                try:
                    await HashingPlace(self, place, is_own=False).verify(kind_of(hash), "")
                finally:
                    place.leave()
        return self.costs.seconds(hash)
