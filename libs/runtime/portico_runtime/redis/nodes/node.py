from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from portico_oauth.errors import ServiceError
from redis.asyncio.connection import ConnectionPool
from redis.exceptions import (
    AskError,
    ClusterDownError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TryAgainError,
)

from portico_runtime.process.health import note_failure
from portico_runtime.process.store_metrics import observe_redis
from portico_runtime.redis.nodes.command import Command, log_failure, packed, reject_all, unavailable
from portico_runtime.redis.nodes.connection import Connection
from portico_runtime.redis.nodes.history import History, NotRecalled, Outdated, WentBack
from portico_runtime.tls.refused import why_refused

NOT_REACHED: Final = "cannot be reached"

MAX_CONNECTIONS: Final = 4
"""Concurrent pipelines. Further commands join the next one: the slower Redis is, the larger the pipelines."""

COMPARE_SECONDS: Final = 1.0
"""Maximum age of the last comparison of the watermarks when a pipeline is sent."""


@dataclass(frozen=True, slots=True)
class Limits:
    """`seconds` is of a pipeline; `wait_replicas` acknowledge writes; new connections check `must_be_master`."""

    seconds: float
    wait_replicas: int = 0
    must_be_master: bool = False


class Answered(NamedTuple):
    command: Command
    reply: Any


