"""A version store that records what MongoDB contained at each write."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from portico_fakes.management_api import ApiResponse
from portico_fakes.memory_versions import MemoryVersions
from portico_oauth.errors import UNAVAILABLE
from portico_runtime.mongo.client import Database
from portico_runtime.process.clock import Clock
from portico_runtime.versioned_cache import keys
from portico_runtime.versioned_cache.keys import VersionKey
from portico_users_rows.permission_rows.matrix import MATRIX

PACKAGES = {"v1": "portico.management.v1", "v2": "portico.user.v2", "admin": "portico.admin.v1"}


class Written(NamedTuple):
    """A write of versions.

    Attributes:
        facts: the written versions by key; empty text for marks.
        stored: versions in the database at that time, as another reader sees them, by user.
    """

    facts: Mapping[VersionKey, str]
    stored: Mapping[str, str]


@dataclass
class WatchedVersions(MemoryVersions):
    """In-memory versions that record each write.

    Attributes:
        watched: ids of users whose stored versions are recorded.
        marked, finished: writes before and after commits.
        failing: the operations that raise an error: `begin` before or ``after`` marking, `finish` before setting.
        reached: set when a mark that never returns was requested.
    """

    database: Database | None = None
    watched: tuple[str, ...] = ()
    marked: list[Written] = field(default_factory=list)
    finished: list[Written] = field(default_factory=list)
    failing: str = ""
    reached: asyncio.Event = field(default_factory=asyncio.Event)

    def watch(self, *user_ids: str) -> None:
        self.watched = user_ids
        self.marked.clear()
        self.finished.clear()

    async def begin(self, change: str, facts: Iterable[VersionKey]) -> None:
        wanted = tuple(facts)
        if not wanted:
            return
        self._fail("begin")
        await super().begin(change, wanted)
        self.marked.append(Written(dict.fromkeys(wanted, ""), await self.stored_versions()))
        self._fail("begin after")
        if self.failing == "begin never returns":
            self.reached.set()
            await asyncio.Event().wait()

    async def finish(self, change: str, facts: Mapping[VersionKey, str]) -> None:
        self._fail("finish")
        await super().finish(change, facts)
        if facts:
            self.finished.append(Written(dict(facts), await self.stored_versions()))

    async def stored_versions(self) -> dict[str, str]:
        assert self.database is not None
        rows: list[Any] = await self.database["users"].find({"_id": {"$in": list(self.watched)}}).to_list(None)
        return {row["_id"]: row["version"] for row in rows}

    def _fail(self, step: str) -> None:
        if self.failing == step:
            raise UNAVAILABLE.error(retry_after=1, part="redis")


def watched_versions(clock: Clock, database: Database) -> WatchedVersions:
    return WatchedVersions(clock, database=database)


class Watch:
    """Calls operations by the rows of the matrix, and records the keys they marked and set."""

    def __init__(self, managed: Any) -> None:
        self.managed = managed
        self.versions: WatchedVersions = managed.users.parts.versions
        self.people = {name: f"{name}-{managed.tag}" for name in ("self", "bot-owner", "bot-iam", "robot", "owner")}

    async def call(self, operation: str) -> ApiResponse:
        package, _, method = operation.partition(".")
        name, by = f"{PACKAGES[package]}.{method}", "iam" if package == "admin" else "owner"
        row, managed = MATRIX[name], self.managed
        path = row.path.format(tag=managed.tag, caller=by, grant=managed.grant_of(by))
        answer: ApiResponse = await managed.api.json(name, row.body(managed, by), token=managed.tokens[by], path=path)
        return answer

    async def start(self) -> dict[str, str]:
        self.versions.watch(*self.people.values())
        return await self.versions.stored_versions()

    def marked(self) -> set[str]:
        return {self._name(fact) for written in self.versions.marked for fact in written.facts}

    async def check_order(self, before: Mapping[str, str]) -> set[str]:
        """Checks that one change marked keys before its commit and set versions after it; returns the marked keys."""
        ((marks, at_mark), (texts, at_end)) = (self.versions.marked[0], self.versions.finished[0])
        assert (len(self.versions.marked), len(self.versions.finished)) == (1, 1)
        assert at_mark == before
        assert set(marks) == set(texts)
        people = {name: keys.user(id) for name, id in self.people.items()}
        for name, fact in people.items():
            id = self.people[name]
            if fact in texts:
                assert texts[fact] == at_end[id] != before[id]
            else:
                assert at_end.get(id) == before.get(id)
        for fact, text in texts.items():
            assert text
            assert self.versions.text_of(fact) == text
        return self.marked()

    def _name(self, fact: VersionKey) -> str:
        names = {keys.user(id): name for name, id in self.people.items()}
        names[keys.organization(self.managed.org_id)] = "org"
        return names.get(fact, fact.field)
