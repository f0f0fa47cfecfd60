"""Redis for the stores: timeouts, no silent retries, `ServiceError`s instead of driver errors.

redis-py opens and authenticates connections; `redis_nodes` selects them, because the library's pools and
clients cost more than the whole reply of Redis, and repeat commands.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Final

from portico_contracts import spans
from portico_oauth.errors import ServiceError
from redis.exceptions import NoScriptError

from portico_runtime.process.health import NotReady
from portico_runtime.redis.nodes.command import Command, unavailable
from portico_runtime.redis.nodes.history import History, NotRecalled, Outdated
from portico_runtime.redis.nodes.node import NOT_REACHED
from portico_runtime.redis.nodes.placement import place
from portico_runtime.redis.nodes.script import Script, Value
from portico_runtime.settings.sections.redis import RedisSection

_OF_A_NODE: Final = frozenset(("PING", "TIME", "INFO"))
"""Commands without keys, which every node answers for itself."""

_ATTEMPTS: Final = 3
"""One retry for an unknown script and one for a new epoch of the bucket."""


class RedisClient:
    """The service's own user, limited to keys ``<service>:…``; `history` detects that Redis went back in time."""

    def __init__(self, settings: RedisSection, user: str, history: History | None = None) -> None:
        self._seconds = settings.redis_timeout
        self._history = history
        self._prefix = f"{user}:{{"
        self._when_lost: list[Callable[[], None]] = []
        self._placement = place(settings, user, history, self._lose)
        if history:
            history.when_begun_anew(self._lose)

    async def start(self) -> None:
        await self._placement.start()

    async def check(self) -> None:
        """Returns when any node responds: in a cluster the others continue to serve."""
        answers = await asyncio.gather(*self._ask_nodes("PING"), return_exceptions=True)
        if all(isinstance(answer, Exception) for answer in answers):
            try:
                await self._enqueue(("PING",), "", writes=False)
            except ServiceError as error:
                raise NotReady(self.degradation() or NOT_REACHED) from error

    async def ask_each_node(self, *words: Value) -> list[Any]:
        """Returns the replies of all nodes to a command without keys; raises when one does not respond."""
        answers = self._ask_nodes(*words) or [self._enqueue(words, "", writes=False)]
        return list(await asyncio.gather(*answers))

    def _ask_nodes(self, *words: Value) -> list[asyncio.Future[Any]]:
        answers = []
        for node in self._placement.nodes():
            command = Command(words, "", self._history.version if self._history else 0, writes=False)
            node.enqueue(command)
            answers.append(command.answer)
        return answers

    def degradation(self) -> str:
        """Why the last commands failed; empty when they succeeded. For a service that works mostly without Redis."""
        return self._placement.failure()

    async def times(self) -> list[float]:
        """Returns unix time in seconds by the clock of each node that responds. Raises `unavailable` if none does."""
        answers = await asyncio.gather(*self._ask_nodes("TIME"), return_exceptions=True)
        times = [_seconds(answer) for answer in answers if not isinstance(answer, BaseException)]
        return times or [await self.time()]

    async def time(self) -> float:
        """Returns unix time in seconds by the clock of any node. Raises `unavailable`."""
        return _seconds(await self.read("TIME"))

    @property
    def recalled(self) -> bool:
        """Reports whether keys can be used: the watermarks are loaded."""
        return self._history is None or self._history.recalled

    async def close(self) -> None:
        await self._placement.close()

    def when_lost(self, notify: Callable[[], None]) -> None:
        """Registers a callback for lost connections: the next server may have lost data or be older."""
        self._when_lost.append(notify)

    def script(self, body: str, *, arguments: tuple[str, ...] = ()) -> Script:
        """Prepares a Lua script with named arguments; run it with `run`."""
        return Script.load(body, arguments)

    def run(self, script: Script, keys: Sequence[str], args: Sequence[Value] = (), /, **named: Value) -> Awaitable[Any]:
        """Runs a script atomically; all its keys are in one slot.

        Raises `unavailable` when it may not have run, or replicas did not acknowledge it.
        """
        return self._evaluate(script, keys, (*script.in_order(named), *args), writes=True)

    def ask(self, script: Script, keys: Sequence[str], args: Sequence[Value] = (), /) -> Awaitable[Any]:
        """Runs a read-only script, without waiting for replicas. Raises `unavailable`."""
        return self._evaluate(script, keys, args, writes=False)

    async def read(self, command: str, *args: Value) -> Any:
        """Runs one read-only command, whose first argument is its key. Raises `unavailable`."""
        if command in _OF_A_NODE:
            return await self._enqueue((command, *args), "", writes=False)
        if self._history is not None and not self._history.recalled:
            await self._recalled(self._history)
        for _ in range(_ATTEMPTS):
            try:
                [name], tag = self._named((str(args[0]),))
                return await self._enqueue((command, name, *args[1:]), tag, writes=False)
            except Outdated:
                continue
        raise unavailable(Outdated())

    async def read_each(self, *commands: tuple[str, ...]) -> list[Any]:
        """Runs read-only commands in one round trip; the second word of each is its key. Raises `unavailable`."""
        if self._history is not None and not self._history.recalled:
            await self._recalled(self._history)
        for _ in range(_ATTEMPTS):
            answers = []
            for command, key, *args in commands:
                [name], tag = self._named((key,))
                answers.append(self._enqueue((command, name, *args), tag, writes=False))
            try:
                return [await answer for answer in answers]
            except Outdated:
                continue
            finally:
                _ignore(answers)
        raise unavailable(Outdated())

    async def _evaluate(self, script: Script, keys: Sequence[str], args: Sequence[Value], *, writes: bool) -> Any:
        how: tuple[Value, ...] = ("EVALSHA", script.sha1, len(keys))
        if self._history is not None and not self._history.recalled:
            await self._recalled(self._history)
        for _ in range(_ATTEMPTS):
            try:
                names, tag = self._named(keys)
                return await self._enqueue((*how, *names, *args), tag, writes=writes)
            except NoScriptError:  # it certainly did not run; Redis remembers it from here on
                how = ("EVAL", script.source, len(keys))
            except Outdated:  # nor did this
                continue
        raise unavailable(Outdated())

    async def _recalled(self, history: History) -> None:
        try:
            await history.wait_until_recalled(self._seconds)
        except NotRecalled as error:
            raise unavailable(error) from error

    def _named(self, keys: Sequence[str]) -> tuple[Sequence[str], str]:
        """Returns the key names in Redis, and their bucket. From its second epoch on they include the epoch."""
        first = keys[0]
        tag = first[first.index("{") + 1 : first.index("}")]
        if self._history is None or not self._history.is_renaming:
            return keys, tag
        reset_number = self._history.reset_number(tag)
        if not reset_number:
            return keys, tag
        own, rest = f"{self._prefix}{tag}}}", len(self._prefix) + len(tag) + 1
        return [f"{own}{reset_number}{key[rest:]}" if key.startswith(self._prefix) else key for key in keys], tag

    def _enqueue(self, words: tuple[Value, ...], tag: str, *, writes: bool) -> asyncio.Future[Any]:
        command = Command(words, tag, self._history.version if self._history else 0, writes=writes)
        if spans.tracer():
            _observe(command, str(words[0]))
        self._placement.enqueue(command)
        return command.answer

    def _lose(self) -> None:
        for notify in self._when_lost:
            notify()


def _seconds(answer: Sequence[Any]) -> float:
    return int(answer[0]) + int(answer[1]) / 1_000_000


def _observe(command: Command, name: str) -> None:
    """Starts a span that lasts until the reply: it has the name of the command, never keys or values."""
    span = spans.begin_part(name, {"db.system.name": "redis", "db.operation.name": name})
    if span:
        command.answer.add_done_callback(lambda answer: span.end(_cause(answer)))


def _cause(answer: asyncio.Future[Any]) -> str:
    if answer.cancelled():
        return "CancelledError"
    error = answer.exception()
    return type(error).__name__ if error else ""


def _ignore(answers: Iterable[asyncio.Future[Any]]) -> None:
    """Ends those that no caller awaits any more, after another one failed."""
    for answer in answers:
        if not answer.cancel() and not answer.cancelled():
            answer.exception()  # read, so that asyncio does not report it
