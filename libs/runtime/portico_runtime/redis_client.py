"""Redis as the stores use it: bounded time, no silent retries, `ServiceError`s instead of driver errors.

redis-py makes, logs in and speaks over the connections; which connection is used is decided here, because the
library's own pool and client cost more than the whole answer of Redis, and repeat commands. What is asked in one
turn of the loop goes together, as a pipeline over one connection: that is most of what asking costs under load.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import structlog
from hiredis import pack_command
from portico_oauth.errors import UNAVAILABLE, ServiceError
from redis.asyncio import ConnectionPool
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, RedisError, ResponseError
from redis.maint_notifications import MaintNotificationsConfig

from portico_runtime.settings import RedisSection

log = structlog.get_logger("portico.redis")

MAX_CONNECTIONS: Final = 4
"""Pipelines under way at a time. What is asked meanwhile goes with the next: the slower Redis, the more at once."""

Value = str | int | float


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua script whose arguments have names.

    Args:
        source: what Redis runs: the names as locals, then the body. Both share the first line, so that the lines of
            an error are those of the body.
        sha1: the name Redis gives the source.
        arguments: the names of ``ARGV[1]``, ``ARGV[2]`` and so on.
    """

    source: str
    sha1: str
    arguments: tuple[str, ...]

    @classmethod
    def load(cls, body: str, arguments: tuple[str, ...]) -> Script:
        """Puts the declared names in front of a body."""
        values = ", ".join(f"ARGV[{position}]" for position in range(1, len(arguments) + 1))
        source = f"local {', '.join(arguments)} = {values} {body}" if arguments else body
        return cls(source, hashlib.sha1(source.encode()).hexdigest(), arguments)  # noqa: S324 - how Redis names scripts

    def in_order(self, named: Mapping[str, Value]) -> list[Value]:
        """The values of all declared arguments in the order of ``ARGV``.

        Raises:
            TypeError: a declared argument is missing, or another one is given.
        """
        if len(named) != len(self.arguments):
            raise TypeError(f"the script takes {self.arguments}, not {tuple(named)}")
        try:
            return [named[name] for name in self.arguments]
        except KeyError as missing:
            raise TypeError(f"the script takes {self.arguments}, not {tuple(named)}") from missing


class _Command(NamedTuple):
    """A command on its way.

    Args:
        packed: the command as it is sent.
        writes: the replicas have to acknowledge it.
        answer: the reply of Redis, or why it is not known.
    """

    packed: bytes
    writes: bool
    answer: asyncio.Future[Any]

    def resolve(self, reply: Any) -> None:
        """Sets the answer, unless no caller waits for it any more."""
        if not self.answer.done():
            self.answer.set_result(reply)

    def reject(self, error: Exception) -> None:
        """Sets the error in the place of an answer."""
        if not self.answer.done():
            self.answer.set_exception(error)


