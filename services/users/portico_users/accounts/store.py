from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from portico_contracts.events import USER_CHANGED
from portico_runtime.mongo.client import Database, guarded
from pymongo.read_concern import ReadConcern

from portico_users.accounts.account import Account, AnyUser, active_account
from portico_users.accounts.candidates import MongoCandidates
from portico_users.accounts.login_names import Held, find_holder
from portico_users.accounts.name_constraints import NewName, has_address_of_another
from portico_users.end_users.end_user import EndUser, can_authenticate
from portico_users.end_users.idp_links import link_prefix
from portico_users.end_users.store import HUMANS, USERS
from portico_users.organizations.org import ORGS, Org
from portico_users.service_users.service_user import SERVICE_USERS, ServiceUser
from portico_users.storage.entry import Attachment, Document, Entry, Table, Work
from portico_users.storage.gathering import Gathering
from portico_users.storage.reader import FoundRecords, Reader, Wanted, united_with
from portico_users.values.names import MAX_LENGTH, canonical, email_key
from portico_users.values.records import State, stored_version
from portico_users.values.word_keys import WORDS

ACCOUNTS: Final[Table[AnyUser]] = Table(USERS, EndUser | ServiceUser, USER_CHANGED)
"""For reading only: each kind has its own table for writing."""


def changed_user(
    before: AnyUser, after: AnyUser, *, attachments: Sequence[Attachment] = (), side_writes: Sequence[Work] = ()
) -> Entry[AnyUser]:
    """A change of a user, through the table of its kind."""
    table: Table[AnyUser] = HUMANS if isinstance(before, EndUser) else SERVICE_USERS
    return Entry(table, before, after, attachments=tuple(attachments), side_writes=tuple(side_writes))


_BULK: Final = ("metadata", WORDS)
_ONLY_FOR_CLIENTS: Final = ("secretHash", "keys", "personalTokens", "grants", "groups", "consents")
"""Credentials of service users, grants, groups and consents, which the first steps of a sign-in do not need."""


_WITH_CONSENT: Final = {"consents.clientId": {"$exists": True}}
"""The condition of the index, which leaves out the users without consents."""


class LinkedUsers(NamedTuple):
    """Numbers of users linked to an identity provider and of those who cannot sign in otherwise."""

    linked: int
    only_way_in: int


