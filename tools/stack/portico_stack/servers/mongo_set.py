from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from pymongo import AsyncMongoClient
from pymongo.errors import NotPrimaryError, OperationFailure

from portico_stack.processes.programs import Program
from portico_stack.servers.mongo import MongoServer
from portico_stack.servers.mongo_admin import (
    Client,
    create_first_user,
    create_users,
    direct_client,
    is_already_initiated,
    is_authentication_failure,
    move_members,
)
from portico_stack.servers.mongo_names import ADMIN, REPLICA_SET, USERS

MEMBERS: Final = 3

ELECTION_MS: Final = 2_000
"""Silence of a primary after which another is elected."""

_SECONDS: Final = 40.0


@dataclass(frozen=True)
class MongoSet:
    data: Path
    ports: Sequence[int]
    passwords: Mapping[str, str] = field(repr=False)
    member_key: str = field(repr=False)

    @property
    def url(self) -> str:
        return f"mongodb://{','.join(self._hosts())}/?replicaSet={REPLICA_SET}"

    def programs(self) -> list[Program]:
        members = (
            MongoServer(self.data / str(number), port, self.passwords, self.member_key)
            for number, port in enumerate(self.ports, 1)
        )
        return [replace(member.program(), name=f"mongo-{number}") for number, member in enumerate(members, 1)]

    async def prepare(self) -> None:
        """Initiates the set with its current addresses, and creates users; idempotent."""
        async with asyncio.timeout(_SECONDS):
            while True:
                try:
                    await self._prepare()
                except NotPrimaryError:  # it is elected, and cannot be written yet; or another one is by now
                    await asyncio.sleep(0.1)
                else:
                    return

    async def _prepare(self) -> None:
        if await self._is_new():
            await self._initiate()
            await create_first_user(await self._primary_port(), self.passwords)
        else:
            async with direct_client(self.ports[0], ADMIN, self.passwords) as admin:
                await move_members(admin, self._hosts())
            await self._primary_port()
        async with self._whole() as admin:
            await create_users(admin, {user: self.passwords[user] for user in USERS})

    async def _is_new(self) -> bool:
        for port in self.ports:
            try:
                async with direct_client(port, ADMIN, self.passwords) as admin:
                    await admin.admin.command("ping")
            except OperationFailure as error:
                if not is_authentication_failure(error):
                    raise
            else:
                return False
        return True

    async def _initiate(self) -> None:
        try:
            async with direct_client(self.ports[0], None, self.passwords) as client:
                await client.admin.command("replSetInitiate", self._config())
        except OperationFailure as error:
            if not is_already_initiated(error):  # it was broken off before the first user
                raise

    def _hosts(self) -> list[str]:
        return [f"127.0.0.1:{port}" for port in self.ports]

    def _config(self) -> dict[str, Any]:
        members = [{"_id": number, "host": host} for number, host in enumerate(self._hosts())]
        settings = {"electionTimeoutMillis": ELECTION_MS, "heartbeatIntervalMillis": ELECTION_MS // 4}
        return {"_id": REPLICA_SET, "members": members, "settings": settings}

    async def _primary_port(self) -> int:
        async with direct_client(self.ports[0], None, self.passwords) as client:
            while True:
                if primary := (await client.admin.command("hello")).get("primary"):
                    return int(str(primary).rpartition(":")[2])
                await asyncio.sleep(0.1)

    def _whole(self) -> Client:
        return AsyncMongoClient(
            self.url, username=ADMIN, password=self.passwords[ADMIN], serverSelectionTimeoutMS=10_000
        )
