"""Search over users, groups, applications, projects and organizations, within what the caller may read."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from portico_runtime.mongo.client import Database, guarded

from portico_users.accounts.search import BULKY, among
from portico_users.accounts.store import ACCOUNTS
from portico_users.accounts.word_index import WordIndex
from portico_users.applications.store import APPS
from portico_users.end_users.store import USER_WORD_ORDER
from portico_users.groups.group import GROUPS
from portico_users.organizations.org import ORGS
from portico_users.projects.store import PROJECTS
from portico_users.search.found import Found, Kind, best_of, shown
from portico_users.storage.entry import Document, Table
from portico_users.values.names import canonical
from portico_users.values.records import Record, State
from portico_users.values.word_keys import ANY_ORG, each_is_found, find_rarest, has_in_order
from portico_users.values.words import typed_words

CANDIDATES: Final = 10_000
"""Users with the rarest word that are compared with the other words; bounds the cost of a query."""

COUNTED: Final = 1_000
"""Matches of each kind are counted up to here, among as many users with the rarest word. These are read first.

Where names have the words in their order, no further ones are compared.
"""

_RANKED: Final = 4
"""Results that are ranked for each one returned."""

_TABLES: Final[Mapping[Kind, Table[Record]]] = {
    Kind.HUMAN: ACCOUNTS,
    Kind.SERVICE_USER: ACCOUNTS,
    Kind.APP: APPS,
    Kind.PROJECT: PROJECTS,
    Kind.GROUP: GROUPS,
    Kind.ORG: ORGS,
}
_PROJECT_OF: Final = {Kind.APP: "projectId", Kind.PROJECT: "_id"}
_USERS: Final = (Kind.HUMAN, Kind.SERVICE_USER)

_SHOWN: Final[Document] = {"$unset": list(BULKY)}


def _first_of(most: int) -> Document:
    return {"$group": {"_id": None, "matches": {"$sum": 1}, "rows": {"$firstN": {"n": most, "input": "$$ROOT"}}}}


class Area(NamedTuple):
    """Where a kind may be read.

    Attributes:
        orgs: organizations; None for all.
        projects: further projects, each with its organization.
    """

    orgs: tuple[str, ...] | None
    projects: tuple[tuple[str, str], ...] = ()

    def as_question(self, kind: Kind) -> Document:
        if self.orgs is None:
            return ANY_ORG
        in_orgs: Document = {"orgId": among(self.orgs)}
        member = _PROJECT_OF.get(kind)
        if not member or not self.projects:
            return in_orgs
        return {"$or": [in_orgs, *({"orgId": org_id, member: id} for org_id, id in self.projects)]}


class Count(NamedTuple):
    """With `at_least` there may be more: counting ended there."""

    matches: int
    at_least: bool


class Results(NamedTuple):
    """`counts` has the matches of the kinds in `more`, if they were to be counted."""

    found: list[Found]
    more: list[Kind]
    counts: Mapping[Kind, Count]
    org_names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Search:
    database: Database
    word_index: WordIndex

    async def find(self, query: str, areas: Mapping[Kind, Area], limit: int, *, counted: bool = False) -> Results:
        """Returns up to ``limit`` results of each kind. Raises USER-015."""
        query, words = query.strip(), typed_words(query)
        await self.word_index.require()
        async with guarded():
            each = await asyncio.gather(*(self._of_kind(kind, query, area, limit) for kind, area in areas.items()))
        by_kind = dict(zip(areas, each, strict=True))
        more = [kind for kind, (of_kind, _) in by_kind.items() if len(of_kind) > limit]
        async with guarded():
            counting = (self._count(kind, words, areas[kind], by_kind[kind][1]) for kind in more if counted)
            counts = await asyncio.gather(*counting)
        counts = [one._replace(matches=max(one.matches, limit)) for one in counts]
        found = [one for of_kind, _ in by_kind.values() for one in of_kind[:limit]]
        return Results(found, more, dict(zip(more, counts, strict=False)), await self._names(found))

    async def _of_kind(self, kind: Kind, query: str, area: Area, limit: int) -> tuple[list[Found], Count | None]:
        words, most = typed_words(query), _RANKED * limit + 1
        by_words = self._users(kind, words, area, most) if kind in _USERS else self._others(kind, words, area, most)
        exact, (others, count) = await asyncio.gather(self._exact(kind, query, area), by_words)
        table = _TABLES[kind]
        return best_of((shown(table.record(row)) for row in (*exact, *others)), query, limit + 1), count

    async def _count(self, kind: Kind, words: Sequence[str], area: Area, known: Count | None) -> Count:
        if known:
            return known
        question: Document = {"$and": [area.as_question(kind), each_is_found(words)]}
        hint: Document = {}
        if kind in _USERS:
            question, hint = {**question, "type": kind.value}, {"hint": USER_WORD_ORDER}
        counted = await self.database[_TABLES[kind].name].count_documents(question, limit=COUNTED + 1, **hint)
        return Count(min(counted, COUNTED), counted > COUNTED)

    async def _users(
        self, kind: Kind, words: Sequence[str], area: Area, most: int
    ) -> tuple[list[Document], Count | None]:
        """The matches are counted only where users are compared with further words: each of them is read."""
        if not words:
            return [], None
        owner = {**area.as_question(kind), "type": kind.value}
        named = await self._named(owner, words, most)
        if len(named) == most:
            return named, await self._count_named(owner, words)
        rarest = await find_rarest(self.database[ACCOUNTS.name], owner, words, USER_WORD_ORDER)
        first = {"$match": {**owner, **rarest.first}}
        if not rarest.others:
            return await self._read([first, {"$limit": most}, _SHOWN]), None
        if not rarest.matches:
            return [], None
        compared = {"$match": {"$nor": rarest.others}}
        # Without a small limit MongoDB reads users by the 4 MiB before it compares one.
        groups = await self._read([first, {"$limit": COUNTED}, compared, _SHOWN, _first_of(most)])
        group: Document = groups[0] if groups else {"rows": [], "matches": 0}
        found, is_all = list[Document](group["rows"]), rarest.matches <= COUNTED
        if len(found) < most and not is_all and not named:
            rest: list[Document] = [{"$skip": COUNTED}, {"$limit": CANDIDATES - COUNTED}, compared]
            found += await self._read([first, *rest, {"$limit": most - len(found)}, _SHOWN])
        return named + found, Count(max(len(named), group["matches"]), not is_all)

    async def _named(self, owner: Document, words: Sequence[str], most: int) -> list[Document]:
        """Names with the words in this order are found by the index, without comparing any."""
        if len(words) < 2:
            return []
        return await self._read([{"$match": {**owner, **has_in_order(words)}}, {"$limit": most}, _SHOWN])

    async def _count_named(self, owner: Document, words: Sequence[str]) -> Count:
        question = {**owner, **has_in_order(words)}
        rows = self.database[ACCOUNTS.name]
        return Count(await rows.count_documents(question, limit=COUNTED, hint=USER_WORD_ORDER), at_least=True)

    async def _read(self, steps: Sequence[Document]) -> list[Document]:
        rows = self.database[ACCOUNTS.name].aggregate(list(steps), hint=dict(USER_WORD_ORDER))
        found: list[Document] = await rows.to_list(None)
        return found

    async def _others(self, kind: Kind, words: Sequence[str], area: Area, most: int) -> tuple[list[Document], None]:
        question = {"$and": [area.as_question(kind), each_is_found(words)]}
        return await self.database[_TABLES[kind].name].find(question).limit(most).to_list(most), None

    async def _exact(self, kind: Kind, query: str, area: Area) -> list[Document]:
        ways: list[Document] = [{"_id": query}, *([{"clientId": query}] if kind is Kind.APP else [])]
        parts: list[Document] = [{"$or": ways}, area.as_question(kind), {"state": {"$ne": State.DELETED.value}}]
        if kind in _USERS:
            parts.append({"type": kind.value})
            ways.append({"nameKey": canonical(query)})
        return await self.database[_TABLES[kind].name].find({"$and": parts}).limit(2).to_list(2)

    async def _names(self, found: Sequence[Found]) -> dict[str, str]:
        names = {one.record.id: one.title for one in found if one.kind is Kind.ORG}
        missing = sorted({one.record.org_id for one in found} - names.keys())
        if missing:
            async with guarded():
                rows = self.database[ORGS.name].find({"_id": {"$in": missing}}, {"name": 1})
                names |= {row["_id"]: row["name"] async for row in rows}
        return names
