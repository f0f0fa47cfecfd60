"""Rows of sign-ins and refusals in the collection of events, which deletes them by `forgetAt`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, NamedTuple

from portico_contracts.activities.table import activity_of
from portico_oauth.opaque import fingerprint
from pymongo import UpdateOne

from portico_users.storage.entry import Document
from portico_users.values.names import INSTANCE
from portico_users.values.records import SYSTEM

HOUR: Final = 3_600.0
DAY: Final = 86_400.0


class Happened(NamedTuple):
    """A sign-in or a refusal; `values` are ids, words of closed lists and texts of errors.

    `actor` is empty for the user, who is the system if unknown.
    """

    kind: str
    action: str
    org_id: str
    user_id: str
    at: float
    values: Document
    actor: str = ""


def single(id: str, happened: Happened, forget_at: float) -> UpdateOne:
    """Writes one row, once for each id."""
    return UpdateOne({"_id": id}, {"$setOnInsert": _row_of(id, happened, forget_at, happened.values)}, upsert=True)


def counted(happened: Happened, count: int, period: float, about: tuple[str, ...], forget_at: float) -> UpdateOne:
    """Counts what happens again within the same period in the same row, which has the latest time and values."""
    began = int(happened.at // period)
    id = fingerprint("\n".join((happened.kind, happened.action, happened.user_id, *about, f"{period}:{began}")))
    row = _row_of(id, happened, forget_at, {**happened.values, "count": count})
    latest: Document = {f"values.{name}": value for name, value in happened.values.items()}
    latest |= {"at": row.pop("at"), "forgetAt": row.pop("forgetAt")}
    del row["values"]
    return UpdateOne({"_id": id}, {"$setOnInsert": row, "$set": latest, "$inc": {"values.count": count}}, upsert=True)


def _row_of(id: str, happened: Happened, forget_at: float, values: Document) -> Document:
    return {
        "_id": id,
        "table": happened.kind,
        "object": id,
        "orgId": happened.org_id or INSTANCE,
        "sequence": 1,
        "at": happened.at,
        "actor": happened.actor or happened.user_id or SYSTEM,
        "action": happened.action,
        "fields": sorted(values),
        "values": values,
        "activity": activity_of(happened.kind, happened.action, values, values).key,
        "forgetAt": datetime.fromtimestamp(forget_at, UTC),
    }
