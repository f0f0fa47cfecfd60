"""Sign-ins, failed sign-ins and refusals of each organization and day (UTC), and of the instance in all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple

import msgspec
from portico_contracts.error_texts import error_text
from portico_runtime.mongo.client import Database, guarded
from pymongo import ASCENDING, IndexModel, UpdateOne

from portico_users.storage.entry import Document
from portico_users.storage.schema import Indexes
from portico_users.values.names import INSTANCE

DAILY_COUNTS: Final = "dailyCounts"

KEPT_DAYS: Final = 100

COUNT_INDEXES: Final[Indexes] = {
    DAILY_COUNTS: (IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),),
}

SIGNED_IN: Final = "signedIn"
FAILED: Final = "failed"
REFUSED: Final = "refused"

OTHER: Final = "other"
"""Counts errors without a text, so that the number of reasons is that of the known errors."""


class Counted(NamedTuple):
    """An event to count; `org_id` is empty where it has no organization, `reason` is the error id of a refusal."""

    org_id: str
    at: float
    kind: str
    reason: str = ""


class DayCounts(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The numbers of a day, which is an ISO date; `refused` is by error id."""

    day: str
    signed_in: int = 0
    failed: int = 0
    refused: dict[str, int] = {}


@dataclass(frozen=True, slots=True)
class DailyCounts:
    """One document for each organization and day, written with one update for each document of a batch."""

    database: Database

    async def add(self, counted: Iterable[Counted]) -> None:
        """Raises `unavailable`."""
        updates = _updates(counted)
        if updates:
            async with guarded():
                await self.database[DAILY_COUNTS].bulk_write(updates, ordered=False)

    async def read(self, org_id: str, until: float, days: int) -> list[DayCounts]:
        """Returns every day up to the day of `until`, the oldest first. Raises `unavailable`."""
        last = _day_of(until)
        wanted = [(last - timedelta(days=back)).isoformat() for back in reversed(range(days))]
        async with guarded():
            found = self.database[DAILY_COUNTS].find({"_id": {"$in": [_id(org_id, day) for day in wanted]}})
            rows = {row["day"]: row for row in await found.to_list(days)}
        return [msgspec.convert(rows.get(day, {"day": day}), DayCounts) for day in wanted]


def _updates(counted: Iterable[Counted]) -> list[UpdateOne]:
    added: dict[tuple[str, date], Counter[str]] = {}
    for one in counted:
        reason = one.reason if error_text(one.reason).text else OTHER
        member = f"{REFUSED}.{reason}" if one.kind == REFUSED else one.kind
        for org_id in {one.org_id or INSTANCE, INSTANCE}:
            added.setdefault((org_id, _day_of(one.at)), Counter())[member] += 1
    return [_update(org_id, day, numbers) for (org_id, day), numbers in added.items()]


def _update(org_id: str, day: date, numbers: Counter[str]) -> UpdateOne:
    forget_at = datetime.combine(day, time(), UTC) + timedelta(days=KEPT_DAYS)
    row: Document = {"orgId": org_id, "day": day.isoformat(), "forgetAt": forget_at}
    return UpdateOne({"_id": _id(org_id, day.isoformat())}, {"$setOnInsert": row, "$inc": dict(numbers)}, upsert=True)


def _id(org_id: str, day: str) -> str:
    return f"{org_id} {day}"


def _day_of(at: float) -> date:
    return datetime.fromtimestamp(at, UTC).date()
