"""Prepares MongoDB for the services, with its driver."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from portico_runtime.mongo.client import database_name
from pymongo import AsyncMongoClient
from pymongo.errors import OperationFailure

from portico_stack.servers.mongo_names import ADMIN, REPLICA_SET, USERS

_UNAUTHORIZED: Final = 13
_AUTHENTICATION_FAILED: Final = 18
_ALREADY_INITIALIZED: Final = 23
_EXISTS: Final = 51003
_PRIMARY_SECONDS: Final = 20.0

Client = AsyncMongoClient[dict[str, Any]]


async def prepare(port: int, member: str, passwords: Mapping[str, str]) -> None:
    """Initiates the replica set of one `member`, and creates users, on the server's machine; idempotent."""
    try:
        async with direct_client(port, ADMIN, passwords) as admin:
            await _become_primary(admin, member)
    except OperationFailure as error:
        if not is_authentication_failure(error):
            raise
        # Without users, a connection from localhost needs no authentication.
        async with direct_client(port, None, passwords) as nobody:
            await _become_primary(nobody, member)
        await create_first_user(port, passwords)
    async with direct_client(port, ADMIN, passwords) as admin:
        await create_users(admin, {user: passwords[user] for user in USERS})


async def read_version(port: int, passwords: Mapping[str, str]) -> str:
    async with direct_client(port, ADMIN, passwords) as admin:
        return ".".join(map(str, (await admin.admin.command("buildInfo"))["versionArray"][:3]))


async def create_users_at(admin_url: str, passwords: Mapping[str, str]) -> None:
    """`admin_url` has the credentials of a user that may create users."""
    client: Client = AsyncMongoClient(admin_url, serverSelectionTimeoutMS=5_000)
    async with client:
        await create_users(client, {user: passwords[user] for user in USERS})


async def _become_primary(client: Client, member: str) -> None:
    hello = await client.admin.command("hello")
    if hello.get("isreplicaset"):  # it is new, or does not find itself in its set
        await _join(client, member)
    async with asyncio.timeout(_PRIMARY_SECONDS):
        while not (await client.admin.command("hello")).get("isWritablePrimary"):  # noqa: ASYNC110 - it has to be asked
            await asyncio.sleep(0.05)


async def _join(client: Client, member: str) -> None:
    try:
        members = [{"_id": 0, "host": member}]
        await client.admin.command("replSetInitiate", {"_id": REPLICA_SET, "members": members})
    except OperationFailure as error:
        if not is_already_initiated(error):
            raise
        await move_members(client, [member])


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
