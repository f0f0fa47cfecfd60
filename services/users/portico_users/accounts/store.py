"""Humans and service users, read together from the collection they share."""

from __future__ import annotations

from typing import Final

from portico_contracts.events import USER_CHANGED
from portico_runtime.mongo import Database

from portico_users.accounts.account import AnyUser
from portico_users.domain.names import canonical
from portico_users.domain.records import State
from portico_users.humans.human import Human
from portico_users.humans.store import USERS
from portico_users.journal.entry import Document, Table
from portico_users.journal.reader import Reader
from portico_users.machines.machine import Machine

ACCOUNTS: Final[Table[AnyUser]] = Table(USERS, Human | Machine, USER_CHANGED)
"""For reading only: each kind is written through its own table."""

_BULK: Final = ("metadata",)
_ONLY_FOR_CLIENTS: Final = ("secretHash", "keys", "grants")
"""What a program proves itself with, and what it may do: nothing a login needs."""


class MongoAccounts(Reader[AnyUser]):
    """Finds users of either kind."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, ACCOUNTS)

    async def find_slim(self, id: str) -> AnyUser | None:
        """The user of an id, in whatever state, without metadata, secret, keys and grants."""
        return await self.find_where({"_id": id}, without=(*_BULK, *_ONLY_FOR_CLIENTS))

    async def find_granted(self, id: str) -> AnyUser | None:
        """The user of an id, in whatever state, with its role grants."""
        return await self.find_where({"_id": id}, without=_BULK)

    async def find_machine(self, id: str) -> Machine | None:
        """The service user of an id, in whatever state."""
        return _machine(await self.find_where({"_id": id, "type": "machine"}))

    async def find_machine_named(self, name_key: str) -> Machine | None:
        """The service user of a canonical user name, in whatever state."""
        return _machine(await self.find_where({"nameKey": name_key, "type": "machine"}))

    async def find_by_name(self, user_name: str) -> AnyUser | None:
        """The user of a name, in any spelling and state."""
        return await self.find_where({"nameKey": canonical(user_name)})

    async def find_human_named(self, name_key: str, org_id: str) -> Human | None:
        """The active human of a canonical user name, in one organization or, with an empty id, in any."""
        return _human(await self.find_where({"nameKey": name_key, **_active(org_id)}, without=_BULK))

    async def find_human_by_mail(self, mail_key: str, org_id: str) -> Human | None:
        """The one active human with a verified mail address; nothing when several have it."""
        found = await self.list_where({"verifiedMailKey": mail_key, **_active(org_id)}, 2)
        return _human(found[0]) if len(found) == 1 else None


def _active(org_id: str) -> Document:
    active: Document = {"state": State.ACTIVE.value, "type": "human"}
    return active | {"orgId": org_id} if org_id else active


def _machine(user: AnyUser | None) -> Machine | None:
    return user if isinstance(user, Machine) else None


def _human(user: AnyUser | None) -> Human | None:
    return user if isinstance(user, Human) else None
