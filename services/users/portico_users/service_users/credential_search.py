from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from portico_runtime.mongo.client import Database, guarded

from portico_users.service_users.service_user import SERVICE_USERS
from portico_users.storage.entry import Document
from portico_users.storage.listing import Page, page_of_rows

KEYS: Final = ("keys", "kid")
TOKENS: Final = ("personalTokens", "id")
"""The field with the tokens, and the name of their id field."""

NEVER: Final = 253_402_300_800_000_000
"""Expiration of credentials without one, in microseconds: later than any date."""


class ServiceUserCredential(NamedTuple):
    """A key or token; times in microseconds since 1970, `created` 0 if unknown, `expires_at` may be `NEVER`."""

    id: str
    user_id: str
    org_id: str
    created: int
    expires_at: int


class FoundCredentials(NamedTuple):
    total: int
    credentials: list[ServiceUserCredential]


@dataclass(frozen=True, slots=True)
class CredentialSearch:
    database: Database

    async def search(
        self, kind: tuple[str, str], org_ids: Sequence[str] | None, conditions: Sequence[Document], page: Page
    ) -> FoundCredentials:
        """Finds credentials of service users in the organizations (None for all), which also limit counts (MG-22)."""
        steps = [*_each(kind, org_ids), {"$match": {"$and": list(conditions)} if conditions else {}}]
        async with guarded():
            total, rows = await page_of_rows(self.database[SERVICE_USERS.name], steps, page, "user_id", "number")
        return FoundCredentials(
            total, [ServiceUserCredential(*(row[name] for name in ServiceUserCredential._fields)) for row in rows]
        )


def _each(kind: tuple[str, str], org_ids: Sequence[str] | None) -> list[Document]:
    member, id = kind
    holders: Document = {"type": "machine", f"{member}.0": {"$exists": True}}
    if org_ids is not None:
        holders["orgId"] = {"$in": list(org_ids)}
    return [
        {"$match": holders},
        {"$project": {"orgId": 1, "one": f"${member}"}},
        {"$unwind": {"path": "$one", "includeArrayIndex": "number"}},
        {
            "$project": {
                "_id": 0,
                "id": f"$one.{id}",
                "user_id": "$_id",
                "org_id": "$orgId",
                "number": 1,
                "created": _microseconds({"$ifNull": ["$one.created", 0]}),
                "expires_at": {"$cond": ["$one.expiresAt", _microseconds("$one.expiresAt"), NEVER]},
            }
        },
    ]


def _microseconds(seconds: Document | str) -> Document:
    return {"$toLong": {"$min": [{"$round": [{"$multiply": [seconds, 1_000_000]}, 0]}, NEVER - 1]}}
