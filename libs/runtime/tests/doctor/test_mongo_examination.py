"""What the doctor finds of MongoDB: real servers with one fault each."""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from signal import Signals
from typing import Any

import pytest
from portico_harness.servers import RunningMongo, running_alone
from portico_runtime.doctor.mongo_examination import examine_mongo
from portico_runtime.mongo import database_name
from portico_runtime.settings import MongoSection
from portico_stack.ports import free_port
from portico_stack.processes import Process
from portico_stack.servers import mongo
from portico_stack.servers.mongo_set import MongoSet
from pydantic import SecretStr
from pymongo import AsyncMongoClient

from .findings import gathered, of_level, printed

pytestmark = [pytest.mark.servers, pytest.mark.long]

CANARY = "canary-of-mongo-7f3a"


async def add_user(server: RunningMongo, *roles: dict[str, str]) -> tuple[MongoSection, str]:
    """A user of a database of its own, with some roles: how to reach the server as it, and its name."""
    user = f"tester{secrets.token_hex(4)}"
    own = [{**role, "db": role.get("db", database_name(user))} for role in roles]
    async with AsyncMongoClient[dict[str, Any]](
        server.url, username=mongo.ADMIN, password=server.password(mongo.ADMIN)
    ) as admin:
        await admin[database_name(user)].command("createUser", user, pwd=CANARY, roles=own)
    return MongoSection(mongo_url=server.url, mongo_password=SecretStr(CANARY), mongo_timeout=5.0), user


async def test_a_user_with_its_own_database_is_well(mongo_server: RunningMongo) -> None:
    """Nothing is wrong; a set of one member is a warning, because nothing can be written while that is down."""
    found = await gathered(examine_mongo(mongo_server.section("users"), "users"))

    assert of_level(found, "wrong") == ""
    assert of_level(found, "warning") == "the set portico has 1 member"
    assert "writes are acknowledged by a majority" in of_level(found, "ok")
    assert "the user users reads and writes portico_users and nothing else" in of_level(found, "ok")


async def test_looking_changes_nothing(mongo_server: RunningMongo) -> None:
    """No collection and no record is there afterwards that was not there before."""
    section, user = await add_user(mongo_server, {"role": "readWrite"})
    await gathered(examine_mongo(section, user))
    async with AsyncMongoClient[dict[str, Any]](
        section.mongo_url, username=user, password=CANARY, authSource=database_name(user)
    ) as client:
        assert await client[database_name(user)].list_collection_names() == []


@pytest.mark.parametrize(
    ("roles", "text"),
    [
        (
            ({"role": "readWrite"}, {"role": "read", "db": "portico_users"}),
            "may use portico_users besides portico_tester",
        ),
        (({"role": "dbOwner"},), "may changePassword, createRole, createUser, dropDatabase"),
        (({"role": "readWriteAnyDatabase", "db": "admin"},), "may use "),
        (({"role": "root", "db": "admin"},), "everything"),
        (({"role": "read"},), "may not createIndex, insert, remove, update in portico_tester"),
    ],
    ids=["another's database", "owner", "any database", "root", "reads alone"],
)
async def test_other_rights_than_the_minimal_ones_are_wrong(
    mongo_server: RunningMongo, roles: tuple[dict[str, str], ...], text: str
) -> None:
    """More than its own database endangers that of another service, less has requests fail; the fix is the command."""
    section, user = await add_user(mongo_server, *roles)
    found = await gathered(examine_mongo(section, user))

    assert text in of_level(found, "wrong")
    assert f'updateUser("{user}", {{roles: [{{role: "readWrite"' in printed(found)
    assert CANARY not in printed(found)


async def test_a_password_that_is_not_accepted(mongo_server: RunningMongo) -> None:
    """The user and its database are named, the password is not."""
    section = MongoSection(mongo_url=mongo_server.url, mongo_password=SecretStr(CANARY), mongo_timeout=5.0)
    found = await gathered(examine_mongo(section, "users"))

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
async def test_an_address_that_leads_nowhere(url: str, text: str) -> None:
    """A finding, whatever is wrong with it; credentials that someone put into the address are not printed."""
    found = await gathered(examine_mongo(MongoSection(mongo_url=url, mongo_timeout=0.5), "users"))

    assert text in of_level(found, "wrong")
    assert CANARY not in printed(found)


