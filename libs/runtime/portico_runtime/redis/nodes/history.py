"""Detects a Redis that went back in time, by a watermark per bucket that only grows (decision 0065).

A restored backup, or a replica promoted before it had everything, would revive used, ended and revoked
records. All writes of a node are ordered, so losses are always the latest ones: every pipeline that writes to
a bucket ends with ``INCR`` of the bucket's watermark. A watermark lower than an acknowledged one means that
the writes since were lost.

The bucket then starts a new epoch. Key names contain the epoch, so that all older records are out of reach at
once, as if they were lost, and expire on their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import Final

import structlog
from prometheus_client.metrics import Counter
from redis.exceptions import AskError, RedisError

from portico_runtime.redis.nodes.command import Command, packed
from portico_runtime.redis.nodes.connection import Connection
from portico_runtime.redis.nodes.script import Script, Value

log = structlog.get_logger("portico.redis")

BUCKETS: Final = tuple(f"{number:02x}" for number in range(256))
"""Hash tags with a watermark. Records under any other tag may be restored without harm."""

GENERATION: Final = 10**12
"""A watermark counts pipelines below this number and epochs above it. Both are exact as doubles in Lua."""

BEGUN: Final = Counter(
    "portico_redis_buckets_begun_anew_total", "Redis buckets that were reset because Redis lost acknowledged writes."
)

_BEGIN: Final = Script.load(
    # Another replica may have started the epoch already.
    f"""
local mark = tonumber(redis.call('GET', KEYS[1]) or 0)
if mark < tonumber(known) then
  mark = (math.floor(tonumber(known) / {GENERATION}) + 1) * {GENERATION}
  redis.call('SET', KEYS[1], string.format('%.0f', mark))
