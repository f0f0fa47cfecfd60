"""Writes the words and marks of records that an older release stored, and reports whether any have none yet."""

from __future__ import annotations

import asyncio
from typing import ClassVar, Final

import structlog
from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.mongo.migrations import Batch, ById, Collection, next_due
from pymongo import UpdateOne

from portico_users.accounts.store import ACCOUNTS
from portico_users.applications.store import APPS
from portico_users.end_users.end_user import EndUser
from portico_users.end_users.marks import LAST_SIGN_IN, MARKS, NEVER, mark_order
from portico_users.end_users.store import HUMANS, USER_WORD_ORDER
from portico_users.groups.group import GROUPS
from portico_users.organizations.org import ORGS
from portico_users.projects.store import PROJECTS
from portico_users.service_users.service_user import SERVICE_USERS
from portico_users.storage.entry import Document, Table
from portico_users.storage.schema import Schema
from portico_users.values.records import Record
from portico_users.values.word_keys import (
    ANY_ORG,
    ANY_TYPE,
    FORM,
    OLDER,
    OLDER_ORDER,
    WORD_ORDER,
    WORDS,
    Order,
)

log = structlog.get_logger("portico.search")

AGAIN_SECONDS: Final = 60.0

INDEX_INCOMPLETE = ErrorCode(
    "USER-015",
    Kind.UNAVAILABLE,
    "The search index is being built after an upgrade.",
    "Retry in a minute. portico migrate --dry-run shows the remaining records.",
)

_MISSING: Final[Document] = {WORDS: {"$exists": False}}
_LAST_SIGN_INS: Final = "lastSignIns"


class _Words(ById):
    """Deleted records have no words, but the field."""

    table: ClassVar[Table[Record]]
    seek: ClassVar[Document] = ANY_ORG
    order: ClassVar[Order] = WORD_ORDER
    due_order: ClassVar[Order] = OLDER_ORDER

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def rows(self) -> Collection:
        return self._database[self.table.name]

    @property
    def due(self) -> Document:
        return OLDER

    def change(self, row: Document) -> UpdateOne | None:
        keys = self._table_of(row).keys(self.table.record(row))
        written = {name: keys[name] for name in (WORDS, FORM)}
        return UpdateOne({"_id": row["_id"], "sequence": row["sequence"]}, {"$set": written})

    def _table_of(self, _row: Document) -> Table[Record]:
        return self.table

    async def count_left(self) -> int:
        """By the index: without a hint, because the check of an upgrade counts before the index exists."""
        async with guarded():
            return await self.rows.count_documents(self.due)

    async def is_due(self) -> bool:
        async with guarded():
            return await self.rows.find_one(self.due, {"_id": 1}, hint=self.due_order) is not None

    async def is_incomplete(self) -> bool:
        """Reports whether records have no words. Those of the former release have, for beginnings of words."""
        async with guarded():
            return await self.rows.find_one({**self.seek, **_MISSING}, {"_id": 1}, hint=list(self.order)) is not None

    async def build(self) -> int:
        written, after = 0, ""
        while True:
            changed, _, next_after = await self.carry(after)
            written += changed
            if next_after is None:
                return written
            after = next_after


class UserWords(_Words):
    name = "user-words"
    text = "words by which users are found"
    table = ACCOUNTS
    seek: ClassVar = {**ANY_ORG, **ANY_TYPE}
    order = USER_WORD_ORDER

    def _table_of(self, row: Document) -> Table[Record]:
        return HUMANS if isinstance(ACCOUNTS.record(row), EndUser) else SERVICE_USERS


class UserMarks(UserWords):
    """An older release stores users without their marks and last sign-in, also those that had them."""

    name = "user-marks"
    text = "marks and last sign-ins by which people are filtered"
    order = mark_order("")
    due_order = order

    @property
    def due(self) -> Document:
        return {MARKS: None}

    async def is_incomplete(self) -> bool:
        return await self.is_due()

    async def carry(self, after: str) -> Batch:
        async with guarded():
            found, further = await next_due(self.rows, self.due, after)
            of_them = self._database[_LAST_SIGN_INS].find({"_id": {"$in": [row["_id"] for row in found]}})
            times = {row["_id"]: row["at"] async for row in of_them}
            writes = [self._marked(row, times.get(row["_id"], NEVER)) for row in found]
            changed = (await self.rows.bulk_write(writes, ordered=False)).modified_count if writes else 0
        return Batch(changed, 0, further)

    def _marked(self, row: Document, last_sign_in: float) -> UpdateOne:
        keys = self._table_of(row).keys(self.table.record(row))
        change: Document = {"$set": {MARKS: keys[MARKS]}}
        if LAST_SIGN_IN in keys:
            change["$max"] = {LAST_SIGN_IN: last_sign_in}
        return UpdateOne({"_id": row["_id"], "sequence": row["sequence"]}, change)


class AppWords(_Words):
    name = "app-words"
    text = "words by which applications are found"
    table = APPS


class ProjectWords(_Words):
    name = "project-words"
    text = "words by which projects are found"
    table = PROJECTS


class GroupWords(_Words):
    name = "group-words"
    text = "words by which groups are found"
    table = GROUPS


class OrgWords(_Words):
    name = "org-words"
    text = "words by which organizations are found"
    table = ORGS


class WordIndex:
    """Builds the index in the background; searches wait for nothing, and find everything or are refused."""

    def __init__(
        self,
        schema: Schema,
        users: UserWords,
        marks: UserMarks,
        apps: AppWords,
        projects: ProjectWords,
        groups: GroupWords,
        orgs: OrgWords,
    ) -> None:
        self._schema = schema
        self._kinds: tuple[_Words, ...] = (users, marks, apps, projects, groups, orgs)
        self._is_complete = False

    async def run_once(self) -> None:
        """Also finds what a replica of an older release has written since."""
        await self._schema.wait()
        await self.build()
        await asyncio.sleep(AGAIN_SECONDS)

    async def build(self) -> None:
        for kind in self._kinds:
            if await kind.is_due():
                log.info("search index built", table=kind.table.name, records=await kind.build())
        self._is_complete = True

    async def require(self) -> None:
        """Raises USER-015 while records of an older release have no words."""
        if self._is_complete:
            return
        if any(await asyncio.gather(*(kind.is_incomplete() for kind in self._kinds))):
            raise INDEX_INCOMPLETE.error(retry_after=5)
        self._is_complete = True
