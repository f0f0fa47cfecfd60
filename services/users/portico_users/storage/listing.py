"""Pages of lists: the documents of one collection in the order of an index, and how many there are."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import Final, Generic, NamedTuple

import bson
from bson import MinKey
from portico_runtime.mongo.client import Rows
from pymongo.collation import Collation

from portico_users.storage.entry import Document
from portico_users.storage.name_order import NAME_ORDER, NamedField, name_key, of_owner, owner_of
from portico_users.storage.remembered import Remembered
from portico_users.values.records import AnyRecord


class Page(NamedTuple):
    offset: int
    limit: int
    sort_by: str
    ascending: bool


class Listed(NamedTuple, Generic[AnyRecord]):
    total: int
    records: list[AnyRecord]


async def page_of_rows(rows: Rows, steps: Sequence[Document], page: Page, *order: str) -> tuple[int, list[Document]]:
    """How many rows an aggregation gives, and a page of them; ``order`` breaks ties of the page's sort field."""
    sort = dict.fromkeys((page.sort_by, *order), 1 if page.ascending else -1)
    wanted = [{"$sort": sort}, {"$skip": page.offset}, {"$limit": page.limit}]
    facets = {"total": [{"$count": _TOTAL}], "page": wanted}
    (found,) = await rows.aggregate([*steps, {"$facet": facets}]).to_list(1)
    return (found["total"][0][_TOTAL] if found["total"] else 0), found["page"]


Hint = Sequence[tuple[str, int]]

EXACT: Final = 1_000
"""Exact count for each call up to here. Above it, a count may be `SECONDS` old, because counting takes linear time, and
one that takes long may be older (`remembered.OLD_SECONDS`).
"""

FAR: Final = 500
"""From this offset on, entries are skipped in the index alone: reading each would make late pages slow."""

FROM_THE_END: Final = 25_000
"""Lists that are longer are read from the nearer end, by a count that may be old."""

SECONDS: Final = 10.0
_TOTAL: Final = "_total"
_REMEMBERED: Final = 256
"""Cached counts; the oldest is evicted first."""

_BY_ID: Final = [("_id", 1)]


class _Reading(NamedTuple):
    """How a page is read: its query, an index that is enforced, and a collation."""

    ordered: Document
    enforced: Hint | None = None
    collation: Collation | None = None

    @property
    def options(self) -> Document:
        hint: Document = {"hint": dict(self.enforced)} if self.enforced else {}
        return hint | ({"collation": self.collation} if self.collation else {})