class RedisClient:
    """Logged in as the service's own user, whose keys all begin with ``<service>:``."""

    def __init__(self, settings: RedisSection, user: str) -> None:
        self._wait_replicas = settings.redis_wait_replicas
        self._seconds = settings.redis_timeout
        self._places = asyncio.Semaphore(MAX_CONNECTIONS)
        self._idle: list[AbstractConnection] = []
        self._unsent: list[_Command] = []
        self._pipelines: set[asyncio.Task[None]] = set()
        self._when_lost: list[Callable[[], None]] = []
        self._failure = ""
        self._maker: ConnectionPool = ConnectionPool.from_url(
            settings.redis_url,
            username=user,
            password=settings.redis_password.get_secret_value(),
            # A claim that is sent twice is granted to no caller: a broken connection is the caller's 503.
            retry=Retry(NoBackoff(), 0),
            socket_timeout=None,  # a pipeline has one time limit, see `_send`
            socket_connect_timeout=settings.redis_timeout,
            maint_notifications_config=MaintNotificationsConfig(enabled=False),
            decode_responses=True,
        )

    async def start(self) -> None:
        """Nothing to begin: connections are made when they are needed."""

    async def check(self) -> None:
        """Raises unless Redis answers."""
        await self.read("PING")

    def degradation(self) -> str:
        """Why the last commands had no answer; empty when they had. For a service that does most of its work without."""
        return self._failure

    async def time(self) -> float:
        """Unix time in seconds by the clock of Redis.

        Raises:
            ServiceError: `unavailable`.
        """
        seconds, microseconds = await self.read("TIME")
        return int(seconds) + int(microseconds) / 1_000_000

    async def close(self) -> None:
        """Finishes what is under way and closes all connections."""
        if self._pipelines:
            await asyncio.wait(self._pipelines)
        while self._idle:
            await self._idle.pop().disconnect()

    def when_lost(self, notify: Callable[[], None]) -> None:
        """Calls a function whenever a connection was lost: who answers the next one may have lost data, or be older."""
        self._when_lost.append(notify)

    def script(self, body: str, *, arguments: tuple[str, ...] = ()) -> Script:
        """Prepares a Lua script, which reads its arguments by the declared names; run it with `run`."""
        return Script.load(body, arguments)

    async def run(self, script: Script, keys: Sequence[str], args: Sequence[Value] = (), /, **named: Value) -> Any:
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
        rest = (len(keys), *keys, *script.in_order(named), *args)
        try:
            return await self._enqueue(("EVALSHA", script.sha1, *rest), writes=True)
        except NoScriptError:  # it certainly did not run; Redis remembers it from here on
            return await self._enqueue(("EVAL", script.source, *rest), writes=True)

    async def ask(self, script: Script, keys: Sequence[str], args: Sequence[Value] = (), /) -> Any:
        """Runs a script that only reads: no replica has to acknowledge it.

        Raises:
            ServiceError: `unavailable`.
        """
        rest = (len(keys), *keys, *args)
        try:
            return await self._enqueue(("EVALSHA", script.sha1, *rest), writes=False)
        except NoScriptError:
            return await self._enqueue(("EVAL", script.source, *rest), writes=False)

    async def read(self, command: str, *args: Value) -> Any:
        """Runs one reading command.

        Raises:
            ServiceError: `unavailable`.
        """
        return await self._enqueue((command, *args), writes=False)

    def _enqueue(self, command: tuple[Value, ...], *, writes: bool) -> asyncio.Future[Any]:
        """The answer to a command; it is sent with all others of this turn of the loop."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        # Packed by hiredis: the connection's own way is in Python.
        packed = pack_command(command)  # type: ignore[arg-type]  # its stub knows one-word commands only
        if not self._unsent:
            pipeline = asyncio.create_task(self._send())
            self._pipelines.add(pipeline)
            pipeline.add_done_callback(self._pipelines.discard)
        self._unsent.append(_Command(packed, writes, answer))
        return answer

    async def _send(self) -> None:
        """Asks everything that is not sent yet; when that fails, it is the answer of all that have none."""
        commands: list[_Command] = []
        connection: AbstractConnection | None = None
        try:
            async with asyncio.timeout(self._seconds), self._places:
                commands = self._take_unsent()
                connection = await self._idle_or_new()
                await self._exchange(connection, commands)
                self._idle.append(connection)  # everything asked was answered: it can be asked again
                connection = None
                self._failure = ""
        except (RedisError, OSError, TimeoutError) as error:
            self._failure = "cannot be reached"
            _log(error)
            _reject_all(commands or self._take_unsent(), error)
        except BaseException as error:  # the service ends, or the fault is our own
            _reject_all(commands or self._take_unsent(), error)
            raise
        finally:
            if connection is not None:
                self._lose()
                await connection.disconnect(nowait=True)

    def _lose(self) -> None:
        for notify in self._when_lost:
            notify()

    def _take_unsent(self) -> list[_Command]:
        taken, self._unsent = self._unsent, []
        return taken

    async def _exchange(self, connection: AbstractConnection, commands: list[_Command]) -> None:
        await connection.send_packed_command([command.packed for command in commands], check_health=False)
        written: list[tuple[_Command, Any]] = []
        for command in commands:
            try:
                reply = await connection.read_response()
            except NoScriptError as error:
                command.reject(error)
            except ResponseError as error:  # the others have answers of their own
                _log(error)
                command.reject(_error(error))
            else:
                if command.writes and self._wait_replicas:
                    written.append((command, reply))
                else:
                    command.resolve(reply)
        if written:
            await self._wait_for_replicas(connection)
            for command, reply in written:
                command.resolve(reply)

    async def _wait_for_replicas(self, connection: AbstractConnection) -> None:
        # WAIT counts what its own connection wrote; its time ends before the pipeline's own.
        packed = pack_command(("WAIT", self._wait_replicas, int(self._seconds * 500)))  # type: ignore[arg-type]
        await connection.send_packed_command(packed, check_health=False)
        if await connection.read_response() < self._wait_replicas:
            raise TimeoutError("replicas did not acknowledge")

    async def _idle_or_new(self) -> AbstractConnection:
        while self._idle:
            connection = self._idle.pop()
            # What can be read before anything was asked is the end of the connection.
            if connection.is_connected and not await connection.can_read():
                return connection
            self._lose()
            await connection.disconnect(nowait=True)
        made: AbstractConnection = self._maker.make_connection()  # type: ignore[no-untyped-call]
        await made.connect()  # type: ignore[no-untyped-call]
        return made


def _reject_all(commands: list[_Command], error: BaseException) -> None:
    for command in commands:
        command.reject(_error(error))


def _error(error: BaseException) -> ServiceError:
    return UNAVAILABLE.error(retry_after=1, part="redis", cause=type(error).__name__)


def _log(error: Exception) -> None:
    log.warning("redis failed", cause=type(error).__name__, text=str(error)[:120])