class Node:
    """One server.

    `redirect` receives commands that certainly did not run and belong to another node. `tags` are the buckets
    of the node, compared on each new connection and at most once a second before a pipeline: Redis may change
    without a lost connection.
    """

    def __init__(
        self,
        maker: ConnectionPool,
        limits: Limits,
        history: History | None,
        *,
        tags: Callable[[], Collection[str]],
        redirect: Callable[[Command, RedisError], None] | None,
        lost: Callable[[], None],
    ) -> None:
        self.failure = ""
        """Why the last commands failed; empty when they succeeded."""
        self._maker = maker
        self._limits = limits
        self._history = history
        self._tags = tags
        self._redirect = redirect
        self._lost = lost
        if history is not None and not history.recalled:
            history.when_recalled(self.renew)
        self._idle: list[tuple[Connection, int]] = []
        self._age = 0
        self._comparing = asyncio.Lock()
        self._compared = float("-inf")
        self._unsent: list[Command] = []
        self._pipelines: set[asyncio.Task[None]] = set()

    def enqueue(self, command: Command) -> None:
        if not self._unsent:
            self._begin(self._send())
        self._unsent.append(command)

    async def close(self) -> None:
        while self._pipelines:
            await asyncio.wait(self._pipelines)
        while self._idle:
            await self._idle.pop()[0].close()

    def renew(self) -> None:
        self._age += 1

    def _begin(self, work: Any) -> None:
        pipeline = asyncio.create_task(work)
        self._pipelines.add(pipeline)
        pipeline.add_done_callback(self._pipelines.discard)

    async def _send(self) -> None:
        commands: list[Command] = []
        connection: Connection | None = None
        try:
            async with asyncio.timeout(self._limits.seconds):
                while len(self._pipelines) > MAX_CONNECTIONS:
                    await asyncio.wait(self._pipelines - {asyncio.current_task()}, return_when=asyncio.FIRST_COMPLETED)
                connection, age = await self._idle_or_new(), self._age
                commands = self._take_unsent()
                self.failure = ""
                began = time.perf_counter()
                await self._exchange(connection, commands)
                observe_redis(commands, time.perf_counter() - began)
                await self._give_back(connection, age)
                connection = None
        except (RedisError, ServiceError, OSError, TimeoutError) as error:
            self.failure = why_refused(error) or NOT_REACHED
            note_failure()
            log_failure(error)
            if connection is None:  # it may have been replaced
                self._lost()
            reject_all(commands or self._take_unsent(), error)
        except BaseException as error:  # the service ends, or the fault is our own
            reject_all(commands or self._take_unsent(), error)
            raise
        finally:
            if connection is not None:
                await self._drop(connection)

    async def _give_back(self, connection: Connection, age: int) -> None:
        if age == self._age:
            self._idle.append((connection, age))
        else:
            await connection.close()

    async def _drop(self, connection: Connection) -> None:
        if self._history is not None:
            self._history.lose()
        self._lost()
        await connection.close()

    def _take_unsent(self) -> list[Command]:
        taken, self._unsent = self._unsent, []
        history = self._history
        if history is None:
            return taken
        if history.recalled:
            version = history.version
            # In line, as this runs for every command.
            current = [command for command in taken if command.version == version or not command.tag]
        else:
            current = [command for command in taken if not command.tag]
        if len(current) < len(taken):
            for command in set(taken).difference(current):
                command.reject(Outdated() if history.recalled else unavailable(NotRecalled()))
        return current

    async def _exchange(self, connection: Connection, commands: list[Command]) -> None:
        if not commands:
            return
        marks = self._history.expected(commands) if self._history else {}
        words = [command.words for command in commands]
        if self._history and marks:
            words += [self._history.raising[tag] for tag in marks]
        replies = await connection.send(words)
        written = self._read_answers(replies, commands, confirmed=not (marks or self._limits.wait_replicas))
        if self._history and marks:
            written = self._take_watermarks(replies[len(commands) :], self._history, marks, written)
        if written and self._limits.wait_replicas:
            await self._wait_for_replicas(connection)
        for command, reply in written:
            command.resolve(reply)

    def _take_watermarks(
        self, replies: Sequence[Any], history: History, marks: Mapping[str, int], written: list[Answered]
    ) -> list[Answered]:
        """Reads the watermark of each bucket; writes without one, or into an old epoch, are rejected.

        WentBack rejects all commands without a reply, and discards the other connections.
        """
        refused: dict[str, RedisError] = {}
        for (tag, before), reply in zip(marks.items(), replies, strict=True):
            if isinstance(reply, OutOfMemoryError):  # Redis is full: what it still did was to delete
                continue
            if isinstance(reply, ResponseError) and not isinstance(reply, ReadOnlyError):
                log_failure(reply)  # such as: the bucket moved to another node meanwhile
                refused[tag] = reply
                continue
            if isinstance(reply, RedisError):  # such as: it is not the master any longer
                raise reply
            try:
                if history.raised(tag, before, reply):
                    refused[tag] = WentBack()
            except WentBack:
                self.renew()
                raise
        for command, _reply in written:
            if command.tag in refused:
                command.reject(unavailable(refused[command.tag]))
        return [one for one in written if one.command.tag not in refused] if refused else written

    def _read_answers(self, replies: Sequence[Any], commands: list[Command], *, confirmed: bool) -> list[Answered]:
        written: list[Answered] = []
        for command, reply in zip(commands, replies, strict=False):  # the replies of watermarks follow
            if isinstance(reply, ResponseError):  # the others have answers of their own
                self._refuse(command, reply)
            elif isinstance(reply, RedisError):
                raise reply
            elif confirmed or not command.writes:
                command.resolve(reply)
            else:
                written.append(Answered(command, reply))
        return written

    def _refuse(self, command: Command, error: ResponseError) -> None:
        """On ReadOnlyError the server is not a master any longer: no other command gets a reply from it."""
        match error:
            case NoScriptError():
                command.reject(error)
            case ReadOnlyError():
                raise error
            case AskError() | ClusterDownError() | TryAgainError():
                self.failure = "is not the one to ask"
                if self._redirect is None:
                    command.reject(unavailable(error))
                else:
                    self._redirect(command, error)
            case _:
                log_failure(error)
                command.reject(unavailable(error))

    async def _wait_for_replicas(self, connection: Connection) -> None:
        # WAIT counts the writes of its own connection; its timeout ends before the pipeline's.
        command = packed("WAIT", self._limits.wait_replicas, int(self._limits.seconds * 500))
        if await connection.ask(command) < self._limits.wait_replicas:
            raise TimeoutError("replicas did not acknowledge")

    async def _idle_or_new(self) -> Connection:
        while self._idle:
            connection, age = self._idle.pop()
            if age != self._age:
                await connection.close()
                continue
            if connection.is_usable:
                if self._is_comparison_due():
                    try:
                        await self._compare_once(connection)
                    except BaseException:
                        await self._drop(connection)
                        raise
                return connection
            await self._drop(connection)
        made = await Connection.open(self._maker)
        try:
            await self._examine(made)
        except BaseException:
            await made.close()
            raise
        return made

    async def _examine(self, connection: Connection) -> None:
        if self._limits.must_be_master and (await connection.ask(packed("ROLE")))[0] != "master":
            raise ReadOnlyError("it is a replica")
        if self._history is not None and self._history.recalled:
            await self._history.catch_up()
            await self._compare(connection, self._history)

    async def _compare_once(self, connection: Connection) -> None:
        if self._history is None or not self._history.recalled:
            return
        async with self._comparing:  # other pipelines wait for the same comparison
            if self._is_comparison_due():
                await self._compare(connection, self._history)

    async def _compare(self, connection: Connection, history: History) -> None:
        asked = time.monotonic()
        await history.compare(connection, self._tags())
        self._compared = asked

    def _is_comparison_due(self) -> bool:
        """Commands without a bucket, such as those of a readiness check, read and write no data."""
        return time.monotonic() - self._compared >= COMPARE_SECONDS and any(one.tag for one in self._unsent)
