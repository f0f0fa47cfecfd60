"""MongoDB is prepared once, again without harm, and follows its data directory to another port."""

from __future__ import annotations

import secrets
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from portico_stack.ports import free_port
from portico_stack.processes import Process
from portico_stack.servers.mongo import ADMIN, USERS, MongoServer
from pymongo import AsyncMongoClient

pytestmark = pytest.mark.servers


async def test_a_moved_server_keeps_its_data(tmp_path: Path) -> None:
    """When its port was taken, the same data is served at another one; preparing twice changes nothing."""
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


def users_client(server: MongoServer) -> AsyncMongoClient[dict[str, Any]]:
    """A connection of the users service."""
    return AsyncMongoClient(
        server.url, username="users", password=server.passwords["users"], authSource="portico_users"
    )  # fmt: skip


async def write_and_stop(server: MongoServer) -> None:
    """One life of the server in which something is written."""
    process = Process(server.program(), server.data / "logs", print)
    try:
        await process.start()
        await server.prepare()
        async with users_client(server) as client:
            await client["portico_users"]["kept"].insert_one({"value": 1})
    finally:
        await process.stop(5)
