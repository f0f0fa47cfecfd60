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
from portico_users.values.word_keys import ANY_ORG, each_is_found, rarest_first
from portico_users.values.words import typed_words

CANDIDATES: Final = 10_000
"""Users with the rarest word that are compared with the other words; bounds the cost of a query."""

COUNTED: Final = 1_000
"""Matches of each kind are counted up to here, among as many users with the rarest word."""

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
        query = query.strip()
        await self.word_index.require()
        async with guarded():
            by_kind = await asyncio.gather(*(self._of_kind(kind, query, area, limit) for kind, area in areas.items()))
        found = [one for of_kind in by_kind for one in of_kind[:limit]]
        more = [kind for kind, of_kind in zip(areas, by_kind, strict=True) if len(of_kind) > limit]
        words = typed_words(query)
        async with guarded():
            counts = await asyncio.gather(*(self._count(kind, words, areas[kind]) for kind in more if counted))
        counts = [one._replace(matches=max(one.matches, limit)) for one in counts]
        return Results(found, more, dict(zip(more, counts, strict=False)), await self._names(found))

    async def _of_kind(self, kind: Kind, query: str, area: Area, limit: int) -> list[Found]:
        words, most = typed_words(query), _RANKED * limit + 1
        by_words = self._users(kind, words, area, most) if kind in _USERS else self._others(kind, words, area, most)
        rows = await asyncio.gather(self._exact(kind, query, area), by_words)
        table = _TABLES[kind]
        return best_of((shown(table.record(row)) for found in rows for row in found), query, limit + 1)

    async def _count(self, kind: Kind, words: Sequence[str], area: Area) -> Count:
        if kind in _USERS:
            return await self._count_users(kind, words, area)
        question = {"$and": [area.as_question(kind), each_is_found(words)]}
        counted = await self.database[_TABLES[kind].name].count_documents(question, limit=COUNTED + 1)
        return Count(min(counted, COUNTED), counted > COUNTED)

    async def _count_users(self, kind: Kind, words: Sequence[str], area: Area) -> Count:
        """Compares as many users as it counts: each of them is read."""
        rows, owner = self.database[ACCOUNTS.name], {**area.as_question(kind), "type": kind.value}
        question = await rarest_first(rows, owner, words, USER_WORD_ORDER)
        others = question.pop("$nor", [])
        rarest = {**owner, **question}
        found = await rows.count_documents(rarest, limit=COUNTED + 1, hint=USER_WORD_ORDER)
        if not others:
            return Count(min(found, COUNTED), found > COUNTED)
        steps: list[Document] = [{"$match": rarest}, {"$limit": COUNTED}, {"$match": {"$nor": others}}, {"$count": "n"}]
        counted = await rows.aggregate(steps, hint=dict(USER_WORD_ORDER)).to_list(1)
        return Count(next((int(row["n"]) for row in counted), 0), found > COUNTED)

    async def _users(self, kind: Kind, words: Sequence[str], area: Area, most: int) -> list[Document]:
        if not words:
            return []
        steps = [*await self._steps(kind, words, area, most), {"$unset": list(BULKY)}]
        rows = self.database[ACCOUNTS.name].aggregate(steps, hint=dict(USER_WORD_ORDER))
        found: list[Document] = await rows.to_list(most)
        return found

    async def _steps(self, kind: Kind, words: Sequence[str], area: Area, most: int) -> list[Document]:
        rows, owner = self.database[ACCOUNTS.name], {**area.as_question(kind), "type": kind.value}
        question = await rarest_first(rows, owner, words, USER_WORD_ORDER)
        others = question.pop("$nor", [])
        steps: list[Document] = [{"$match": {**owner, **question}}]
        if others:
            steps += [{"$limit": CANDIDATES}, {"$match": {"$nor": others}}]
        return [*steps, {"$limit": most}]

    async def _others(self, kind: Kind, words: Sequence[str], area: Area, most: int) -> list[Document]:
        question = {"$and": [area.as_question(kind), each_is_found(words)]}
        return await self.database[_TABLES[kind].name].find(question).limit(most).to_list(most)

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
