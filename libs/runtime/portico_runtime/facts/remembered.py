"""What users returned about a person, remembered while it is provably current.

Facts are current while Redis has the version they were read with, what they depend on in the directory has not changed, and
users was asked about them within the last minute. They are stored encoded: a hundred thousand people in 150 MiB at most.
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
from portico_oauth.errors import ServiceError
from prometheus_client import Counter

from portico_runtime.facts.dated import Asked, Dated
from portico_runtime.facts.keys import MARK
from portico_runtime.facts.lease import CHANGING, Lease

log = structlog.get_logger("portico.facts")

ASKED_SECONDS: Final = 60
"""No fact is used longer than this after users was asked about it."""

CONFIRM_AFTER: Final = 40
"""From this age on facts are confirmed, many at a time, before a request waits for them."""

CONFIRM_PERIOD: Final = 8.0
CONFIRMED_AT_ONCE: Final = 1_000

UNUSED_ROUNDS: Final = 15
"""Facts that were confirmed so often without being used are forgotten: about ten minutes."""

PORTIONS: Final = 512
"""The part of all facts that is forgotten at a time when there is no room, as one of so many."""

TRIES: Final = 8
"""How many facts are looked at for each that is forgotten."""

BETWEEN: Final = "\n"
"""Between the parts of a key, the user's id first: a character that no id has."""

_QUESTIONS = Counter("portico_facts_total", "Lookups of cached user data, by source: memory or users.", ["source"])
_KNOWN = _QUESTIONS.labels("memory")
_ASKED = _QUESTIONS.labels("users")

Facts = TypeVar("Facts")


class _Entry(msgspec.Struct, gc=False):
    """Facts as they are stored here.

    Attributes:
        stored: the version, a NUL, and the facts in MessagePack.
        asked: the second in which users was asked last.
        generation: of what they depend on.
        unused: how often they were confirmed since they were used.
    """

    stored: bytes
    asked: int
    depends_on: str
    generation: int
    unused: int = 0

    @property
    def version(self) -> str:
        """The version the facts were read with."""
        return self.stored.partition(b"\0")[0].decode()


class Remembered(Generic[Facts]):
    """Facts of one kind by key: a user's id, and what else the question names."""

    def __init__(
        self,
        kind: type[Facts],
        lease: Lease,
        ask: Callable[[str, str], Awaitable[Dated[Facts]]],
        *,
        most: int,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Remembers nothing yet.

        Args:
            ask: asks users about a key, with the version that Redis has.
            most: how many are remembered.
        """
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
        """The facts as they are now.

        Args:
            version: what Redis has as the version of the person, read since the request began.

        Raises:
            ServiceError: `unavailable` when users has to be asked and cannot be reached.
        """
        entry = self._entries.get(key)
        if entry is not None and version and self._is_current(entry, version):
            entry.unused = 0
            _KNOWN.inc()
            return self._decode(memoryview(entry.stored)[len(version) + 1 :])
        _ASKED.inc()
        if not version or version.startswith(MARK):
            return await self._ask_and_remember(key, version)
        # Who finds the same version shares the question: it was asked after all that came before that version. Not while a
        # mark is there: it may stay when the change is in force, and the question may be from before that.
        asking = self._asking.get((key, version))
        if asking is None:
            asking = asyncio.create_task(self._ask_and_remember(key, version))
            self._asking[key, version] = asking
            asking.add_done_callback(lambda _: self._asking.pop((key, version), None))
        return await asyncio.shield(asking)

    def begin(self) -> Asked:
        """When a question begins whose answer may be remembered."""
        return Asked(self._second(), self._lease.counter, self._forgotten)

    def remember(self, key: str, dated: Dated[Facts], asked: Asked) -> None:
        """Remembers facts, unless what they depend on changed, or everything was forgotten, since the question."""
        if asked.forgotten != self._forgotten:
            return
        generation = self._lease.generation_of(dated.depends_on)
        if dated.version and CHANGING < generation <= asked.counter:
            stored = dated.version.encode() + b"\0" + self._encode(dated.facts)
            self._make_room()
            # One text for all people of an organization, instead of one each.
            self._entries[key] = _Entry(stored, asked.second, sys.intern(dated.depends_on), generation)

    def forget(self, key: str) -> None:
        """Forgets what is known of a key."""
        self._entries.pop(key, None)

    def forget_all(self) -> None:
        """Forgets everything, also what is being asked."""
        self._entries.clear()
        self._asking.clear()
        self._forgotten += 1

    async def confirm_due(self, confirm: Callable[[Mapping[str, str]], Awaitable[Iterable[str]]]) -> None:
        """Confirms everything that was asked some time ago, and forgets what changed or is not used.

        Args:
            confirm: asks users, by user id, whether the versions are still those; returns the ids of all others.

        Raises:
            ServiceError: `unavailable`.
        """
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
        # While something changes, or while the lease is over, nothing is known of what they depend on.
        if entry.unused > UNUSED_ROUNDS or self._lease.generation_of(entry.depends_on) not in (
            entry.generation,
            CHANGING,
        ):
            del self._entries[key]
            return None
        return entry

    def _is_current(self, entry: _Entry, version: str) -> bool:
        return (
            entry.stored.startswith(version.encode() + b"\0")
            and self._second() - entry.asked < ASKED_SECONDS
            and self._lease.generation_of(entry.depends_on) == entry.generation
        )

    async def _ask_and_remember(self, key: str, version: str) -> Facts:
        asked = self.begin()
        dated = await self._ask(key, version)
        self.remember(key, dated, asked)
        return dated.facts

    def _make_room(self) -> None:
        """Forgets the oldest that were not used since they were confirmed; after some tries the oldest.

        Some at a time: a dictionary takes longer to find its first entry the more were taken from its beginning.
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
        """The time in whole seconds: one object for all entries of a second."""
        now = int(self._monotonic())
        if now != self._now:
            self._now = now
        return self._now


def _user_of(key: str) -> str:
    return key.partition(BETWEEN)[0]


async def confirm_periodically(
    remembered: Iterable[Remembered[object]], confirm: Callable[[Mapping[str, str]], Awaitable[Iterable[str]]]
) -> None:
    """Confirms what is due, for ever: the work of a `Background`."""
    while True:
        await asyncio.sleep(CONFIRM_PERIOD)
        for one in remembered:
            try:
                await one.confirm_due(confirm)
            except ServiceError as error:  # they are asked one by one, then
                log.info("cached users not confirmed", error_code=error.id)
