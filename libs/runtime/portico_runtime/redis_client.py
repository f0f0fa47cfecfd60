"""Redis as the stores use it: bounded time, no silent retries, `ServiceError`s instead of driver errors.

redis-py makes, logs in and speaks over the connections; which connection is used is decided in `redis_nodes`, because the
library's own pools and clients cost more than the whole answer of Redis, and repeat commands.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from portico_contracts import spans
from portico_oauth.errors import ServiceError
from redis.exceptions import NoScriptError, RedisError

from portico_runtime.health import NotReady
from portico_runtime.redis_nodes.command import Command, log_failure, packed, unavailable
from portico_runtime.redis_nodes.history import History, NotRecalled, Outdated
from portico_runtime.redis_nodes.node import NOT_REACHED
from portico_runtime.redis_nodes.placement import place
from portico_runtime.redis_nodes.script import Script, Value
from portico_runtime.settings import RedisSection

COMPARE_SECONDS: Final = 1.0

_OF_A_NODE: Final = frozenset(("PING", "TIME", "INFO"))
"""Commands without keys: every node answers them, for itself."""

_ATTEMPTS: Final = 3
"""A script is not known, and a bucket begins anew: both once."""


class RedisClient:
    """Logged in as the service's own user, whose keys all begin with ``<service>:``.

    Args:
        history: where what is stored must not be revived by a Redis that went back in time: what is known of that.
    """

    def __init__(self, settings: RedisSection, user: str, history: History | None = None) -> None:
        self._seconds = settings.redis_timeout
        self._history = history
        self._prefix = f"{user}:{{"
        self._when_lost: list[Callable[[], None]] = []
        self._placement = place(settings, user, history, self._lose)
        if history:
            history.when_begun_anew(self._lose)

    async def start(self) -> None:
        """Learns which nodes there are; connections are made when they are needed."""
        await self._placement.start()

    async def check(self) -> None:
        """Returns when a node answers: of a cluster the others serve what they have.

        Raises:
            NotReady: none does, with the reason.
        """
        answers = await asyncio.gather(*self._ask_nodes("PING"), return_exceptions=True)
        if all(isinstance(answer, Exception) for answer in answers):
            try:
                await self._enqueue(("PING",), "", writes=False)
            except ServiceError as error:
                raise NotReady(self.degradation() or NOT_REACHED) from error

    async def ask_each_node(self, *words: Value) -> list[Any]:
        """The answers of all nodes to a command without keys.

        Raises:
            ServiceError: `unavailable` when one of them does not answer.
        """
        answers = self._ask_nodes(*words) or [self._enqueue(words, "", writes=False)]
        return list(await asyncio.gather(*answers))

    def _ask_nodes(self, *words: Value) -> list[asyncio.Future[Any]]:
        """What will be the answers of the nodes that are known; none before any is."""
        answers = []
        for node in self._placement.nodes():
            command = self._command(words, "", writes=False)
            node.enqueue(command)
            answers.append(command.answer)
        return answers

    def degradation(self) -> str:
        """Why the last commands had no answer; empty when they had. For a service that does most of its work without."""
        return self._placement.failure()

    async def time(self) -> float:
        """Unix time in seconds by the clock of Redis.

        Raises:
            ServiceError: `unavailable`.
        """
        seconds, microseconds = await self.read("TIME")
        return int(seconds) + int(microseconds) / 1_000_000

    async def close(self) -> None:
        """Finishes what is under way and closes all connections."""
        await self._placement.close()

    def when_lost(self, notify: Callable[[], None]) -> None:
        """Calls a function whenever a connection was lost: who answers the next one may have lost data, or be older."""
        self._when_lost.append(notify)

    async def compare(self) -> None:
        """Compares the marks of all nodes; each new connection is compared anyway.

        Raises:
            ServiceError, RedisError, OSError, TimeoutError: a node cannot be asked.
        """
        await asyncio.gather(*(node.compare() for node in self._placement.nodes()))

    async def compare_periodically(self) -> None:
        """Compares once, and waits: the work of a `Background`, for a Redis behind something that hides its end."""
        try:
            await self.compare()
        except (RedisError, ServiceError, OSError, TimeoutError) as error:
            log_failure(error)
        await asyncio.sleep(COMPARE_SECONDS)

    def script(self, body: str, *, arguments: tuple[str, ...] = ()) -> Script:
        """Prepares a Lua script, which reads its arguments by the declared names; run it with `run`."""
        return Script.load(body, arguments)

    def run(self, script: Script, keys: Sequence[str], args: Sequence[Value] = (), /, **named: Value) -> Awaitable[Any]:
        """Runs a script atomically: all its keys are in one slot.

        Args:
            script: as `script` returned it.
            keys: `KEYS`.
            args: what follows the named arguments in `ARGV`; everything, when the script declares none.
            named: a value for every declared argument.

        Raises:
            ServiceError: `unavailable` when it cannot be known to have run, or replicas did not acknowledge it.
            TypeError: the names are not those the script declares.
        """
        return self._evaluate(script, keys, (*script.in_order(named), *args), writes=True)

    def ask(self, script: Script, keys: Sequence[str], args: Sequence[Value] = (), /) -> Awaitable[Any]:
        """Runs a script that only reads: no replica has to acknowledge it.

        Raises:
            ServiceError: `unavailable`.
        """
        return self._evaluate(script, keys, args, writes=False)

    async def read(self, command: str, *args: Value) -> Any:
        """Runs one reading command, whose first argument is its key.

        Raises:
            ServiceError: `unavailable`.
        """
        if command in _OF_A_NODE:
            return await self._enqueue((command, *args), "", writes=False)
        key = str(args[0])
        tag = _tag_of(key)
        await self._recalled()
        for _ in range(_ATTEMPTS):
            with suppress(Outdated):
                [name] = self._named((key,), tag)
                return await self._enqueue((command, name, *args[1:]), tag, writes=False)
        raise unavailable(Outdated())

    async def _evaluate(self, script: Script, keys: Sequence[str], args: Sequence[Value], *, writes: bool) -> Any:
        tag = _tag_of(keys[0])
        how: tuple[Value, ...] = ("EVALSHA", script.sha1, len(keys))
        await self._recalled()
        for _ in range(_ATTEMPTS):
            try:
                return await self._enqueue((*how, *self._named(keys, tag), *args), tag, writes=writes)
            except NoScriptError:  # it certainly did not run; Redis remembers it from here on
                how = ("EVAL", script.source, len(keys))
            except Outdated:  # nor did this
                continue
        raise unavailable(Outdated())

    async def _recalled(self) -> None:
        if self._history is not None and not self._history.recalled:
            try:
                await self._history.wait_until_recalled(self._seconds)
            except NotRecalled as error:
                raise unavailable(error) from error

    def _named(self, keys: Sequence[str], tag: str) -> Sequence[str]:
        """The keys as they are in Redis: from the second generation of their bucket on that is part of the names."""
        generation = self._history.generation(tag) if self._history else 0
        if not generation:
            return keys
        own, rest = f"{self._prefix}{tag}}}", len(self._prefix) + len(tag) + 1
        return [f"{own}{generation}{key[rest:]}" if key.startswith(self._prefix) else key for key in keys]

    def _enqueue(self, words: tuple[Value, ...], tag: str, *, writes: bool) -> asyncio.Future[Any]:
        """The answer to a command; it is sent with all others of this turn of the loop."""
        command = self._command(words, tag, writes=writes)
        if spans.tracer():
            _observe(command, str(words[0]))
        self._placement.enqueue(command)
        return command.answer

    def _command(self, words: tuple[Value, ...], tag: str, *, writes: bool) -> Command:
        version = self._history.version if self._history else 0
        return Command(packed(*words), tag, version, writes=writes)

    def _lose(self) -> None:
        for notify in self._when_lost:
            notify()


def _observe(command: Command, name: str) -> None:
    """A span until the answer: the name of the command, never its keys and values."""
    span = spans.begin_part(name, {"db.system.name": "redis", "db.operation.name": name})
    if span:
        command.answer.add_done_callback(lambda answer: span.end(_cause(answer)))


def _cause(answer: asyncio.Future[Any]) -> str:
    if answer.cancelled():
        return "CancelledError"
    error = answer.exception()
    return type(error).__name__ if error else ""


def _tag_of(key: str) -> str:
    """The hash tag of a key; all keys have one."""
    return key[key.index("{") + 1 : key.index("}")]
