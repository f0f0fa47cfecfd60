"""Dry runs and comparisons of a target: how far they are, and what they found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import msgspec
from portico_oauth.opaque import RandomBytes
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock

from portico_users.storage.entry import Document
from portico_users.values.names import new_id

TARGET_RUNS: Final = "scimTargetRuns"

EVERY_SECONDS: Final = 86_400.0
"""Between the end of a comparison and the next one."""

SHOWN_USERS: Final = 50


class RunKind(StrEnum):
    """A dry run only reads; a comparison also makes due what it finds."""

    DRY = "dry"
    COMPARISON = "comparison"


class Phase(StrEnum):
    """First the accounts of the target are read, then the users who have none there."""

    ACCOUNTS = "accounts"
    PEOPLE = "people"
    DONE = "done"


class Step(StrEnum):
    """What has to be done about one account."""

    NONE = "none"
    CREATE = "create"
    ADOPT = "adopt"
    CHANGE = "change"
    DEACTIVATE = "deactivate"
    DELETE = "delete"
    REFUSE = "refuse"


class Run(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One run.

    Attributes:
        number: random, of this run.
        begins: unix seconds; not before.
        started, ended: unix seconds; 0 for not yet.
        place: 1-based index of the next account (RFC 7644 section 3.4.2.4).
        after: values of the sort fields of the last user that was read.
        counts: number of accounts by step.
        users: the first ids of users by step.
        cause: why the last window failed; empty after one that did not.
    """

    target_id: str
    kind: RunKind
    number: str
    begins: float
    started: float = 0.0
    ended: float = 0.0
    phase: Phase = Phase.ACCOUNTS
    place: int = 1
    after: tuple[Any, ...] | None = None
    counts: dict[str, int] = {}
    users: dict[str, list[str]] = {}
    cause: str = ""

    @property
    def id(self) -> str:
        return f"{self.target_id}.{self.kind}"


class TargetTest(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The last test of a target; ``cause`` is empty if it succeeded."""

    target_id: str
    at: float
    status: int = 0
    cause: str = ""

    @property
    def id(self) -> str:
        return f"{self.target_id}.test"


@dataclass(frozen=True, slots=True)
class TargetRuns:
    """All methods raise `unavailable` if the database does not respond."""

    database: Database
    clock: Clock
    random: RandomBytes

    async def request(self, target_id: str, kind: RunKind, *, wait: float = 0.0) -> None:
        """Starts a run after so many seconds, in place of an earlier one of its kind."""
        run = Run(target_id=target_id, kind=kind, number=new_id(self.random), begins=self.clock.now() + wait)
        async with guarded():
            await self.database[TARGET_RUNS].replace_one(
                {"_id": run.id}, msgspec.to_builtins(run) | {"_id": run.id}, upsert=True
            )

    async def find(self, target_ids: list[str]) -> dict[tuple[str, RunKind], Run]:
        ids = [f"{id}.{kind}" for id in target_ids for kind in RunKind]
        async with guarded():
            rows = await self.database[TARGET_RUNS].find({"_id": {"$in": ids}}).to_list(None)
        found = [msgspec.convert(row, Run) for row in rows]
        return {(run.target_id, run.kind): run for run in found}

    async def advance(self, before: Run, after: Run, found: Mapping[Step, list[str]]) -> None:
        """Writes place and counts of a window together, so that none is counted twice; a newer run stays."""
        values: Document = {"phase": after.phase.value, "place": after.place, "after": after.after, "cause": ""}
        values["started"] = before.started or self.clock.now()
        if after.phase is Phase.DONE:
            values["ended"] = self.clock.now()
        counted = {f"counts.{step.value}": len(users) for step, users in found.items() if users}
        shown = {
            f"users.{step.value}": {"$each": users, "$slice": SHOWN_USERS}
            for step, users in found.items()
            if users and step is not Step.NONE
        }
        change: Document = {"$set": values}
        change |= {"$inc": counted} if counted else {}
        change |= {"$push": shown} if shown else {}
        place = {"number": before.number, "phase": before.phase.value, "place": before.place, "after": before.after}
        async with guarded():
            await self.database[TARGET_RUNS].update_one({"_id": before.id, **place}, change)

    async def note_failure(self, run: Run, cause: str) -> None:
        async with guarded():
            await self.database[TARGET_RUNS].update_one(
                {"_id": run.id, "number": run.number}, {"$set": {"cause": cause}}
            )

    async def note_test(self, test: TargetTest) -> None:
        async with guarded():
            await self.database[TARGET_RUNS].replace_one(
                {"_id": test.id}, msgspec.to_builtins(test) | {"_id": test.id}, upsert=True
            )

    async def find_test(self, target_id: str) -> TargetTest | None:
        async with guarded():
            row = await self.database[TARGET_RUNS].find_one({"_id": f"{target_id}.test"})
        return msgspec.convert(row, TargetTest) if row else None

    async def forget(self, target_id: str) -> None:
        ids = [f"{target_id}.{word}" for word in (*RunKind, "test")]
        async with guarded():
            await self.database[TARGET_RUNS].delete_many({"_id": {"$in": ids}})