end
return string.format('%.0f', mark)
""",
    ("known",),
)


class WentBack(RedisError):
    """Acknowledged data was lost. Whether a write with this error happened is unknown."""


class Outdated(RedisError):
    """A command was not sent: its bucket started a new epoch while it waited, so its key names changed."""


class NotRecalled(RedisError):
    """The stored watermarks are not loaded yet, so Redis cannot be relied on."""


class History:
    def __init__(self, service: str, *, recalled: bool = False) -> None:
        self.service = service
        self.recalled = recalled
        """False until the stored watermarks are loaded."""
        self.version = 0
        """Changes whenever key names change, or Redis becomes usable."""
        self.is_renaming = False
        """Whether any bucket has an epoch that is part of its key names."""
        self.raising: Final = {tag: packed("INCR", self._name(tag)) for tag in BUCKETS}
        """By bucket, the command that raises its watermark, to be sent after the writes."""
        self._reading = {tag: packed("GET", self._name(tag)) for tag in BUCKETS}
        self._marks = dict.fromkeys(BUCKETS, 0)
        self._raised: dict[str, int] = {}
        self._when_begun: list[Callable[[], None]] = []
        self._when_recalled: list[Callable[[], None]] = []
        self._recall_again: Callable[[], Awaitable[None]] | None = None
        self._is_current = recalled
        self._catching_up = asyncio.Lock()
        self._known = asyncio.Event()
        self.has_news = asyncio.Event()
        """Set when there are watermarks to store."""

    async def wait_until_recalled(self, seconds: float) -> None:
        """Waits as long as a command may take: bus requests arrive before the watermarks are loaded."""
        try:
            async with asyncio.timeout(seconds):
                await self._known.wait()
        except TimeoutError:
            raise NotRecalled("the marks of Redis are not recalled yet") from None

    def when_begun_anew(self, notify: Callable[[], None]) -> None:
        self._when_begun.append(notify)

    def when_recalled(self, notify: Callable[[], None]) -> None:
        self._when_recalled.append(notify)

    def recall_by(self, ask: Callable[[], Awaitable[None]]) -> None:
        """Sets the function that reloads the watermarks after a lost connection: other processes may have had
        writes acknowledged that this one does not know of.
        """
        self._recall_again = ask

    def lose(self) -> None:
        """Handles a lost connection: the watermarks must be reloaded before the next one is relied on."""
        self._is_current = False
        self.has_news.set()

    async def catch_up(self) -> None:
        """Reloads the watermarks, unless that happened since the last connection was lost."""
        if self._recall_again is None:
            return
        async with self._catching_up:  # a second connection waits for what the first one recalls
            if not self._is_current:
                self._is_current = True  # a connection that is lost meanwhile resets it
                try:
                    await self._recall_again()
                except BaseException:
                    self._is_current = False
                    raise

    def recall(self, marks: Mapping[str, int]) -> None:
        # Another process may have reset a bucket meanwhile: commands that wait have its old key names.
        self._adopt({tag: mark for tag, mark in marks.items() if mark > self._marks.get(tag, mark)})
        if not self.recalled:
            self.recalled = True
            self._known.set()
            self.version += 1
            while self._when_recalled:
                self._when_recalled.pop()()

    def take_raised(self) -> dict[str, int]:
        raised, self._raised = self._raised, {}
        return raised

    def put_back(self, raised: Mapping[str, int]) -> None:
        self._raised = {**raised, **self._raised}

    def reset_number(self, tag: str) -> int:
        """Returns the epoch of a bucket; 0 is not part of key names."""
        return self._marks.get(tag, 0) // GENERATION

    def has_written(self, tag: str) -> bool:
        """Reports whether any process has written to a bucket, of which this one or users knows; True until they are
        loaded.
        """
        return not self.recalled or self._marks.get(tag, 0) > 0

    def expected(self, commands: Iterable[Command]) -> dict[str, int]:
        return {one.tag: self._marks[one.tag] for one in commands if one.writes and one.tag in self._marks}

    def raised(self, tag: str, before: int, mark: int) -> bool:
        """Processes the reply of that command.

        Returns whether the bucket started a new epoch since the command was sent, so that the writes used old
        key names. Raises WentBack when the watermark is not higher than before.
        """
        if mark <= before:
            raise WentBack(f"bucket {tag} of Redis has mark {mark} after {before}")
        # Replies of other pipelines may have come earlier. Without `max` and `get`, as this runs for every write.
        if mark > self._marks[tag]:
            self._adopt({tag: mark})
        if tag not in self._raised or self._raised[tag] < mark:
            self._raised[tag] = mark
        self.has_news.set()
        return mark // GENERATION != before // GENERATION

    async def compare(self, connection: Connection, tags: Collection[str]) -> None:
        """Starts new epochs for those buckets of a node (`tags`) that lost writes."""
        known = {tag: self._marks[tag] for tag in tags if tag in self._marks}
        found = await _ask_all(connection, {tag: self._reading[tag] for tag in known})
        behind = {tag: known[tag] for tag, mark in found.items() if mark < known[tag]}
        if behind:
            log.error("redis rollback detected", service=self.service, buckets=len(behind))
            found |= await _ask_all(connection, {tag: self._beginning(tag, mark) for tag, mark in behind.items()})
            BEGUN.inc(len(behind))
            self._raised |= {tag: found[tag] for tag in behind if tag in found}
            self.has_news.set()
        self._adopt(found)

    def _beginning(self, tag: str, known: int) -> bytes:
        values: list[Value] = _BEGIN.in_order({"known": known})
        return packed("EVAL", _BEGIN.source, 1, self._name(tag), *values)

    def _adopt(self, found: Mapping[str, int]) -> None:
        begun = False
        for tag, mark in found.items():
            before = self._marks[tag]
            begun |= mark // GENERATION != before // GENERATION
            if mark > before:
                self._marks[tag] = mark
        if begun:
            self.is_renaming = True
            self.version += 1
            for notify in self._when_begun:
                notify()

    def _name(self, tag: str) -> str:
        return f"{self.service}:{{{tag}}}:mark"


async def _ask_all(connection: Connection, commands: Mapping[str, bytes]) -> dict[str, int]:
    found: dict[str, int] = {}
    for tag, reply in zip(commands, await connection.send([*commands.values()]), strict=True):
        if isinstance(reply, AskError):  # of which `MovedError` is a kind
            log.info("redis bucket moved", bucket=tag)
        elif isinstance(reply, RedisError):
            raise reply
        else:
            found[tag] = int(reply or 0)
    return found