class Standalone(mongo.MongoServer):
    """A MongoDB as it is after its installation: no set, and no authorization."""

    @property
    def url(self) -> str:
        """See `MongoServer.url`."""
        return f"mongodb://127.0.0.1:{self.port}"

    def write_configuration(self) -> Path:
        """See `MongoServer.write_configuration`."""
        path = super().write_configuration()
        config = json.loads(path.read_text())
        path.write_text(
            json.dumps({name: part for name, part in config.items() if name not in ("replication", "security")})
        )
        return path

    async def prepare(self) -> None:
        """See `MongoServer.prepare`."""
        async with mongo.direct_client(self.port, None, {}) as client:
            await mongo.create_users(client, {"users": CANARY})


@pytest.fixture
def standalone(tmp_path: Path) -> Iterator[Standalone]:
    """One of this test."""
    server = Standalone(tmp_path, free_port(), {}, secrets.token_hex(32))
    with running_alone(server, contained=False):
        yield server


async def test_mongodb_as_it_is_installed(standalone: Standalone) -> None:
    """It has no transactions without a set, and lets every client do everything."""
    section = MongoSection(mongo_url=standalone.url, mongo_password=SecretStr(CANARY))
    found = await gathered(examine_mongo(section, "users"))

    assert "it is not a replica set" in of_level(found, "wrong")
    assert "authorization is off: every client has full access" in of_level(found, "wrong")
    assert CANARY not in printed(found)


class Three:
    """A set of three members."""

    def __init__(self, data: Path) -> None:
        passwords = {user: f"p{secrets.token_hex(8)}" for user in (*mongo.USERS, mongo.ADMIN)}
        self.set = MongoSet(data, [free_port() for _ in range(3)], passwords, secrets.token_hex(32))
        self.processes: list[Process] = []
        self.section = MongoSection(mongo_url=self.set.url, mongo_password=SecretStr(passwords["users"]))

    async def start(self, ending: AsyncExitStack) -> None:
        """Starts all of them; they end with the stack."""
        for program in self.set.programs():
            self.processes.append(process := Process(program, self.set.data / "logs", print))
            ending.push_async_callback(process.stop, 5)
            await process.start()
        await self.set.prepare()

    async def lose_majority(self) -> list[Process]:
        """Has both secondaries hang, and writes something that the primary alone has; returned are those to be resumed."""
        async with AsyncMongoClient[dict[str, Any]](
            self.set.url, username="users", password=self.set.passwords["users"], authSource="portico_users", w=1
        ) as client:
            primary: str = (await client.portico_users.command("hello"))["primary"]
            ports = list(self.set.ports)
            paused = [one for one, port in zip(self.processes, ports, strict=True) if not primary.endswith(f":{port}")]
            for process in paused:
                process.send(Signals.SIGSTOP)
            await client.portico_users.written.insert_one({})
        return paused


@pytest.fixture
async def three(tmp_path: Path) -> AsyncIterator[Three]:
    """A set of this test."""
    members = Three(tmp_path)
    async with AsyncExitStack() as ending:
        await members.start(ending)
        yield members


async def test_a_set_whose_majority_is_away(three: Three) -> None:
    """Three members are well; with two that hang no write is acknowledged, and each of them is named."""
    well = await gathered(examine_mongo(three.section, "users"))
    paused = await three.lose_majority()
    try:
        hasty = three.section.model_copy(update={"mongo_timeout": 0.7})  # before the primary notices
        ill = await gathered(examine_mongo(hasty, "users"))
    finally:
        for process in paused:
            process.send(Signals.SIGCONT)

    assert "the set portico has 3 members" in of_level(well, "ok")
    assert (of_level(well, "warning"), of_level(well, "wrong")) == ("", "")
    assert "writes are not acknowledged by a majority" in of_level(ill, "wrong")
    assert of_level(ill, "warning").count("does not respond") == 2