class MongoAccounts(Reader[AnyUser]):
    """Finds users of either kind; data that sign-ins and tokens need are read together with the organization."""

    table = ACCOUNTS

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._database = database
        self._candidates = MongoCandidates(database, ACCOUNTS, (*_BULK, *_ONLY_FOR_CLIENTS))
        self._with_grants = MongoCandidates(database, ACCOUNTS, _BULK)
        self._by_name: Gathering[str, AnyUser] = Gathering(self._read_names)

    async def find_slim(self, id: str) -> tuple[AnyUser, Org | None] | None:
        """Returns the user in any state, without metadata, secret, keys and grants."""
        return await self._find_with_org(id, without=(*_BULK, *_ONLY_FOR_CLIENTS))

    async def find_whole(self, id: str) -> tuple[AnyUser, Org | None] | None:
        return await self._find_with_org(id)

    async def find_active(self, id: str) -> Account | None:
        """Like `find_slim`; None for a user who may not sign in. Longer ids than any may come from outside."""
        found = await self.find_slim(id[: MAX_LENGTH + 1])
        return active_account(*found) if found else None

    async def find_active_whole(self, id: str) -> Account | None:
        """Like `find_active`, with all that a change of the user writes."""
        found = await self.find_whole(id[: MAX_LENGTH + 1])
        return active_account(*found) if found else None

    async def find_granted(self, id: str) -> AnyUser | None:
        return await self.find_where({"_id": id}, without=_BULK)

    async def find_each_with_org(self, ids: Iterable[str]) -> dict[str, tuple[AnyUser, Org]]:
        """Omits deleted users."""
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            return {}
        question = {"_id": {"$in": wanted}, "state": {"$ne": State.DELETED.value}}
        found = await self.list_with_owner(question, ORGS, len(wanted), without=(*_BULK, *_ONLY_FOR_CLIENTS))
        return {user.id: (user, org) for user, org in found if org is not None}

    async def find_names(self, ids: Iterable[str]) -> dict[str, str]:
        """Returns what people see of users that are not deleted, by id."""
        wanted = sorted({id for id in ids if id})
        if not wanted:
            return {}
        question = {"_id": {"$in": wanted}, "state": {"$ne": State.DELETED.value}}
        async with guarded():
            rows = await self._rows.find(question, {"displayName": 1, "name": 1}).to_list(len(wanted))
        return {row["_id"]: row.get("displayName") or row.get("name", "") for row in rows}

    async def count_consents(self, client_ids: Collection[str]) -> dict[str, int]:
        """Returns the number of users who allow each application something."""
        wanted = {"$in": list(client_ids)}
        steps: list[Document] = [
            {"$match": {"$and": [_WITH_CONSENT, {"consents.clientId": wanted}], "state": {"$ne": State.DELETED.value}}},
            {"$unwind": "$consents"},
            {"$match": {"consents.clientId": wanted}},
            {"$group": {"_id": "$consents.clientId", "users": {"$sum": 1}}},
        ]
        async with guarded():
            rows = await self._rows.aggregate(steps).to_list(len(client_ids) or 1)
        return {row["_id"]: row["users"] for row in rows}

    async def list_versions(self, ids: Iterable[str]) -> dict[str, str]:
        async with guarded():
            rows = self._database[self.table.name].find({"_id": {"$in": list(ids)}}, {"version": 1, "sequence": 1})
            return {row["_id"]: stored_version(row) async for row in rows}

    async def find_service_user(self, id: str) -> ServiceUser | None:
        return _service_user(await self.find_where({"_id": id, "type": "machine"}))

    async def find_service_user_with_token(self, hash: str) -> ServiceUser | None:
        return _service_user(await self.find_where({"personalTokens.hash": hash}))

    async def find_service_user_named(self, name_key: str) -> ServiceUser | None:
        return _service_user(await self.find_where({"nameKey": name_key, "type": "machine"}))

    async def find_by_name(self, user_name: str) -> AnyUser | None:
        """Matches any spelling and state."""
        return await self._by_name.find(canonical(user_name))

    async def find_each_by_id_or_name(
        self, ids: Collection[str], user_names: Collection[str]
    ) -> tuple[dict[str, AnyUser], dict[str, AnyUser]]:
        """Returns the users with these ids, and those with these names by their canonical form, in any state."""
        names = sorted({canonical(name) for name in user_names})
        by_id = await self.map_where(("_id",), sorted(ids)) if ids else {}
        return by_id, await self.map_where(("nameKey",), names) if names else {}

    async def await_settled(self) -> None:
        """Returns once all reads show the users that made a write a duplicate: a majority may not have them yet."""
        async with guarded():
            await self._rows.with_options(read_concern=ReadConcern("linearizable")).find_one({"_id": ""}, {"_id": 1})

    async def is_taken(self, user_name: str, org_id: str) -> bool:
        """Reports whether the name is another user's name or an address with which another user signs in."""
        if await self.find_by_name(user_name) is not None:
            return True
        async with guarded():
            return await has_address_of_another(self._database, [NewName(user_name, org_id)])

    async def find_by_login_name(self, typed: str, org_ids: Sequence[str] | None) -> Held | None:
        return await find_holder(self._candidates, typed, org_ids, humans=False)

    async def find_end_user_typed(self, typed: str, org_id: str) -> Held | None:
        return await find_holder(self._with_grants, typed, [org_id] if org_id else None, humans=True)

    async def find_linked(self, link_key: str) -> tuple[AnyUser, Org | None] | None:
        """Returns the user linked to an identity, in any state but deleted; see `idp_links.IdpLink.key`."""
        found = await self.list_with_owner({"linkKeys": link_key}, ORGS, 1, without=_BULK)
        return found[0] if found else None

    async def find_linked_beside(
        self, link_key: str, *wanted: Wanted, others: Sequence[Document] = ()
    ) -> tuple[Held | None, FoundRecords]:
        """Like `find_linked`, with records of other tables by id, in one round trip.

        `others` are stages that add rows, as `united_with` makes them.
        """
        owner = {"from": ORGS.name, "localField": "orgId", "foreignField": "_id", "as": "_owner"}
        steps: list[Document] = [
            {"$match": {"linkKeys": link_key}},
            {"$limit": 1},
            {"$lookup": owner},
            {"$project": dict.fromkeys(_BULK, 0)},
            *united_with(*wanted),
            *others,
        ]
        async with guarded():
            rows: list[Document] = await self._database[ACCOUNTS.name].aggregate(steps).to_list(None)
        found = FoundRecords(row for row in rows if "_id" not in row)
        user = next((row for row in rows if "_id" in row), None)
        if user is None:
            return None, found
        return (ACCOUNTS.record(user, whole=False), ORGS.record(user["_owner"][0]) if user["_owner"] else None), found

    async def count_linked(self, idp_id: str) -> LinkedUsers:
        linked: Document = {
            "linkKeys": {"$regex": f"^{re.escape(link_prefix(idp_id))}"},
            "state": {"$ne": State.DELETED.value},
        }
        without: Document = {
            "hasPassword": {"$ne": True},
            "securityKeys.passkey": {"$ne": True},
            "idpLinks": {"$not": {"$elemMatch": {"idpId": {"$ne": idp_id}}}},
        }
        return LinkedUsers(await self.count_where(linked), await self.count_where(linked | without))

    async def find_owner_of_email(self, mail: str) -> tuple[EndUser, Org] | None:
        """Returns the end user, in any state, who has the address verified, or as user name and address of a new account.

        An account that can sign in and never proved its address does not keep it from the person who proves it.
        """
        key = email_key(mail)
        question = {
            "$or": [{"verifiedMailKey": key}, {"nameKey": canonical(mail)}],
            "type": "human",
            "state": {"$ne": State.DELETED.value},
        }
        found = _end_users(await self.list_with_owner(question, ORGS, 10, without=_BULK))
        owners = [
            (human, org)
            for human, org in found
            if org and email_key(human.email) == key and (human.email_verified or not can_authenticate(human))
        ]
        return max(owners, key=lambda owner: owner[0].email_verified, default=None)

    async def _read_names(self, name_keys: Sequence[str]) -> Mapping[str, AnyUser]:
        return await self.map_where(("nameKey",), name_keys)

    async def _find_with_org(self, id: str, *, without: tuple[str, ...] = ()) -> tuple[AnyUser, Org | None] | None:
        found = await self.list_with_owner({"_id": id}, ORGS, 1, without=without)
        return found[0] if found else None


def _service_user(user: AnyUser | None) -> ServiceUser | None:
    return user if isinstance(user, ServiceUser) else None


def _end_users(found: list[tuple[AnyUser, Org | None]]) -> list[tuple[EndUser, Org | None]]:
    return [(user, org) for user, org in found if isinstance(user, EndUser)]
