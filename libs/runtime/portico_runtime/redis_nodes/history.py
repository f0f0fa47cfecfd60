"""Whether Redis went back in time: a mark per bucket that only grows (decision 0065).

An older copy that was put back, or a replica that became master before it had everything, revives what was used, ended and
revoked. Everything a node has was written in one order, so that what was lost is the end of it: with each pipeline that
writes to a bucket goes ``INCR`` of the bucket's mark, after the writes. Where a mark is smaller than one that was
acknowledged before, what was written with that one is lost.

Then the bucket begins a new generation. The names of its keys have the number of the generation, so that everything from before
is out of reach at once, as if it were lost altogether, and ends by its own expiry.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import Final

import structlog
from prometheus_client import Counter
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import AskError, RedisError

from portico_runtime.redis_nodes.command import Command, packed
from portico_runtime.redis_nodes.script import Script, Value

log = structlog.get_logger("portico.redis")

BUCKETS: Final = tuple(f"{number:02x}" for number in range(256))
"""The hash tags that have a mark. What is stored under any other may be revived without harm."""

GENERATION: Final = 10**12
"""A mark counts the pipelines of its generation; from here on it counts generations. Both are exact as doubles of Lua."""

BEGUN: Final = Counter(
    "portico_redis_buckets_begun_anew_total", "Redis buckets that were reset because Redis lost acknowledged writes."
)

_BEGIN: Final = Script.load(
    # Another replica may have begun it already.
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
    """What was acknowledged is lost. Whether a write that got this answer happened is not known."""


class Outdated(RedisError):
    """A command was not sent: its bucket was begun anew while it waited, and its keys have other names."""


class NotRecalled(RedisError):
    """The marks that were remembered are not known yet, so that Redis cannot be relied on."""


class History:
    """The marks of one service, as far as this process knows them."""

    def __init__(self, service: str, *, recalled: bool = False) -> None:
        """Knows nothing yet.

        Args:
            service: whose keys are marked; they begin with its name.
            recalled: there is nothing to be recalled.
        """
        self.service = service
        self._recalled = recalled
        self.version = 0
        """Another number whenever keys have other names, or may be used at last."""
        self._marks = dict.fromkeys(BUCKETS, 0)
        self._raised: dict[str, int] = {}
        self._when_begun: list[Callable[[], None]] = []
        self._when_recalled: list[Callable[[], None]] = []
        self._recall_again: Callable[[], Awaitable[None]] | None = None
        self._is_current = recalled
        self._catching_up = asyncio.Lock()
        self._known = asyncio.Event()
        self.has_news = asyncio.Event()
        """Set when there is something to be remembered, soon."""

    @property
    def recalled(self) -> bool:
        """What was remembered is known."""
        return self._recalled

    async def wait_until_recalled(self, seconds: float) -> None:
        """Waits as long as a command may take: a replica that starts is asked on the bus before it recalled anything.

        Raises:
            NotRecalled: what was remembered is still not known.
        """
        try:
            async with asyncio.timeout(seconds):
                await self._known.wait()
        except TimeoutError:
            raise NotRecalled("the marks of Redis are not recalled yet") from None

    def when_begun_anew(self, notify: Callable[[], None]) -> None:
        """Calls a function whenever buckets began a new generation."""
        self._when_begun.append(notify)

    def when_recalled(self, notify: Callable[[], None]) -> None:
        """Calls a function once what was remembered is known."""
        self._when_recalled.append(notify)

    def recall_by(self, ask: Callable[[], Awaitable[None]]) -> None:
        """Sets what recalls the marks again after a lost connection: other processes may have had acknowledged what this one
        knows nothing of.
        """
        self._recall_again = ask

    def lose(self) -> None:
        """A connection was lost: before the next one is relied on, the marks are recalled again."""
        self._is_current = False
        self.has_news.set()

    async def catch_up(self) -> None:
        """Recalls the marks, unless they were since the last connection was lost.

        Raises:
            ServiceError: `unavailable`: Redis must not be relied on.
        """
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
        """Takes over what was remembered of earlier processes: Redis must have at least that."""
        for tag, mark in marks.items():
            if tag in self._marks:
                self._marks[tag] = max(self._marks[tag], mark)
        if not self._recalled:
            self._recalled = True
            self._known.set()
            self.version += 1
            while self._when_recalled:
                self._when_recalled.pop()()

    def take_raised(self) -> dict[str, int]:
        """The marks this process raised since it was asked last: what is to be remembered."""
        raised, self._raised = self._raised, {}
        return raised

    def put_back(self, raised: Mapping[str, int]) -> None:
        """Takes them back where they could not be remembered."""
        self._raised = {**raised, **self._raised}

    def generation(self, tag: str) -> int:
        """The generation of a bucket; 0 is not in the names of its keys."""
        return self._marks.get(tag, 0) // GENERATION

    def expected(self, commands: Iterable[Command]) -> dict[str, int]:
        """The marks that are raised with these commands, as they are known before."""
        return {one.tag: self._marks[one.tag] for one in commands if one.writes and one.tag in self._marks}

    def refusal(self, command: Command) -> RedisError | None:
        """Why a command must not be sent any more, or not yet; None when it may."""
        if not command.tag or (self._recalled and command.version == self.version):
            return None
        return Outdated() if self._recalled else NotRecalled()

    def raising(self, tag: str) -> bytes:
        """The command that raises a mark, to be sent after what is written."""
        return packed("INCR", self._name(tag))

    def raised(self, tag: str, before: int, mark: int) -> bool:
        """Takes the reply of that command.

        Returns:
            Whether the bucket was begun anew since the command was sent, so that the writes have names of before.

        Raises:
            WentBack: it is not more than it was.
        """
        if mark <= before:
            raise WentBack(f"bucket {tag} of Redis has mark {mark} after {before}")
        self._raised[tag] = max(mark, self._raised.get(tag, 0))
        self.has_news.set()
        self._adopt({tag: mark})
        return mark // GENERATION != before // GENERATION

    async def compare(self, connection: AbstractConnection, tags: Collection[str]) -> None:
        """Compares the marks of a node with those that are known, and begins anew what lost something.

        Args:
            tags: of the buckets the node has.

        Raises:
            RedisError: of the connection.
        """
        known = {tag: self._marks[tag] for tag in tags if tag in self._marks}
        found = await _ask_all(connection, {tag: packed("GET", self._name(tag)) for tag in known})
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
        begun = any(mark // GENERATION != self._marks[tag] // GENERATION for tag, mark in found.items())
        for tag, mark in found.items():
            self._marks[tag] = max(mark, self._marks[tag])
        if begun:
            self.version += 1
            for notify in self._when_begun:
                notify()

    def _name(self, tag: str) -> str:
        return f"{self.service}:{{{tag}}}:mark"


async def _ask_all(connection: AbstractConnection, commands: Mapping[str, bytes]) -> dict[str, int]:
    """The replies by tag; a bucket that moved to another node meanwhile is left out, that node is compared by itself."""
    replies: dict[str, int] = {}
    await connection.send_packed_command(commands.values(), check_health=False)
    for tag in commands:
        try:
            replies[tag] = int(await connection.read_response() or 0)
        except AskError:  # of which `MovedError` is a kind
            log.info("redis bucket moved", bucket=tag)
    return replies
