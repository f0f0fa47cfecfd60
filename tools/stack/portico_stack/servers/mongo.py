"""MongoDB: a replica set of one member with authentication; each service owns one database."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from portico_runtime.mongo import database_name
from pymongo import AsyncMongoClient
from pymongo.errors import OperationFailure

from portico_stack.binaries import find_mongod
from portico_stack.private_files import private_directory, write_private
from portico_stack.processes import Program

USERS: Final = ("users", "keys")

ADMIN: Final = "operator"
REPLICA_SET: Final = "portico"

_UNAUTHORIZED: Final = 13
_AUTHENTICATION_FAILED: Final = 18
_ALREADY_INITIALIZED: Final = 23
_EXISTS: Final = 51003
_PRIMARY_SECONDS: Final = 20.0

Client = AsyncMongoClient[dict[str, Any]]


def config(data: Path, port: int, bind: str) -> str:
    return json.dumps(
        {
            "storage": {
                "dbPath": str(data / "db"),
                # Only of writes without j:true, which flush the journal at once; services make none.
                "journal": {"commitIntervalMs": 500},
                "wiredTiger": {"engineConfig": {"cacheSizeGB": 0.25}},
            },
            "net": {
                "bindIp": bind,
                "port": port,
                "unixDomainSocket": {"enabled": False},
                # Processed before authentication, and useless on one machine.
                "compression": {"compressors": "disabled"},
            },
            "replication": {"replSetName": REPLICA_SET, "oplogSizeMB": 128},
            # No query uses scripts, which would run in the server.
            "security": {"authorization": "enabled", "keyFile": str(data / "member.key"), "javascriptEnabled": False},
            "systemLog": {"quiet": True},
            "setParameter": {
                "diagnosticDataCollectionEnabled": False,
                # A set of one has no member to step down for.
                "shutdownTimeoutMillisForSignaledShutdown": 100,
            },
        },
        indent=2,
    )


@dataclass(frozen=True)
class MongoServer:
    """`bind` must include 127.0.0.1, where its first user is created; `host` is its name in the replica set."""

    data: Path
    port: int
    passwords: Mapping[str, str] = field(repr=False)
    member_key: str = field(repr=False)
    bind: str = "127.0.0.1"
    host: str = "127.0.0.1"

    @property
    def url(self) -> str:
        return f"mongodb://{self.host}:{self.port}/?replicaSet={REPLICA_SET}"

    def write_configuration(self) -> Path:
        private_directory(self.data / "db")
        write_private(self.data / "member.key", self.member_key)
        return write_private(self.data / "mongod.conf", config(self.data, self.port, self.bind))

    def program(self) -> Program:
        argv = (str(find_mongod()), "--config", str(self.write_configuration()))
        return Program("mongo", argv, self._ready)

    async def prepare(self) -> None:
        """Initiates the replica set and creates users, on the server's machine; idempotent."""
        try:
            async with self._client(ADMIN) as admin:
                await self._become_primary(admin)
        except OperationFailure as error:
            if not is_authentication_failure(error):
                raise
            # Without users, a connection from localhost needs no authentication.
            async with self._client(None) as nobody:
                await self._become_primary(nobody)
            await create_first_user(self.port, self.passwords)
        async with self._client(ADMIN) as admin:
            await create_users(admin, {user: self.passwords[user] for user in USERS})

    def _client(self, user: str | None) -> Client:
        return direct_client(self.port, user, self.passwords)

    async def _ready(self) -> None:
        async with self._client(None) as client:
            await client.admin.command("ping")

    async def _become_primary(self, client: Client) -> None:
        member = {"_id": 0, "host": f"{self.host}:{self.port}"}
        hello = await client.admin.command("hello")
        if hello.get("isreplicaset"):  # it is new, or does not find itself in its set
            await self._join(client, member)
        async with asyncio.timeout(_PRIMARY_SECONDS):
            while not (await client.admin.command("hello")).get("isWritablePrimary"):  # noqa: ASYNC110 - it has to be asked
                await asyncio.sleep(0.05)

    async def _join(self, client: Client, member: dict[str, Any]) -> None:
        try:
            await client.admin.command("replSetInitiate", {"_id": REPLICA_SET, "members": [member]})
        except OperationFailure as error:
            if not is_already_initiated(error):
                raise
            await move_members(client, [member["host"]])


def is_authentication_failure(error: OperationFailure) -> bool:
    return error.code in (_AUTHENTICATION_FAILED, _UNAUTHORIZED)


def is_already_initiated(error: OperationFailure) -> bool:
    return error.code == _ALREADY_INITIALIZED


def direct_client(port: int, user: str | None, passwords: Mapping[str, str]) -> Client:
    """Connects only to that server of this machine, whatever its set is."""
    return AsyncMongoClient(
        "127.0.0.1",
        port,
        username=user,
        password=passwords[user] if user else None,
        directConnection=True,
        serverSelectionTimeoutMS=2_000,
    )


async def move_members(client: Client, hosts: Sequence[str]) -> None:
    found = (await client.admin.command("replSetGetConfig"))["config"]
    if [member["host"] for member in found["members"]] != list(hosts):
        found["members"] = [{**member, "host": host} for member, host in zip(found["members"], hosts, strict=True)]
        found["version"] += 1
        await client.admin.command("replSetReconfig", found, force=True)


async def create_first_user(port: int, passwords: Mapping[str, str]) -> None:
    """Creates `ADMIN` where there is no user: possible from localhost without authentication, until then only."""
    async with direct_client(port, None, passwords) as client:
        await _create_user(client, "admin", ADMIN, passwords[ADMIN], "root")


async def create_users(admin: Client, passwords: Mapping[str, str]) -> None:
    """Creates the services' users, each with one database; `admin` may belong to an operator's MongoDB."""
    for user, password in passwords.items():
        await _create_user(admin, database_name(user), user, password, "readWrite")


async def _create_user(client: Client, database: str, user: str, password: str, role: str) -> None:
    what: dict[str, Any] = {"pwd": password, "roles": [{"role": role, "db": database}], "mechanisms": ["SCRAM-SHA-256"]}
    try:
        await client[database].command("createUser", user, **what)
    except OperationFailure as error:
        if error.code != _EXISTS:
            raise
        await client[database].command("updateUser", user, **what)
