"""Stores and bus servers that accept TLS only, with a CA of the test."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from portico_contracts.catalogue import BUS_USERS
from portico_stack.machine.ports import free_port
from portico_stack.machine.private_files import write_private
from portico_stack.processes.programs import Program
from portico_stack.servers import mongo, mongo_admin, mongo_names, nats, redis, redis_cluster
from redis.asyncio import Redis

from portico_harness.certificates import Files
from portico_harness.redis_programs import over_tls
from portico_harness.servers import RunningMongo, RunningNats, RunningRedis, running_alone


@dataclass(frozen=True)
class _TlsMongo(mongo.MongoServer):
    """Until its users exist, the stack itself connects without TLS."""

    tls: Files = field(kw_only=True)

    def write_configuration(self) -> Path:
        path = super().write_configuration()
        pair = write_private(self.data / "server.pem", self.tls.certificate.read_text() + self.tls.key.read_text())
        config = json.loads(path.read_text())
        config["net"]["tls"] = {
            "mode": "preferTLS",
            "certificateKeyFile": str(pair),
            "CAFile": str(self.tls.authority),
            "allowConnectionsWithoutCertificates": True,
        }
        return write_private(path, json.dumps(config))

    async def prepare(self) -> None:
        await super().prepare()
        async with mongo_admin.direct_client(self.port, mongo_names.ADMIN, self.passwords) as admin:
            await admin.admin.command("setParameter", 1, tlsMode="requireTLS")


@contextmanager
def mongo_over_tls(data: Path, tls: Files) -> Iterator[RunningMongo]:
    passwords = {user: f"p{secrets.token_hex(16)}" for user in (*mongo_names.USERS, mongo_names.ADMIN)}
    server = _TlsMongo(data, free_port(), passwords, secrets.token_hex(32), host="localhost", tls=tls)
    with running_alone(server) as (process, loop):
        yield RunningMongo(server.url, server.passwords, process, loop)


@contextmanager
def nats_over_tls(data: Path, tls: Files) -> Iterator[RunningNats]:
    passwords = {user: f"p{secrets.token_hex(16)}" for user in BUS_USERS}
    server = nats.NatsServer(data, free_port(), passwords, tls=nats.TlsFiles(*tls))
    with running_alone(server) as (process, loop):
        yield RunningNats(server.url, server.passwords, process, loop)


@dataclass(frozen=True)
class _TlsRedis(redis.RedisServer):
    """Redis at localhost over TLS.

    Args:
        executable: the Redis or Valkey to run.
    """

    tls: Files = field(kw_only=True)
    executable: Path = field(kw_only=True)

    @property
    def url(self) -> str:
        return f"rediss://localhost:{self.port}"

    def write_configuration(self) -> Path:
        path = super().write_configuration()
        return write_private(path, over_tls(path.read_text(), self.tls))

    def program(self) -> Program:
        program = super().program()
        return replace(program, argv=(str(self.executable), *program.argv[1:]))

    async def _ready(self) -> None:
        await _ping(self.url, self.passwords, self.tls)


@dataclass(frozen=True)
class TlsRedisCluster(redis_cluster.RedisCluster):
    """Nine nodes at 127.0.0.1, over TLS to clients and to each other.

    Args:
        executable: the Redis or Valkey to run.
    """

    tls: Files = field(kw_only=True)
    executable: Path = field(kw_only=True)

    @property
    def url(self) -> str:
        return super().url.replace("redis+cluster", "rediss+cluster")

    def programs(self) -> list[Program]:
        return [replace(one, argv=(str(self.executable), *one.argv[1:])) for one in super().programs()]

    def _configure(self, number: int) -> Path:
        path = super()._configure(number)
        return write_private(path, over_tls(path.read_text(), self.tls) + "tls-cluster yes\n")

    async def _ready(self, number: int) -> None:
        await _ping(f"rediss://127.0.0.1:{self.ports[number - 1]}", self.passwords, self.tls)


@contextmanager
def redis_over_tls(data: Path, tls: Files, executable: Path) -> Iterator[RunningRedis]:
    passwords = {user: f"p{secrets.token_hex(16)}" for user in redis.USERS}
    server = _TlsRedis(data, free_port(), passwords, tls=tls, executable=executable)
    with running_alone(server, contained=False) as (process, loop):
        yield RunningRedis(server.url, server.passwords, process, loop)


async def _ping(url: str, passwords: Mapping[str, str], tls: Files) -> None:
    user, password = next(iter(passwords.items()))
    trusted = f"{url}?ssl_ca_certs={tls.authority}"
    async with Redis.from_url(trusted, username=user, password=password, socket_timeout=1.0) as client:
        await client.ping()
