from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_oauth.opaque import RandomBytes

from portico_users.journal.command import Command, Commit
from portico_users.outside_servers.server import (
    MAX_SERVERS,
    OUTSIDE_SERVERS,
    TOO_MANY_SERVERS,
    MongoOutsideServers,
    OutsideServer,
    problems_of,
)
from portico_users.storage.entry import Entry
from portico_users.values.names import new_id
from portico_users.values.operator_settings import Issuer
from portico_users.values.problems import refuse_first
from portico_users.values.records import State


@dataclass(frozen=True, slots=True)
class AddOutsideServer(Command):
    commit: Commit
    servers: MongoOutsideServers
    issuer: Issuer
    random: RandomBytes

    async def __call__(self, server: OutsideServer, *, actor: str) -> OutsideServer:
        await self.refuse_too_many(server.org_id)
        return await self.commit(self.plan(server), actor=actor)

    def plan(self, server: OutsideServer) -> Entry[OutsideServer]:
        named = msgspec.structs.replace(server, id=server.id or new_id(self.random))
        refuse_first(problems_of(named, self.issuer))
        return Entry(OUTSIDE_SERVERS, None, named)

    async def refuse_too_many(self, org_id: str, added: int = 1) -> None:
        self.refuse_more(added + await self.servers.count(org_id))

    def refuse_more(self, count: int) -> None:
        if count > MAX_SERVERS:
            raise TOO_MANY_SERVERS.error()


@dataclass(frozen=True, slots=True)
class UpdateOutsideServer(Command):
    commit: Commit
    issuer: Issuer

    def plan(self, before: OutsideServer, after: OutsideServer) -> Entry[OutsideServer]:
        refuse_first(problems_of(after, self.issuer))
        return Entry(OUTSIDE_SERVERS, before, after)

    async def __call__(self, before: OutsideServer, after: OutsideServer, *, actor: str) -> OutsideServer:
        return await self.commit.change(self.plan(before, after), actor=actor)


@dataclass(frozen=True, slots=True)
class RemoveOutsideServer(Command):
    commit: Commit

    async def __call__(self, before: OutsideServer, *, actor: str) -> OutsideServer:
        return await self.commit(self.plan(before), actor=actor)

    def plan(self, before: OutsideServer) -> Entry[OutsideServer]:
        return Entry(OUTSIDE_SERVERS, before, msgspec.structs.replace(before, state=State.DELETED))
