"""Real Redis, MongoDB and NATS for tests, with one login per service as in production.

Started once per run on free ports below a temporary directory, from the locked wheels or in containers. Tests
share them: use unique keys, collections and ids.
"""

from __future__ import annotations

import os
import resource
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from signal import Signals
from typing import Final, Protocol

from portico_contracts.catalogue import BUS_USERS
from portico_runtime.bus.nats_bus import NatsBus
from portico_runtime.settings.sections.bus import BusSection
from portico_runtime.settings.sections.mongo import MongoSection
from portico_runtime.settings.sections.redis import RedisSection
from portico_stack.machine.binaries import REDIS_SERVER
from portico_stack.machine.ports import free_pair, free_port
from portico_stack.machine.private_files import write_private
from portico_stack.processes.programs import Process, Program
from portico_stack.servers import mongo, mongo_names, nats, redis
from pydantic import SecretStr
from redis.asyncio import Redis

from portico_harness.containers import docker_answers, in_container
from portico_harness.eventually import HANGS
from portico_harness.loop_thread import LoopThread
from portico_harness.pausing import pause

_FORGETS_NOTHING: Final = ("--setParameter", "ttlMonitorEnabled=false")
"""Frozen clocks are in the past, so MongoDB's TTL monitor would delete test data."""

_NODES: Final = "nodes.conf"
_BUS: Final = 10_000
"""Offset of a node's cluster bus port."""

_IS_NAMED: Final = bool(os.environ.get(REDIS_SERVER.variable))
"""Another Redis than the locked one was requested by environment."""

_IN_CLUSTER: Final = ("--cluster-enabled", "yes", "--cluster-config-file", _NODES)


class Startable(Protocol):
    @property
    def data(self) -> Path: ...

    @property
    def url(self) -> str: ...

    def program(self) -> Program: ...

    async def prepare(self) -> None: ...


@dataclass(frozen=True)
class Running:
    """A running server.

    Attributes:
        url: address without credentials.
        passwords: by user.
    """

    url: str
    passwords: Mapping[str, str] = field(repr=False)
    _process: Process = field(repr=False)
    _loop: LoopThread = field(repr=False)

    def password(self, user: str) -> str:
        return self.passwords[user]

    def pause(self) -> None:
        """Makes connections hang, as when packets are dropped. Call `resume` in a ``finally``."""
        pause(self._process)

    def resume(self) -> None:
        self._process.send(Signals.SIGCONT)

    def kill(self) -> None:
        """Kills the server as a crash does; it is restarted automatically with its data on disk."""
        self._process.send(Signals.SIGKILL)

    def stop(self) -> None:
        """Makes connections fail. Call `start` in a ``finally``, because other tests share the server."""
        self._loop.run(self._process.stop(5))

    def start(self) -> None:
        """Restarts the server with its data on disk; returns once it answers."""
        self._loop.run(self._process.start())


class RunningRedis(Running):
    def section(self, user: str, *, timeout: float = HANGS) -> RedisSection:
        return RedisSection(
            redis_url=self.url, redis_password=SecretStr(self.passwords[user]), redis_timeout=timeout
        )  # fmt: skip


class RunningMongo(Running):
    def section(self, user: str, *, timeout: float = HANGS) -> MongoSection:
        return MongoSection(
            mongo_url=self.url, mongo_password=SecretStr(self.passwords[user]), mongo_timeout=timeout
        )  # fmt: skip


class RunningNats(Running):
    def section(self, user: str) -> BusSection:
        return BusSection(bus_url=self.url, bus_password=SecretStr(self.passwords[user]))

    def bus(self, user: str) -> NatsBus:
        return NatsBus(self.url, user, self.passwords[user])

    def lose_store(self) -> None:
        """Kills the server, deletes all JetStream data and restarts it."""
        self.stop()
        shutil.rmtree(self._process.log.parent.parent / "jetstream")
        self.start()

    def fill_disk(self) -> None:
        """Simulates a full disk with a file size limit; not available in a container."""
        self._limit_files(0)

    def free_disk(self) -> None:
        self._limit_files(resource.RLIM_INFINITY)

    def _limit_files(self, size: int) -> None:
        assert self._process.pid is not None
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


class _ClusterRedis(redis.RedisServer):
    def program(self) -> Program:
        program = super().program()
        id = secrets.token_hex(20)
        write_private(
            self.data / _NODES,
            f"{id} :0@0 myself,master - 0 0 1 connected 0-16383\nvars currentEpoch 1 lastVoteEpoch 0\n",
        )
        return replace(program, ready=self._can_be_written)

    async def _can_be_written(self) -> None:
        user, password = next(iter(self.passwords.items()))
        async with Redis.from_url(self.url, username=user, password=password, socket_timeout=1.0) as client:
            await client.delete(f"{user}:ready")


@contextmanager
def running_redis(data: Path, *, memory_mib: int = redis.MEMORY_MIB) -> Iterator[RunningRedis]:
    """Runs a Redis until the block ends.

    Args:
        memory_mib: memory limit above which writes are refused.
    """
    server = redis.RedisServer(data, free_port(), _passwords(redis.USERS), memory_mib=memory_mib)
    with running_alone(server, contained=not _IS_NAMED) as (process, loop):
        yield RunningRedis(server.url, server.passwords, process, loop)


@contextmanager
def clustered_redis(data: Path) -> Iterator[RunningRedis]:
    """Like `running_redis`, but refuses commands with keys in several slots."""
    server = _ClusterRedis(data, free_pair(None, _BUS), _passwords(redis.USERS))
    with running_alone(server, *_IN_CLUSTER, contained=not _IS_NAMED) as (process, loop):
        yield RunningRedis(server.url, server.passwords, process, loop)


@contextmanager
def running_mongo(data: Path) -> Iterator[RunningMongo]:
    """Runs a MongoDB without its TTL monitor until the block ends."""
    passwords = _passwords((*mongo_names.USERS, mongo_names.ADMIN))
    server = mongo.MongoServer(data, free_port(), passwords, secrets.token_hex(32))
    with running_alone(server, *_FORGETS_NOTHING) as (process, loop):
        yield RunningMongo(server.url, server.passwords, process, loop)


@contextmanager
def running_nats(data: Path, *, contained: bool = True) -> Iterator[RunningNats]:
    """Runs a NATS until the block ends.

    Args:
        contained: False forces a local process even where Docker is available.
    """
    server = nats.NatsServer(data, free_port(), _passwords(BUS_USERS))
    with running_alone(server, contained=contained) as (process, loop):
        yield RunningNats(server.url, server.passwords, process, loop)


@contextmanager
def running_alone(server: Startable, *arguments: str, contained: bool = True) -> Iterator[tuple[Process, LoopThread]]:
    """Runs a server until the block ends.

    Args:
        arguments: additional arguments of its program.
        contained: False forces a local process even where Docker is available.
    """
    loop = LoopThread()
    try:
        program = server.program()
        program = replace(program, argv=(*program.argv, *arguments))
        if contained and loop.run(docker_answers()):
            program = in_container(program, server.data)
        process = Process(program, server.data / "logs", print)
        loop.run(process.start())
        try:
            loop.run(server.prepare())
            yield process, loop
        finally:
            loop.run(process.stop(5))
    finally:
        loop.close()


def _passwords(users: tuple[str, ...]) -> dict[str, str]:
    return {user: f"p{secrets.token_hex(16)}" for user in users}
