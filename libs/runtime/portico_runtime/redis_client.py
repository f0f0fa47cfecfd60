"""Redis as the stores use it: bounded time, no silent retries, refusals instead of driver errors.

redis-py makes, logs in and speaks over the connections; which connection is used is decided here, because the
library's own pool and client cost more than the whole answer of Redis, and repeat commands.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import structlog
from hiredis import pack_command
from portico_oauth.errors import UNAVAILABLE, Refusal
from redis.asyncio import ConnectionPool
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, RedisError, ResponseError
from redis.maint_notifications import MaintNotificationsConfig

from portico_runtime.settings import RedisSection

log = structlog.get_logger("portico.redis")

MAX_CONNECTIONS: Final = 64

Word = str | int | float


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua script, and the name Redis gives it."""

    source: str
    sha1: str


class RedisClient:
    """Logged in as the service's own user, whose keys all begin with ``<service>:``."""

    def __init__(self, settings: RedisSection, user: str) -> None:
        self._wait_replicas = settings.redis_wait_replicas
        self._seconds = settings.redis_timeout
        self._places = asyncio.Semaphore(MAX_CONNECTIONS)
        self._idle: list[AbstractConnection] = []
        self._maker: ConnectionPool = ConnectionPool.from_url(
            settings.redis_url,
            username=user,
            password=settings.redis_password.get_secret_value(),
            # A claim that is sent twice is claimed by nobody: a broken connection is the caller's 503.
            retry=Retry(NoBackoff(), 0),
            socket_timeout=None,  # the whole question has one time limit, see `_connection`
            socket_connect_timeout=settings.redis_timeout,
            maint_notifications_config=MaintNotificationsConfig(enabled=False),
            decode_responses=True,
        )

    async def start(self) -> None:
        """Nothing to begin: connections are made when they are needed."""

    async def check(self) -> None:
        """Raises unless Redis answers."""
        await self.read("PING")

    async def close(self) -> None:
        """Closes all connections."""
        while self._idle:
            await self._idle.pop().disconnect()

    def script(self, source: str) -> Script:
        """Prepares a Lua script; run it with `run`."""
        return Script(source, hashlib.sha1(source.encode()).hexdigest())  # noqa: S324 - how Redis names scripts

    async def run(self, script: Script, keys: Sequence[str], args: Sequence[Word]) -> Any:
        """Runs a script atomically: all its keys are in one slot.

        Raises:
            Refusal: `unavailable` when it cannot be known to have run, or replicas did not acknowledge it.
        """
        rest = (len(keys), *keys, *args)
        async with self._connection() as connection:
            try:
                result = await _ask(connection, "EVALSHA", script.sha1, *rest)
            except NoScriptError:  # it certainly did not run; Redis remembers it from here on
                result = await _ask(connection, "EVAL", script.source, *rest)
            if self._wait_replicas:
                await self._wait_for_replicas(connection)
        return result

    async def read(self, command: str, *args: Word) -> Any:
        """Runs one reading command.

        Raises:
            Refusal: `unavailable`.
        """
        async with self._connection() as connection:
            return await _ask(connection, command, *args)

    async def _wait_for_replicas(self, connection: AbstractConnection) -> None:
        # WAIT counts what its own connection wrote; its time ends before the question's own.
        acknowledged = await _ask(connection, "WAIT", self._wait_replicas, int(self._seconds * 500))
        if acknowledged < self._wait_replicas:
            raise UNAVAILABLE.refusal(retry_after=1, part="redis", cause="replicas")

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AbstractConnection]:
        """A connection for one question, within the time a question has; given back only when it is clean."""
        connection: AbstractConnection | None = None
        try:
            async with asyncio.timeout(self._seconds), self._places:
                connection = await self._idle_or_new()
                try:
                    yield connection
                except (ResponseError, Refusal):  # Redis answered, so the connection is at the end of an answer
                    self._idle.append(connection)
                    connection = None
                    raise
                self._idle.append(connection)
                connection = None
        except (RedisError, OSError, TimeoutError) as error:
            log.warning("redis failed", cause=type(error).__name__, text=str(error)[:120])
            raise UNAVAILABLE.refusal(retry_after=1, part="redis", cause=type(error).__name__) from error
        finally:
            if connection is not None:
                await connection.disconnect(nowait=True)

    async def _idle_or_new(self) -> AbstractConnection:
        while self._idle:
            connection = self._idle.pop()
            # What can be read before anything was asked is the end of the connection.
            if connection.is_connected and not await connection.can_read():
                return connection
            await connection.disconnect(nowait=True)
        made: AbstractConnection = self._maker.make_connection()  # type: ignore[no-untyped-call]
        await made.connect()  # type: ignore[no-untyped-call]
        return made


async def _ask(connection: AbstractConnection, *command: Word) -> Any:
    # Packed by hiredis: the connection's own way is in Python.
    packed = pack_command(command)  # type: ignore[arg-type]  # its stub knows one-word commands only
    await connection.send_packed_command(packed, check_health=False)
    return await connection.read_response()
