from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import msgspec
from portico_contracts.apply import ScimLoginName
from portico_oauth.opaque import RandomBytes
from portico_runtime.process.clock import Clock

from portico_users.journal.command import Command, Commit
from portico_users.scim.calls import CallLog
from portico_users.scim.connection import (
    MAX_CONNECTIONS,
    MAX_SECRETS,
    SCIM_CONNECTIONS,
    SECRET_NOT_FOUND,
    TOO_MANY_CONNECTIONS,
    TOO_MANY_SECRETS,
    MongoScimConnections,
    NewSecret,
    ScimConnection,
    new_secret,
    problems_of,
)
from portico_users.storage.entry import Entry
from portico_users.values.names import new_id
from portico_users.values.problems import refuse_first
from portico_users.values.records import State


def _put(before: ScimConnection | None, after: ScimConnection) -> Entry[ScimConnection]:
    refuse_first(problems_of(after))
    renames = after.renames or after.mapping.login_name is not ScimLoginName.USER_NAME
    return Entry(SCIM_CONNECTIONS, before, msgspec.structs.replace(after, renames=renames))


class PlannedConnection(NamedTuple):
    entry: Entry[ScimConnection]
    secret: NewSecret


@dataclass(frozen=True, slots=True)
class AddScimConnection(Command):
    commit: Commit
    connections: MongoScimConnections
    clock: Clock
    random: RandomBytes

    async def __call__(self, connection: ScimConnection, *, actor: str) -> tuple[ScimConnection, NewSecret]:
        await self.refuse_too_many(connection.org_id)
        planned = self.plan(connection)
        return await self.commit(planned.entry, actor=actor), planned.secret

    def plan(self, connection: ScimConnection) -> PlannedConnection:
        """Returns the connection with its first secret, of which only the hash is stored."""
        secret = new_secret(new_id(self.random), self.random, self.clock.now())
        named = msgspec.structs.replace(connection, id=connection.id or new_id(self.random), secrets=(secret.kept,))
        return PlannedConnection(_put(None, named), secret)

    async def refuse_too_many(self, org_id: str, added: int = 1) -> None:
        self.refuse_more(added + await self.connections.count(org_id))

    def refuse_more(self, count: int) -> None:
        if count > MAX_CONNECTIONS:
            raise TOO_MANY_CONNECTIONS.error()


@dataclass(frozen=True, slots=True)
class UpdateScimConnection(Command):
    commit: Commit

    def plan(self, before: ScimConnection, after: ScimConnection) -> Entry[ScimConnection]:
        return _put(before, after)

    async def __call__(self, before: ScimConnection, after: ScimConnection, *, actor: str) -> ScimConnection:
        return await self.commit.change(self.plan(before, after), actor=actor)


@dataclass(frozen=True, slots=True)
class RemoveScimConnection(Command):
    """Removes a connection; the people and groups that it made stay."""

    commit: Commit
    calls: CallLog

    async def __call__(self, before: ScimConnection, *, actor: str) -> ScimConnection:
        record = await self.commit(self.plan(before), actor=actor)
        await self.forget_calls(before)
        return record

    async def forget_calls(self, removed: ScimConnection) -> None:
        await self.calls.forget(removed.id)

    def plan(self, before: ScimConnection) -> Entry[ScimConnection]:
        return Entry(SCIM_CONNECTIONS, before, msgspec.structs.replace(before, state=State.DELETED, secrets=()))


@dataclass(frozen=True, slots=True)
class ChangeScimSecrets(Command):
    commit: Commit
    clock: Clock
    random: RandomBytes

    async def add(self, before: ScimConnection, *, actor: str) -> tuple[ScimConnection, NewSecret]:
        if len(before.secrets) >= MAX_SECRETS:
            raise TOO_MANY_SECRETS.error()
        secret = new_secret(new_id(self.random), self.random, self.clock.now())
        after = msgspec.structs.replace(before, secrets=(*before.secrets, secret.kept))
        return await self.commit(_put(before, after), actor=actor), secret

    async def remove(self, before: ScimConnection, secret_id: str, *, actor: str) -> ScimConnection:
        """The secret is refused from the next call on."""
        left = tuple(one for one in before.secrets if one.id != secret_id)
        if left == before.secrets:
            raise SECRET_NOT_FOUND.error()
        return await self.commit(_put(before, msgspec.structs.replace(before, secrets=left)), actor=actor)
