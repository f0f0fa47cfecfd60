from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from signal import Signals
from typing import Any

import pytest
from portico_harness.pausing import pause
from portico_harness.servers import RunningMongo, running_alone
from portico_runtime.doctor.mongo import check_mongo
from portico_runtime.mongo.client import database_name
from portico_runtime.settings.sections.mongo import MongoSection
from portico_stack.machine.ports import free_port
from portico_stack.processes.programs import Process
from portico_stack.servers import mongo, mongo_admin, mongo_names
from portico_stack.servers.mongo_set import MongoSet
from pydantic import SecretStr
from pymongo import AsyncMongoClient

from .findings import gathered, of_level, printed

pytestmark = [pytest.mark.servers, pytest.mark.long]

CANARY = "canary-of-mongo-7f3a"


async def add_user(server: RunningMongo, *roles: dict[str, str]) -> tuple[MongoSection, str]:
    """Creates a user of a new database with roles; returns the section to connect as that user, and its name."""
    user = f"tester{secrets.token_hex(4)}"
    own = [{**role, "db": role.get("db", database_name(user))} for role in roles]
    async with AsyncMongoClient[dict[str, Any]](
        server.url, username=mongo_names.ADMIN, password=server.password(mongo_names.ADMIN)
    ) as admin:
        await admin[database_name(user)].command("createUser", user, pwd=CANARY, roles=own)
    return MongoSection(mongo_url=server.url, mongo_password=SecretStr(CANARY), mongo_timeout=5.0), user


async def test_minimal_roles_are_correct(mongo_server: RunningMongo) -> None:
    """A replica set of one member is a warning, because nothing can be written while it is down."""
    found = await gathered(check_mongo(mongo_server.section("users"), "users"))

    assert of_level(found, "wrong") == ""
    assert of_level(found, "warning").endswith("\nthe set portico has 1 member")
    assert "writes are acknowledged by a majority" in of_level(found, "ok")
    assert "the user users reads and writes portico_users and nothing else" in of_level(found, "ok")


async def test_checks_write_nothing(mongo_server: RunningMongo) -> None:
    section, user = await add_user(mongo_server, {"role": "readWrite"})
    await gathered(check_mongo(section, user))
    async with AsyncMongoClient[dict[str, Any]](
        section.mongo_url, username=user, password=CANARY, authSource=database_name(user)
    ) as client:
        assert await client[database_name(user)].list_collection_names() == []


@pytest.mark.parametrize(
    ("roles", "text"),
    [
        (
            ({"role": "readWrite"}, {"role": "read", "db": "portico_users"}),
            "also has access to portico_users",
        ),
        (({"role": "dbOwner"},), "may changePassword, createRole, createUser, dropDatabase"),
        (({"role": "readWriteAnyDatabase", "db": "admin"},), "also has access to "),
        (({"role": "root", "db": "admin"},), "everything"),
        (({"role": "read"},), "may not createIndex, insert, remove, update in portico_tester"),
    ],
    ids=["another's database", "owner", "any database", "root", "reads alone"],
)
async def test_wrong_roles_are_reported(
    mongo_server: RunningMongo, roles: tuple[dict[str, str], ...], text: str
) -> None:
    """Roles beyond the service's own database and missing roles are errors, and the fix is a command."""
    section, user = await add_user(mongo_server, *roles)
    found = await gathered(check_mongo(section, user))

    assert text in of_level(found, "wrong")
    assert f'updateUser("{user}", {{roles: [{{role: "readWrite"' in printed(found)
    assert CANARY not in printed(found)


async def test_refused_password_is_reported(mongo_server: RunningMongo) -> None:
    """The finding names the user and its database but not the password."""
    section = MongoSection(mongo_url=mongo_server.url, mongo_password=SecretStr(CANARY), mongo_timeout=5.0)
    found = await gathered(check_mongo(section, "users"))

    assert of_level(found, "wrong") == "it rejects the password of the user users"
    assert CANARY not in printed(found)


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("mongodb://127.0.0.1:9/?replicaSet=portico", "no primary responds within 0.5 s (ServerSelectionTimeoutError)"),
        (f"mongodb://users:{CANARY}@/", "PORTICO_MONGO_URL cannot be used"),
        (f"postgres://users:{CANARY}@127.0.0.1/", "PORTICO_MONGO_URL cannot be used"),
    ],
    ids=["nothing there", "no host", "another database"],
)
async def test_unreachable_address_is_reported(url: str, text: str) -> None:
    """Credentials in an unreachable address are not printed."""
    found = await gathered(check_mongo(MongoSection(mongo_url=url, mongo_timeout=0.5), "users"))

    assert text in of_level(found, "wrong")
    assert CANARY not in printed(found)