class PagedRows:
    def __init__(
        self,
        rows: Rows,
        *,
        order: Sequence[str] = ("_id",),
        hidden: Sequence[str] = (),
        most: int | None = None,
        named: Collection[NamedField] = (),
    ) -> None:
        """``order`` breaks ties of the page's sort field (an index has these fields); counts stop at `most`.

        Pages of one owner by a ``named`` field are in the order of names.
        """
        self._rows = rows
        self._order = order
        self._named = named
        self._projection = dict.fromkeys(hidden, 0) or None
        self._shown: list[Document] = [{"$project": self._projection}] if self._projection else []
        self._limit: Document = {"limit": most} if most else {}
        self._counts: Remembered[bytes, int] = Remembered(
            self._count_all, _time, seconds=SECONDS, most=_REMEMBERED, is_kept=lambda total: total > EXACT
        )
        self._scans: Remembered[bytes, int | list[str]] = Remembered(
            self._scan_all, _time, seconds=SECONDS, most=_REMEMBERED, is_kept=lambda found: isinstance(found, int)
        )

    async def read(self, question: Document, page: Page, index: Hint | None = None) -> tuple[int, list[Document]]:
        """Counts only if the page does not show the total. Pass ``index`` only if no filter would use another: such
        lists are counted with the same query, because nearly every page of them is full.
        """
        for owner, member in self._named:
            value = owner_of(question, owner) if member == page.sort_by else None
            if value is not None:
                total, found = await self._read(question, page, _Reading(question, collation=NAME_ORDER))
                return total, of_owner(found, owner, value)
        # Always true; makes the database read the state from the index instead of from the document.
        ordered: Document = {"$and": [question, {page.sort_by: {"$gte": MinKey()}}]}
        return await self._read(question, page, _Reading(ordered, index))

    async def _read(self, question: Document, page: Page, reading: _Reading) -> tuple[int, list[Document]]:
        if page.offset >= FAR:
            return await self._read_far(question, page, reading)
        if reading.enforced and self._counts.known(_key_of(question)) is None:
            total, found = await self._find_counted(question, page, reading)
            return (total if total <= EXACT else await self._count(question)), found
        found = await self._find(page, reading)
        if len(found) < page.limit and (found or not page.offset):
            return page.offset + len(found), found
        return await self._count(question), found

    async def _read_far(self, question: Document, page: Page, reading: _Reading) -> tuple[int, list[Document]]:
        total = await self._count(question)
        rest = total - page.offset
        if total <= FROM_THE_END or rest >= page.offset:
            return total, await self._find_far(page, reading)
        limit = min(page.limit, rest)
        if limit <= 0:
            return total, []
        backwards = page._replace(offset=rest - limit, limit=limit, ascending=not page.ascending)
        return total, (await self._find_far(backwards, reading))[::-1]

    async def _find_far(self, page: Page, reading: _Reading) -> list[Document]:
        steps: list[Document] = [*self._steps(page, reading), {"$project": {"_id": 1}}]
        ids = [row["_id"] for row in await self._rows.aggregate(steps, **reading.options).to_list(None)]
        return await self._find_ids(ids)

    async def _find_ids(self, ids: Sequence[str]) -> list[Document]:
        if not ids:
            return []
        documents = await self._rows.find({"_id": {"$in": list(ids)}}, self._projection).to_list(None)
        by_id = {document["_id"]: document for document in documents}
        return [by_id[id] for id in ids if id in by_id]

    def _steps(self, page: Page, reading: _Reading) -> list[Document]:
        skip: list[Document] = [{"$skip": page.offset}] if page.offset else []
        return [{"$match": reading.ordered}, {"$sort": dict(self._sort(page))}, *skip, {"$limit": page.limit}]

    async def follow(self, question: Document, page: Page, after: Sequence[object] | None) -> list[Document]:
        """The page after the row with these values of the sort fields (None for the first), without counting."""
        if after is None:
            return await self._find(page, _Reading(question))
        names = list(dict.fromkeys((page.sort_by, *self._order)))
        further = "$gt" if page.ascending else "$lt"
        alternatives: list[Document] = [
            {**dict(zip(names[:place], after, strict=False)), name: {further: after[place]}}
            for place, name in enumerate(names)
        ]
        # The first condition bounds the index; the database does not see that the alternatives have a bound.
        bound: Document = {page.sort_by: {"$gte" if page.ascending else "$lte": after[0]}}
        further_ones: Document = {"$and": [question, bound, {"$or": alternatives}]}
        return await self._find(page._replace(offset=0), _Reading(further_ones))

    async def scan(
        self, question: Document, page: Page, index: Hint, *, few: int = EXACT, order: Hint | None = None
    ) -> tuple[int, list[Document]]:
        """Like `read`, for filters that ``index`` serves: by comparing all its keys, or by ranges of it.

        With more than ``few`` matches the first page is found faster in another index, by default the
        database's choice: in ``order`` it comes sorted.
        """
        found = await self._scans.find(_key_of(question, index)) or ()
        if isinstance(found, int):
            return found, await self._find(page, _Reading(question, index if found <= few else order))
        # They were compared once, which may have taken long; what was changed since is seen here.
        still: Document = {"$and": [{"_id": {"$in": found}}, question]}
        return len(found), await self._find_few(still, page)

    async def _find_few(self, question: Document, page: Page) -> list[Document]:
        """In the order of names the database can sort with one index only."""
        if all(member != page.sort_by for _, member in self._named):
            return await self._find(page, _Reading(question, _BY_ID))
        rows = self._rows.find(question, {page.sort_by: 1}).hint(_BY_ID)
        found = sorted(
            await rows.to_list(None), key=lambda row: name_key(row, page.sort_by), reverse=not page.ascending
        )
        return await self._find_ids([row["_id"] for row in found[page.offset : page.offset + page.limit]])

    async def _scan_all(self, key: bytes) -> int | list[str]:
        """Returns how many match, or the ids of a few."""
        asked = bson.decode(key)
        hint = [(name, direction) for name, direction in asked["hint"]]
        few = self._rows.find(asked["question"], {"_id": 1}).hint(hint).limit(EXACT + 1)
        ids = [row["_id"] for row in await few.to_list(None)]
        return ids if len(ids) <= EXACT else await self._rows.count_documents(asked["question"], hint=hint)

    async def _find(self, page: Page, reading: _Reading) -> list[Document]:
        rows = self._rows.find(reading.ordered, self._projection).sort(self._sort(page))
        rows = rows.skip(page.offset).limit(page.limit)
        if reading.enforced:
            rows = rows.hint(list(reading.enforced))
        return await (rows.collation(reading.collation) if reading.collation else rows).to_list(page.limit)

    async def _find_counted(self, question: Document, page: Page, reading: _Reading) -> tuple[int, list[Document]]:
        """Returns the number of all rows too, at most one more than `EXACT`."""
        counted = [{"$match": question}, {"$limit": EXACT + 1}, {"$count": _TOTAL}]
        steps: list[Document] = [
            *self._steps(page, reading),
            *self._shown,
            {"$unionWith": {"coll": self._rows.name, "pipeline": counted}},
        ]
        found = await self._rows.aggregate(steps, **reading.options).to_list(None)
        # Without any row there is no count.
        return found.pop()[_TOTAL] if found and _TOTAL in found[-1] else len(found), found

    def _sort(self, page: Page) -> list[tuple[str, int]]:
        direction = 1 if page.ascending else -1
        return [(name, direction) for name in dict.fromkeys((page.sort_by, *self._order))]

    async def _count(self, question: Document) -> int:
        return await self._counts.find(_key_of(question)) or 0

    async def _count_all(self, key: bytes) -> int:
        question = bson.decode(key)["question"]
        few = await self._rows.count_documents(question, limit=EXACT + 1)
        if few <= EXACT:
            return few
        return await self._rows.count_documents(question, **self._limit)


def _time() -> float:
    return asyncio.get_running_loop().time()


def _key_of(question: Document, index: Hint = ()) -> bytes:
    return bson.encode({"question": question, "hint": list(index)})
