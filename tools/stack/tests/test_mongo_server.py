"""MongoDB's preparation is idempotent, and its data directory can move to another port."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from portico_stack.machine.ports import free_port
from portico_stack.processes.programs import Process
from portico_stack.servers.mongo import MongoServer
from portico_stack.servers.mongo_names import ADMIN, USERS
from portico_stack.servers.mongo_set import MEMBERS, MongoSet
from pymongo import AsyncMongoClient

pytestmark = [pytest.mark.servers, pytest.mark.long]


async def test_moved_server_keeps_its_data(tmp_path: Path) -> None:
    """After its port was taken the same data is served at another one, and preparation is idempotent."""
    passwords = {user: secrets.token_hex(8) for user in (*USERS, ADMIN)}
    first = MongoServer(tmp_path, free_port(), passwords, secrets.token_hex(32))
    await write_and_stop(first)
    second = replace(first, port=free_port())
    process = Process(second.program(), tmp_path / "logs", print)
    try:
        await process.start()
        await second.prepare()
        await second.prepare()
        async with users_client(second) as client:
            found = await client["portico_users"]["kept"].find_one({})
    finally:
        await process.stop(5)

    assert found is not None
    assert found["value"] == 1


async def test_moved_replica_set_keeps_its_data(tmp_path: Path) -> None:
    """The members of the profile ``ha`` learn each other's new ports, whichever was primary (decision 0071)."""
    passwords = {user: secrets.token_hex(8) for user in (*USERS, ADMIN)}
    first = MongoSet(tmp_path, [free_port() for _ in range(MEMBERS)], passwords, secrets.token_hex(32))
    async with running(first):
        async with users_client(first) as client:
            await client["portico_users"]["kept"].insert_one({"value": 1})
    second = replace(first, ports=[free_port() for _ in range(MEMBERS)])
    async with running(second):
        await second.prepare()
        async with users_client(second) as client:
            found = await client["portico_users"]["kept"].find_one({})

    assert found is not None
    assert found["value"] == 1


@asynccontextmanager
async def running(members: MongoSet) -> AsyncIterator[None]:
    processes = [Process(program, members.data / "logs", print) for program in members.programs()]
    try:
        await asyncio.gather(*(process.start() for process in processes))
        await members.prepare()
        yield
    finally:
        await asyncio.gather(*(process.stop(10) for process in processes))


def users_client(server: MongoServer | MongoSet) -> AsyncMongoClient[dict[str, Any]]:
    return AsyncMongoClient(
        server.url, username="users", password=server.passwords["users"], authSource="portico_users"
    )  # fmt: skip


async def write_and_stop(server: MongoServer) -> None:
    process = Process(server.program(), server.data / "logs", print)
    try:
        await process.start()
        await server.prepare()
        async with users_client(server) as client:
            await client["portico_users"]["kept"].insert_one({"value": 1})
    finally:
        await process.stop(5)
