from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from portico_runtime.mongo.client import Database, guarded

from portico_users.storage.entry import Document, Table
from portico_users.storage.gathering import Gathering
from portico_users.storage.listing import Listed, Page, PagedRows
from portico_users.storage.name_order import named_fields
from portico_users.values.records import AnyRecord, Record, State

AnyOwner = TypeVar("AnyOwner", bound=Record)


class Reader(Generic[AnyRecord]):
    """Each class of records has one, which names its table."""

    table: Table[AnyRecord]

    def __init__(self, database: Database) -> None:
        self._rows = database[self.table.name]
        self._pages = PagedRows(self._rows, named=named_fields(self.table.indexes))
        self._by_id: Gathering[str, AnyRecord] = Gathering(self._read_ids)

    async def find(self, id: str) -> AnyRecord | None:
        """Returns the record in any state; concurrent calls share one read."""
        return await self._by_id.find(id)

    async def find_where(self, question: Document, *, without: tuple[str, ...] = ()) -> AnyRecord | None:
        """Queries a unique index only by equality with values; text of callers is never a query (MG-10)."""
        async with guarded():
            document = await self._rows.find_one(question, dict.fromkeys(without, 0) or None)
        return self.table.record(document, whole=not without) if document else None

    async def list_where(
        self, question: Document, limit: int | None, *, order: tuple[str, ...] = ()
    ) -> list[AnyRecord]:
        async with guarded():
            rows = self._rows.find(question, sort=[(name, 1) for name in order] or None)
            documents = await rows.limit(limit or 0).to_list(limit)
        return [self.table.record(document) for document in documents]

    async def count_where(self, question: Document) -> int:
        async with guarded():
            return await self._rows.count_documents(question)

    async def list_page(self, question: Document, page: Page) -> Listed[AnyRecord]:
        async with guarded():
            total, documents = await self._pages.read(question, page)
        return Listed(total, [self.table.record(document) for document in documents])

    async def list_after(self, question: Document, page: Page, after: Sequence[object] | None) -> list[AnyRecord]:
        """Returns the page after the record with these values of the sort field and the id; None for the first one."""
        async with guarded():
            documents = await self._pages.follow(question, page, after)
        return [self.table.record(document) for document in documents]

    async def list_with_owner(
        self, question: Document, owners: Table[AnyOwner], limit: int, *, without: tuple[str, ...] = ()
    ) -> list[tuple[AnyRecord, AnyOwner | None]]:
        """Returns up to ``limit`` records, each with the record of its ``orgId``, in one round trip."""
        (found,) = await self.list_each_with_owner([question], owners, limit, without=without)
        return found

    async def list_each_with_owner(
        self, questions: Sequence[Document], owners: Table[AnyOwner], limit: int, *, without: tuple[str, ...] = ()
    ) -> list[list[tuple[AnyRecord, AnyOwner | None]]]:
        """Runs several `list_with_owner` queries in one round trip."""
        first, *others = [_numbered(number, question, limit) for number, question in enumerate(questions)]
        united = [{"$unionWith": {"coll": self.table.name, "pipeline": steps}} for steps in others]
        owner = {"from": owners.name, "localField": "orgId", "foreignField": "_id", "as": "_owner"}
        steps: list[Document] = [*first, *united, {"$lookup": owner}]
        if without:
            steps.append({"$project": dict.fromkeys(without, 0)})
        async with guarded():
            documents: list[Document] = await self._rows.aggregate(steps).to_list(limit * len(questions))
        found: list[list[tuple[AnyRecord, AnyOwner | None]]] = [[] for _ in questions]
        for document in documents:
            owned_by = owners.record(document["_owner"][0]) if document["_owner"] else None
            found[document["_question"]].append((self.table.record(document, whole=not without), owned_by))
        return found

    async def list_active(self, ids: Iterable[str]) -> list[AnyRecord]:
        """Omits unknown and inactive records; unordered."""
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            return []
        return await self.list_where({"_id": {"$in": wanted}, "state": State.ACTIVE.value}, len(wanted))

    async def map_ids(self, ids: Iterable[str]) -> Mapping[str, AnyRecord]:
        """Returns the records in any state by id, in one read."""
        wanted = list(dict.fromkeys(ids))
        return await self.map_where(("_id",), wanted) if wanted else {}

    async def list_members(self, question: Document, *names: str) -> list[Document]:
        """Returns some fields of all matching records, sorted by these; use it with fields in an index."""
        async with guarded():
            rows = self._rows.find(question, {"_id": 0, **dict.fromkeys(names, 1)})
            return await rows.sort([(name, 1) for name in names]).to_list(None)

    async def list_fields(self, question: Document, names: Sequence[str], limit: int | None) -> list[Document]:
        """Returns the id and some fields of up to ``limit`` matching records, in the order of their ids."""
        async with guarded():
            rows = self._rows.find(question, dict.fromkeys(("_id", *names), 1), sort=[("_id", 1)])
            return await rows.limit(limit or 0).to_list(limit)

    async def map_where(self, members: Sequence[str], keys: Sequence[str]) -> dict[str, AnyRecord]:
        """Returns records by the value in one of the fields, each of which has a unique index."""
        wanted: object = {"$in": keys} if len(keys) > 1 else keys[0]
        ways: list[Document] = [{member: wanted} for member in members]
        async with guarded():
            documents = await self._rows.find({"$or": ways} if len(ways) > 1 else ways[0]).to_list(None)
        found: dict[str, AnyRecord] = {}
        for document in documents:
            record = self.table.record(document)
            for member in members:
                value = document.get(member, [])
                found.update(dict.fromkeys(value if isinstance(value, list) else [value], record))
        return found

    async def _read_ids(self, ids: Sequence[str]) -> Mapping[str, AnyRecord]:
        return await self.map_where(("_id",), ids)


Wanted = tuple[Table[Record], str]
"""A record by table and id."""


class FoundRecords:
    """Records of several tables."""

    def __init__(self, rows: Iterable[Document]) -> None:
        self._rows = [pair for row in rows for pair in row.items()]
        self._documents = dict(self._rows)

    def of(self, table: Table[AnyRecord]) -> AnyRecord | None:
        """The record of a table; None for an unknown id."""
        document = self._documents.get(table.name)
        return table.record(document) if document else None

    def rows_of(self, name: str) -> list[Document]:
        """All rows of a collection, in the order of the aggregation."""
        return [document for table, document in self._rows if table == name]


async def find_each(database: Database, first: Wanted, *others: Wanted) -> FoundRecords:
    """Returns records of several tables by id in one round trip."""
    table, id = first
    async with guarded():
        rows = await database[table.name].aggregate([*_one_of(table, id), *united_with(*others)]).to_list(None)
    return FoundRecords(rows)


def united_with(*wanted: Wanted) -> list[Document]:
    """Returns the stages that add records of other tables to an aggregation, one row each, for `FoundRecords`."""
    return [{"$unionWith": {"coll": table.name, "pipeline": _one_of(table, id)}} for table, id in wanted]


def _one_of(table: Table[Record], id: str) -> list[Document]:
    return [{"$match": {"_id": id}}, {"$replaceRoot": {"newRoot": {table.name: "$$ROOT"}}}]


def _numbered(number: int, question: Document, limit: int) -> list[Document]:
    return [{"$match": question}, {"$limit": limit}, {"$set": {"_question": number}}]