class Standalone(mongo.MongoServer):
    """MongoDB with its installation defaults: no replica set and no authorization."""

    @property
    def url(self) -> str:
        return f"mongodb://127.0.0.1:{self.port}"

    def write_configuration(self) -> Path:
        path = super().write_configuration()
        config = json.loads(path.read_text())
        path.write_text(
            json.dumps({name: part for name, part in config.items() if name not in ("replication", "security")})
        )
        return path

    async def prepare(self) -> None:
        async with mongo_admin.direct_client(self.port, None, {}) as client:
            await mongo_admin.create_users(client, {"users": CANARY})


@pytest.fixture
def standalone(tmp_path: Path) -> Iterator[Standalone]:
    server = Standalone(tmp_path, free_port(), {}, secrets.token_hex(32))
    with running_alone(server, contained=False):
        yield server


async def test_installation_defaults_are_reported(standalone: Standalone) -> None:
    """Without a replica set there are no transactions, and without authorization every client can do everything."""
    section = MongoSection(mongo_url=standalone.url, mongo_password=SecretStr(CANARY))
    found = await gathered(check_mongo(section, "users"))

    assert "it is not a replica set" in of_level(found, "wrong")
    assert "authorization is off: every client has full access" in of_level(found, "wrong")
    assert CANARY not in printed(found)


class Three:
    def __init__(self, data: Path) -> None:
        passwords = {user: f"p{secrets.token_hex(8)}" for user in (*mongo_names.USERS, mongo_names.ADMIN)}
        self.set = MongoSet(data, [free_port() for _ in range(3)], passwords, secrets.token_hex(32))
        self.processes: list[Process] = []
        self.section = MongoSection(mongo_url=self.set.url, mongo_password=SecretStr(passwords["users"]))

    async def start(self, ending: AsyncExitStack) -> None:
        for program in self.set.programs():
            self.processes.append(process := Process(program, self.set.data / "logs", print))
            ending.push_async_callback(process.stop, 5)
            await process.start()
        await self.set.prepare()

    async def lose_majority(self) -> list[Process]:
        """Suspends both secondaries and writes something only the primary has; returns the suspended processes."""
        async with AsyncMongoClient[dict[str, Any]](
            self.set.url, username="users", password=self.set.passwords["users"], authSource="portico_users", w=1
        ) as client:
            primary: str = (await client.portico_users.command("hello"))["primary"]
            ports = list(self.set.ports)
            paused = [one for one, port in zip(self.processes, ports, strict=True) if not primary.endswith(f":{port}")]
            for process in paused:
                pause(process)
            await client.portico_users.written.insert_one({})
        return paused


@pytest.fixture
async def three(tmp_path: Path) -> AsyncIterator[Three]:
    members = Three(tmp_path)
    async with AsyncExitStack() as ending:
        await members.start(ending)
        yield members


async def test_lost_majority_is_reported(three: Three) -> None:
    """With two of three members down no write is acknowledged, and both are named."""
    well = await gathered(check_mongo(three.section, "users"))
    paused = await three.lose_majority()
    try:
        hasty = three.section.model_copy(update={"mongo_timeout": 0.7})  # before the primary notices
        ill = await gathered(check_mongo(hasty, "users"))
    finally:
        for process in paused:
            process.send(Signals.SIGCONT)

    assert "the set portico has 3 members" in of_level(well, "ok")
    assert of_level(well, "warning") == "it is MongoDB 6.0.5, which has received no fixes since 2025-07-31"
    assert of_level(well, "wrong") == ""
    assert "writes are not acknowledged by a majority" in of_level(ill, "wrong")
    assert of_level(ill, "warning").count("does not respond") == 2
