"""Real Redis, MongoDB and NATS for tests: each service is its own user, as in production.

Started once per test run on free ports below a temporary directory, from the locked wheels, or in containers
where a Docker engine answers. Tests share them: use keys, collections and ids of your own.
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
from portico_runtime.bus import NatsBus
from portico_runtime.settings import BusSection, MongoSection, RedisSection
from portico_stack.binaries import REDIS_SERVER
from portico_stack.ports import free_pair, free_port
from portico_stack.private_files import write_private
from portico_stack.processes import Process, Program
from portico_stack.servers import mongo, nats, redis
from pydantic import SecretStr
from redis.asyncio import Redis

from portico_harness.containers import docker_answers, in_container
from portico_harness.loop_thread import LoopThread

_FORGETS_NOTHING: Final = ("--setParameter", "ttlMonitorEnabled=false")
"""A frozen clock shows the past: what tests store for an hour would be out of date to MongoDB's own clock."""

_NODES: Final = "nodes.conf"
_BUS: Final = 10_000
"""What a node adds to its port: there it would listen to other nodes."""

_IS_NAMED: Final = bool(os.environ.get(REDIS_SERVER.variable))
"""The tests are to run on another Redis than that of the lock file, and not on the one of a container."""

_IN_CLUSTER: Final = ("--cluster-enabled", "yes", "--cluster-config-file", _NODES)


class Startable(Protocol):
    """One of the server classes of `portico_stack.servers`."""

    @property
    def data(self) -> Path:
        """The directory of its files."""
        ...

    @property
    def url(self) -> str:
        """Address without credentials."""
        ...

    def program(self) -> Program:
        """What to run."""
        ...

    async def prepare(self) -> None:
        """What has to exist before a service logs in."""
        ...


@dataclass(frozen=True)
class Running:
    """A server of the test run.

    Attributes:
        url: address without credentials.
        passwords: by user.
    """

    url: str
    passwords: Mapping[str, str] = field(repr=False)
    _process: Process = field(repr=False)
    _loop: LoopThread = field(repr=False)

    def password(self, user: str) -> str:
        """The password of one user."""
        return self.passwords[user]

    def pause(self) -> None:
        """Connections hang from now on, as when packets are dropped. Call `resume` in a ``finally``."""
        self._process.send(Signals.SIGSTOP)

    def resume(self) -> None:
        """Ends a pause."""
        self._process.send(Signals.SIGCONT)

    def kill(self) -> None:
        """Ends it at once, as a crash does; it is started again by itself, with what it had on the disk."""
        self._process.send(Signals.SIGKILL)

    def stop(self) -> None:
        """Connections are refused from now on. Call `start` in a ``finally``: others use the server too."""
        self._loop.run(self._process.stop(5))

    def start(self) -> None:
        """Starts it again with what it had on the disk; returns once it answers."""
        self._loop.run(self._process.start())


class RunningRedis(Running):
    """Redis with the users authz and token."""

    def section(self, user: str, *, timeout: float = 1.5) -> RedisSection:
        """Settings to reach it as a service."""
        return RedisSection(
            redis_url=self.url, redis_password=SecretStr(self.passwords[user]), redis_timeout=timeout
        )  # fmt: skip


class RunningMongo(Running):
    """MongoDB with the users users and keys."""

    def section(self, user: str, *, timeout: float = 5.0) -> MongoSection:
        """Settings to reach it as a service."""
        return MongoSection(
            mongo_url=self.url, mongo_password=SecretStr(self.passwords[user]), mongo_timeout=timeout
        )  # fmt: skip


class RunningNats(Running):
    """NATS with all bus users and the stream of events."""

    def section(self, user: str) -> BusSection:
        """Settings to reach it as a service."""
        return BusSection(bus_url=self.url, bus_password=SecretStr(self.passwords[user]))

    def bus(self, user: str) -> NatsBus:
        """A bus logged in as one user; call ``start`` and ``close``."""
        return NatsBus(self.url, user, self.passwords[user])

    def lose_store(self) -> None:
        """Kills it, removes everything JetStream stored, and starts it again as a supervisor would: empty."""
        self.stop()
        shutil.rmtree(self._process.log.parent.parent / "jetstream")
        self.start()

    def fill_disk(self) -> None:
        """No file grows from now on, which is what a full disk is to it. Only where it is no container."""
        self._limit_files(0)

    def free_disk(self) -> None:
        """Ends `fill_disk`."""
        self._limit_files(resource.RLIM_INFINITY)

    def _limit_files(self, size: int) -> None:
        assert self._process.pid is not None
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


class _ClusterRedis(redis.RedisServer):
    """A Redis Cluster of one node that has every slot."""

    def program(self) -> Program:
        """See `redis.RedisServer.program`; ready once its slots can be written: two seconds after each start."""
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
    """A Redis that lives as long as the ``with`` block.

    Args:
        memory_mib: from this much memory on it refuses writes.
    """
    server = redis.RedisServer(data, free_port(), _passwords(redis.USERS), memory_mib=memory_mib)
    with running_alone(server, contained=not _IS_NAMED) as (process, loop):
        yield RunningRedis(server.url, server.passwords, process, loop)


@contextmanager
def clustered_redis(data: Path) -> Iterator[RunningRedis]:
    """The same, but it refuses commands whose keys are in several slots."""
    server = _ClusterRedis(data, free_pair(None, _BUS), _passwords(redis.USERS))
    with running_alone(server, *_IN_CLUSTER, contained=not _IS_NAMED) as (process, loop):
        yield RunningRedis(server.url, server.passwords, process, loop)


@contextmanager
def running_mongo(data: Path) -> Iterator[RunningMongo]:
    """A MongoDB that lives as long as the ``with`` block, and forgets nothing by its own clock."""
    passwords = _passwords((*mongo.USERS, mongo.ADMIN))
    server = mongo.MongoServer(data, free_port(), passwords, secrets.token_hex(32))
    with running_alone(server, *_FORGETS_NOTHING) as (process, loop):
        yield RunningMongo(server.url, server.passwords, process, loop)


@contextmanager
def running_nats(data: Path, *, contained: bool = True) -> Iterator[RunningNats]:
    """A NATS that lives as long as the ``with`` block.

    Args:
        contained: in a container where a Docker engine answers; False for a process of this machine in any case.
    """
    server = nats.NatsServer(data, free_port(), _passwords(BUS_USERS))
    with running_alone(server, contained=contained) as (process, loop):
        yield RunningNats(server.url, server.passwords, process, loop)


@contextmanager
def running_alone(server: Startable, *arguments: str, contained: bool = True) -> Iterator[tuple[Process, LoopThread]]:
    """A server that lives as long as the ``with`` block.

    Args:
        arguments: added to those of its program.
        contained: in a container where a Docker engine answers; False for a process of this machine in any case.
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
