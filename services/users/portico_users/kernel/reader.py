"""Reads records of one table; the stores of the aggregates name their questions on top of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from portico_runtime.mongo import Database, guarded

from portico_users.kernel.entry import Document, Table
from portico_users.kernel.gathering import Gathering
from portico_users.kernel.listing import Listed, Page, PagedRows
from portico_users.kernel.records import AnyRecord, Record, State

AnyOwner = TypeVar("AnyOwner", bound=Record)


class Reader(Generic[AnyRecord]):
    """Finds records; every question is an indexed read.

    All methods raise `unavailable` when the database cannot be asked.
    """

    def __init__(self, database: Database, table: Table[AnyRecord]) -> None:
        self._rows = database[table.name]
        self._table = table
        self._pages = PagedRows(self._rows)
        self._by_id: Gathering[str, AnyRecord] = Gathering(self._read_ids)

    async def find(self, id: str) -> AnyRecord | None:
        """The record with an id, in whatever state; callers that ask at the same time are answered by one read."""
        return await self._by_id.find(id)

    async def find_where(self, question: Document, *, without: tuple[str, ...] = ()) -> AnyRecord | None:
        """The one record a question of a unique index names.

        Args:
            question: values only ever compared for equality; text of a caller is never a query (MG-10).
            without: bulky members to leave in the database; they read as their defaults.
        """
        async with guarded():
            document = await self._rows.find_one(question, dict.fromkeys(without, 0) or None)
        return self._table.record(document) if document else None

    async def list_where(
        self, question: Document, limit: int | None, *, order: tuple[str, ...] = ()
    ) -> list[AnyRecord]:
        """The first ``limit`` records or all, ordered by the members named; without any, in no particular order."""
        async with guarded():
            rows = self._rows.find(question, sort=[(name, 1) for name in order] or None)
            documents = await rows.limit(limit or 0).to_list(limit)
        return [self._table.record(document) for document in documents]

    async def count_where(self, question: Document) -> int:
        """How many records a question names."""
        async with guarded():
            return await self._rows.count_documents(question)

    async def list_page(self, question: Document, page: Page) -> Listed[AnyRecord]:
        """A page of the records a question names."""
        async with guarded():
            total, documents = await self._pages.read(question, page)
        return Listed(total, [self._table.record(document) for document in documents])

    async def list_with_owner(
        self, question: Document, owners: Table[AnyOwner], limit: int, *, without: tuple[str, ...] = ()
    ) -> list[tuple[AnyRecord, AnyOwner | None]]:
        """Up to ``limit`` records, each with the record its ``orgId`` names, in one round trip.

        Args:
            owners: the table of the organizations, which lies above this module.
            without: as in `find_where`.
        """
        (found,) = await self.list_each_with_owner([question], owners, limit, without=without)
        return found

    async def list_each_with_owner(
        self, questions: Sequence[Document], owners: Table[AnyOwner], limit: int, *, without: tuple[str, ...] = ()
    ) -> list[list[tuple[AnyRecord, AnyOwner | None]]]:
        """What `list_with_owner` answers to each of several questions, all in one round trip."""
        first, *others = [_numbered(number, question, limit) for number, question in enumerate(questions)]
        united = [{"$unionWith": {"coll": self._table.name, "pipeline": steps}} for steps in others]
        owner = {"from": owners.name, "localField": "orgId", "foreignField": "_id", "as": "_owner"}
        steps: list[Document] = [*first, *united, {"$lookup": owner}]
        if without:
            steps.append({"$project": dict.fromkeys(without, 0)})
        async with guarded():
            documents: list[Document] = await self._rows.aggregate(steps).to_list(limit * len(questions))
        found: list[list[tuple[AnyRecord, AnyOwner | None]]] = [[] for _ in questions]
        for document in documents:
            owned_by = owners.record(document["_owner"][0]) if document["_owner"] else None
            found[document["_question"]].append((self._table.record(document), owned_by))
        return found

    async def list_active(self, ids: Iterable[str]) -> list[AnyRecord]:
        """The active records among some ids, in no particular order."""
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            return []
        return await self.list_where({"_id": {"$in": wanted}, "state": State.ACTIVE.value}, len(wanted))

    async def list_members(self, question: Document, *names: str) -> list[Document]:
        """Some members of all records a question names, ordered by them; for members an index holds."""
        async with guarded():
            rows = self._rows.find(question, {"_id": 0, **dict.fromkeys(names, 1)})
            return await rows.sort([(name, 1) for name in names]).to_list(None)

    async def map_where(self, members: Sequence[str], keys: Sequence[str]) -> dict[str, AnyRecord]:
        """The records by the key they have in one of some members, each of which has a unique index."""
        wanted: object = {"$in": keys} if len(keys) > 1 else keys[0]
        ways: list[Document] = [{member: wanted} for member in members]
        async with guarded():
            documents = await self._rows.find({"$or": ways} if len(ways) > 1 else ways[0]).to_list(None)
        found: dict[str, AnyRecord] = {}
        for document in documents:
            record = self._table.record(document)
            for member in members:
                value: Any = document.get(member)
                found.update(dict.fromkeys(value if isinstance(value, list) else [value], record))
        return found

    async def _read_ids(self, ids: Sequence[str]) -> Mapping[str, AnyRecord]:
        return await self.map_where(("_id",), ids)


def _numbered(number: int, question: Document, limit: int) -> list[Document]:
    """The steps that answer a question, each answer with the question's number."""
    return [{"$match": question}, {"$limit": limit}, {"$set": {"_question": number}}]
