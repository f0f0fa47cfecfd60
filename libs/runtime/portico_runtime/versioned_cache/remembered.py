"""A cache of users' data, used only while provably current.

An entry is current while Redis has the version it was read with, nothing it depends on has changed, and users
confirmed it within the last minute. Entries are stored encoded: a hundred thousand users take at most 150
MiB, the 20,000 of the default 30.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from itertools import islice
from typing import Final, Generic, TypeVar

import msgspec
import structlog
from portico_contracts.tallies import Tallies
from portico_oauth.errors import ServiceError

from portico_runtime.process.wakeup import together
from portico_runtime.versioned_cache.dated import Asked, Dated
from portico_runtime.versioned_cache.keys import MARK
from portico_runtime.versioned_cache.lease import CHANGING, Lease

log = structlog.get_logger("portico.facts")

ASKED_SECONDS: Final = 60
"""Maximum age of an entry since users last confirmed it."""

CONFIRM_AFTER: Final = 40
"""Age from which entries are confirmed in batches, before a request has to wait."""

CONFIRM_PERIOD: Final = 8.0
CONFIRMED_AT_ONCE: Final = 1_000

UNUSED_ROUNDS: Final = 15
"""Entries confirmed this often without use are evicted: about ten minutes."""

PORTIONS: Final = 512
"""One in this many entries is evicted at a time when the cache is full."""

TRIES: Final = 8
"""Number of entries examined for each evicted one."""

BETWEEN: Final = "\n"
"""Separator of key parts, the user id first; ids never contain it."""

_QUESTIONS = Tallies("portico_facts_total", "Lookups of cached user data, by source: memory or users.", ["source"])
_KNOWN = _QUESTIONS.of("memory")
_ASKED = _QUESTIONS.of("users")

Facts = TypeVar("Facts")


class _Entry(msgspec.Struct, gc=False):
    """`stored` is the version, a NUL, and MessagePack; `unused` counts confirmations since the last use."""

    stored: bytes
    asked: int
    depends_on: str
    generation: int
    unused: int = 0

    @property
    def version(self) -> str:
        return self.stored.partition(b"\0")[0].decode()


class Remembered(Generic[Facts]):
    def __init__(
        self,
        kind: type[Facts],
        lease: Lease,
        ask: Callable[[str, str], Awaitable[Dated[Facts]]],
        *,
        most: int,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lease = lease
        self._ask = ask
        self._most = most
        self._monotonic = monotonic
        self._now = int(monotonic())
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(kind).decode
        self._entries: dict[str, _Entry] = {}
        self._asking: dict[tuple[str, str], asyncio.Task[Facts]] = {}
        self._forgotten = 0
        lease.when_lost(self.forget_all)

    async def get(self, key: str, version: str) -> Facts:
        """Returns current data; `version` is the user's in Redis, read since the request started."""
        entry = self._entries.get(key)
        if entry is not None and version and self._is_current(entry, version):
            entry.unused = 0
            _KNOWN.count += 1
            return self._decode(memoryview(entry.stored)[len(version) + 1 :])
        _ASKED.count += 1
        if not version or version.startswith(MARK):
            return await self._ask_and_remember(key, version)
        # Callers with the same version share the query: it started after all changes before that version. Not while a
        # marker is present: it may remain after the change is in force, and the query may have started before.
        asking = self._asking.get((key, version))
        if asking is None:
            asking = asyncio.create_task(self._ask_and_remember(key, version))
            self._asking[key, version] = asking
            asking.add_done_callback(lambda _: self._asking.pop((key, version), None))
        return await asyncio.shield(asking)

    def begin(self) -> Asked:
        return Asked(self._second(), self._lease.counter, self._forgotten)

    def remember(self, key: str, dated: Dated[Facts], asked: Asked) -> None:
        """Caches data, unless something it depends on changed or the cache was cleared since the query."""
        if asked.forgotten != self._forgotten:
            return
        generation = self._lease.version_of(dated.depends_on)
        if dated.version and CHANGING < generation <= asked.counter:
            stored = dated.version.encode() + b"\0" + self._encode(dated.facts)
            self._make_room()
            # One string object for all users of an organization.
            self._entries[key] = _Entry(stored, asked.second, sys.intern(dated.depends_on), generation)

    def asked_at(self, key: str) -> int | None:
        """The second of the monotonic clock in which users returned or confirmed cached data."""
        entry = self._entries.get(key)
        return entry.asked if entry is not None else None

    def forget(self, key: str) -> None:
        self._entries.pop(key, None)

    def forget_all(self) -> None:
        self._entries.clear()
        self._asking.clear()
        self._forgotten += 1

    async def confirm_due(self, confirm: Callable[[Mapping[str, str]], Awaitable[Iterable[str]]]) -> None:
        """Evicts changed and unused entries; `confirm` gets versions by user id and returns the ids that differ."""
        keys = tuple(self._entries)
        for start in range(0, len(keys), CONFIRMED_AT_ONCE):
            due = {key: entry for key in keys[start : start + CONFIRMED_AT_ONCE] if (entry := self._due(key))}
            if due:
                await self._confirm(due, confirm)
            await asyncio.sleep(0)

    async def _confirm(
        self, due: Mapping[str, _Entry], confirm: Callable[[Mapping[str, str]], Awaitable[Iterable[str]]]
    ) -> None:
        asked = self._second()
        versions = {_user_of(key): entry.version for key, entry in due.items()}
        changed = set(await confirm(versions))
        for key, entry in due.items():
            user_id = _user_of(key)
            if user_id in changed or versions[user_id] != entry.version:
                if self._entries.get(key) is entry:
                    del self._entries[key]
            else:
                entry.asked = asked
                entry.unused += 1

    def _due(self, key: str) -> _Entry | None:
        entry = self._entries.get(key)
        if entry is None or self._second() - entry.asked < CONFIRM_AFTER:
            return None
        # While a change is in progress, the state of dependencies is unknown.
        generation = self._lease.peek(entry.depends_on)
        if entry.unused > UNUSED_ROUNDS or generation not in (entry.generation, CHANGING):
            del self._entries[key]
            return None
        return entry

    def _is_current(self, entry: _Entry, version: str) -> bool:
        return (
            entry.stored.startswith(version.encode() + b"\0")
            and self._second() - entry.asked < ASKED_SECONDS
            and self._lease.version_of(entry.depends_on) == entry.generation
        )

    async def _ask_and_remember(self, key: str, version: str) -> Facts:
        asked = self.begin()
        dated = await self._ask(key, version)
        self.remember(key, dated, asked)
        return dated.facts

    def _make_room(self) -> None:
        """Evicts the oldest entries not used since their confirmation; after some tries the oldest.

        Evicts in batches: finding the first entry of a dictionary takes longer the more were removed from its
        beginning.
        """
        if len(self._entries) < self._most:
            return
        wanted = max(1, self._most // PORTIONS)
        for key in tuple(islice(self._entries, TRIES * wanted)):
            entry = self._entries.pop(key)
            if entry.unused:
                wanted -= 1
                if not wanted:
                    return
            else:
                entry.unused = 1
                self._entries[key] = entry
        for key in tuple(islice(self._entries, wanted)):
            del self._entries[key]

    def _second(self) -> int:
        now = int(self._monotonic())
        if now != self._now:
            self._now = now
        return self._now


def _user_of(key: str) -> str:
    return key.partition(BETWEEN)[0]


async def confirm_periodically(
    remembered: Iterable[Remembered[object]], confirm: Callable[[Mapping[str, str]], Awaitable[Iterable[str]]]
) -> None:
    while True:
        await asyncio.sleep(together(CONFIRM_PERIOD))
        for one in remembered:
            try:
                await one.confirm_due(confirm)
            except ServiceError as error:  # they are asked one by one, then
                log.info("cached users not confirmed", error_code=error.id)
