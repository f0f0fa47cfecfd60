"""Humans and service users, read together from the collection they share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from portico_contracts.events import USER_CHANGED
from portico_runtime.mongo import Database

from portico_users.accounts.account import AnyUser
from portico_users.accounts.login_names import holder_of, names_in
from portico_users.domain.names import canonical, login_key
from portico_users.domain.records import State
from portico_users.humans.human import Human
from portico_users.humans.store import USERS
from portico_users.journal.entry import Document, Table
from portico_users.journal.reader import Reader
from portico_users.machines.machine import Machine
from portico_users.orgs.org import Org
from portico_users.orgs.store import ORGS

ACCOUNTS: Final[Table[AnyUser]] = Table(USERS, Human | Machine, USER_CHANGED)
"""For reading only: each kind is written through its own table."""

_BULK: Final = ("metadata",)
_ONLY_FOR_CLIENTS: Final = ("secretHash", "keys", "personalTokens", "grants")
"""What a program proves itself with, and what it may do: nothing a login needs."""


class MongoAccounts(Reader[AnyUser]):
    """Finds users of either kind; what a login or a token asks for comes together with the organization."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, ACCOUNTS)

    async def find_slim(self, id: str) -> tuple[AnyUser, Org | None] | None:
        """The user of an id, in whatever state, without metadata, secret, keys and grants."""
        return await self._find_with_org(id, without=(*_BULK, *_ONLY_FOR_CLIENTS))

    async def find_whole(self, id: str) -> tuple[AnyUser, Org | None] | None:
        """The user of an id, in whatever state, with everything that is stored of it."""
        return await self._find_with_org(id)

    async def find_granted(self, id: str) -> AnyUser | None:
        """The user of an id, in whatever state, with its role grants."""
        return await self.find_where({"_id": id}, without=_BULK)

    async def find_each_with_org(self, ids: Iterable[str]) -> dict[str, tuple[AnyUser, Org]]:
        """The users of some ids that are not deleted, with their organizations."""
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            return {}
        question = {"_id": {"$in": wanted}, "state": {"$ne": State.DELETED.value}}
        found = await self.list_with_owner(question, ORGS, len(wanted), without=(*_BULK, *_ONLY_FOR_CLIENTS))
        return {user.id: (user, org) for user, org in found if org is not None}

    async def find_machine(self, id: str) -> Machine | None:
        """The service user of an id, in whatever state."""
        return _machine(await self.find_where({"_id": id, "type": "machine"}))

    async def find_machine_with_token(self, hash: str) -> Machine | None:
        """The service user that has a personal access token, by the token's fingerprint, in whatever state."""
        return _machine(await self.find_where({"personalTokens.hash": hash}))

    async def find_machine_named(self, name_key: str) -> Machine | None:
        """The service user of a canonical user name, in whatever state."""
        return _machine(await self.find_where({"nameKey": name_key, "type": "machine"}))

    async def find_by_name(self, user_name: str) -> AnyUser | None:
        """The user of a name, in any spelling and state."""
        return await self.find_where({"nameKey": canonical(user_name)})

    async def find_by_login_name(self, typed: str, org_ids: Sequence[str] | None) -> tuple[AnyUser, Org | None] | None:
        """The user of either kind, in whatever state but deleted, whom a login name means.

        Args:
            org_ids: only of these organizations; None for any.
        """
        key = login_key(typed)
        among: Document = {"state": {"$ne": State.DELETED.value}}
        if org_ids is not None:
            among["orgId"] = {"$in": list(org_ids)}
        questions = ({"nameKey": {"$in": list(names_in(key))}}, {"verifiedMailKey": key})
        named, mailed = await self.list_each_with_owner(
            [question | among for question in questions], ORGS, 2, without=(*_BULK, *_ONLY_FOR_CLIENTS)
        )
        return holder_of(key, named, mailed)

    async def list_humans_typed(
        self, name_keys: tuple[str, str], mail_key: str, org_id: str
    ) -> tuple[list[tuple[Human, Org | None]], list[tuple[Human, Org | None]]]:
        """The active humans of two canonical user names, and up to two with a verified mail address.

        Args:
            org_id: the organization to look in; empty for any.
        """
        questions = ({"nameKey": {"$in": list(name_keys)}}, {"verifiedMailKey": mail_key})
        active = _active(org_id)
        named, mailed = await self.list_each_with_owner(
            [question | active for question in questions], ORGS, len(name_keys), without=_BULK
        )
        return _humans(named), _humans(mailed)

    async def find_owner_of_mail(self, mail_key: str) -> tuple[Human, Org] | None:
        """Whoever has an account with an address, in whatever state: proven, or user name and address in one."""
        question = {
            "$or": [{"verifiedMailKey": mail_key}, {"nameKey": mail_key}],
            "type": "human",
            "state": {"$ne": State.DELETED.value},
        }
        found = _humans(await self.list_with_owner(question, ORGS, 10, without=_BULK))
        owners = [(human, org) for human, org in found if org and canonical(human.email) == mail_key]
        return max(owners, key=lambda owner: owner[0].email_verified, default=None)

    async def _find_with_org(self, id: str, *, without: tuple[str, ...] = ()) -> tuple[AnyUser, Org | None] | None:
        found = await self.list_with_owner({"_id": id}, ORGS, 1, without=without)
        return found[0] if found else None


def _active(org_id: str) -> Document:
    active: Document = {"state": State.ACTIVE.value, "type": "human"}
    return active | {"orgId": org_id} if org_id else active


def _machine(user: AnyUser | None) -> Machine | None:
    return user if isinstance(user, Machine) else None


def _humans(found: list[tuple[AnyUser, Org | None]]) -> list[tuple[Human, Org | None]]:
    return [(user, org) for user, org in found if isinstance(user, Human)]
