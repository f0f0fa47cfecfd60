"""What providers no longer give their users: in force at once, and written to the users after that (decision 0156)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Self

import msgspec
from portico_runtime.mongo.client import Database, Session, guarded
from pymongo import ASCENDING, IndexModel

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import ACCOUNTS, changed_user
from portico_users.end_users.changes import counted
from portico_users.end_users.end_user import EndUser, GivenRole, with_link_roles, without_link_roles
from portico_users.end_users.idp_links import IdpLink, link_prefix
from portico_users.groups.group import GROUPS
from portico_users.groups.inherited import own_links
from portico_users.groups.memberships import groups_by, with_linked
from portico_users.journal.constraints import AT_ONCE, Cascade
from portico_users.storage.entry import NOT_DELETED, Document, Entry
from portico_users.storage.schema import Indexes
from portico_users.values.records import Record

ENDINGS: Final = "providerEndings"

ENDING_INDEXES: Final[Indexes] = {ENDINGS: (IndexModel([("idpId", ASCENDING)]),)}


class Ending(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What links from before a change of their provider gave and give no longer.

    Attributes:
        number: the sequence of the provider with the change; links with a smaller `given_by` are meant.
        links: the links themselves end too, because the provider is removed.
    """

    idp_id: str
    number: int
    groups: tuple[str, ...] = ()
    roles: tuple[GivenRole, ...] = ()
    links: bool = False

    def is_about(self, link: IdpLink) -> bool:
        return link.idp_id == self.idp_id and link.given_by < self.number

    def without(self, user: EndUser) -> EndUser:
        """Returns the user as it is from now on. Applied twice it changes nothing more."""
        if self.links:
            return _unlinked(user, self.idp_id)
        after = user
        for link in filter(self.is_about, user.idp_links):
            after = without_link_roles(after, link, frozenset(self.roles))
            groups = with_linked(after.groups, link.key, groups_by(after.groups, link.key) - set(self.groups))
            after = msgspec.structs.replace(after, groups=groups)
        return after

    def users(self, ids: Collection[str] | None = None) -> Cascade:
        """Finds the users who have it still; of these ids, or of all."""

        async def find(database: Database, session: Session) -> Sequence[Entry[Record]]:
            question = await self._question(database, session)
            if ids is not None:
                question["_id"] = {"$in": list(ids)}
            rows = database[ACCOUNTS.name].find(question, session=session)
            users = [ACCOUNTS.record(row) for row in await rows.limit(AT_ONCE).to_list(AT_ONCE)]
            return [
                changed_user(user, counted(user, self._settled(user))) for user in users if isinstance(user, EndUser)
            ]

        return find

    async def is_left(self, database: Database) -> bool:
        question = await self._question(database, None)
        return await database[ACCOUNTS.name].find_one(question, {"_id": 1}) is not None

    async def note(self, database: Database, session: Session, at: float) -> None:
        row = {"_id": self._id, "at": at, **msgspec.to_builtins(self)}
        await database[ENDINGS].insert_one(row, session=session)

    async def is_noted(self, database: Database, _at: float) -> bool:
        """Some users have something that ended, and the version of before."""
        return await database[ENDINGS].find_one({"_id": self._id}, {"_id": 1}) is not None

    @property
    def _id(self) -> str:
        return f"{self.idp_id}/{self.number}"

    @classmethod
    def read(cls, row: Document) -> Self:
        return msgspec.convert(row, cls)

    def _settled(self, user: EndUser) -> EndUser:
        after = self.without(user)
        if after != user:
            return after
        # Another link to this provider gives it. Otherwise this user would be found again and again.
        links = tuple(
            msgspec.structs.replace(link, given_by=self.number) if self.is_about(link) else link
            for link in user.idp_links
        )
        return msgspec.structs.replace(user, idp_links=links)

    async def _question(self, database: Database, session: Session | None) -> Document:
        linked: Document = {"linkKeys": of_provider(self.idp_id)}
        if self.links:
            return linked
        # A deleted group gives nothing, however many members it had.
        wanted = {"_id": {"$in": sorted(self.groups)}, **NOT_DELETED}
        groups = [row["_id"] async for row in database[GROUPS.name].find(wanted, {"_id": 1}, session=session)]
        earlier = {"idpId": self.idp_id, "givenBy": {"$not": {"$gte": self.number}}}
        in_group = {"groups": {"$elemMatch": {"id": {"$in": groups}, "links": of_provider(self.idp_id)}}}
        with_link = {"idpLinks": {"$elemMatch": earlier}}
        roles = [list(role) for role in sorted(self.roles)]
        with_role = {"idpLinks": {"$elemMatch": {**earlier, "granted": {"$in": roles}}}}
        return {**linked, "$or": [{"$and": [in_group, with_link]}, with_role]}


def endings_with(idp_id: str) -> list[Document]:
    """Returns the stage that adds the endings of a provider to an aggregation, in the order of `list_of`."""
    rows: list[Document] = [{"$match": {"idpId": idp_id}}, {"$sort": {"number": ASCENDING}}]
    return [{"$unionWith": {"coll": ENDINGS, "pipeline": [*rows, {"$replaceRoot": {"newRoot": {ENDINGS: "$$ROOT"}}}]}}]


def of_provider(idp_id: str) -> Document:
    """Matches keys of links to a provider."""
    return {"$regex": f"^{re.escape(link_prefix(idp_id))}"}


def _unlinked(user: EndUser, idp_id: str) -> EndUser:
    """Removes the links with all that they gave."""
    for link in user.idp_links:
        if link.idp_id == idp_id:
            user = with_link_roles(user, link.key, user.org_id, frozenset())
    left = tuple(one for one in user.idp_links if one.idp_id != idp_id)
    user = msgspec.structs.replace(user, idp_links=left)
    return msgspec.structs.replace(user, groups=own_links(user, user.groups))


def links_of(idp_id: str) -> Cascade:
    """Ends the links to a removed provider, which does not sign anyone in any longer."""
    return Ending(idp_id=idp_id, number=0, links=True).users()


def without_ended(user: EndUser, endings: Iterable[Ending]) -> EndUser:
    for ending in endings:
        user = ending.without(user)
    return user


@dataclass(frozen=True, slots=True)
class Endings:
    database: Database

    async def in_force(self, user: AnyUser) -> AnyUser:
        """Returns the user without what ended and is not written yet.

        Of users without anything from a provider nothing is read.
        """
        givers = {link.idp_id for link in user.idp_links if _gives(link, user)} if isinstance(user, EndUser) else ()
        return without_ended(user, await self.list_of(givers)) if isinstance(user, EndUser) and givers else user

    async def list_of(self, idp_ids: Collection[str]) -> list[Ending]:
        async with guarded():
            rows = self.database[ENDINGS].find({"idpId": {"$in": sorted(idp_ids)}}).sort("number", ASCENDING)
            return [Ending.read(row) async for row in rows]


def _gives(link: IdpLink, user: EndUser) -> bool:
    return bool(link.granted) or any(link.key in one.links for one in user.groups)
