"""The last test sign-in of each provider, without its claims, in MongoDB."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import msgspec
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock
from pymongo import IndexModel

from portico_users.storage.entry import Document
from portico_users.storage.schema import Indexes

LAST_TESTS: Final = "idpTests"
LAST_TEST_INDEXES: Final[Indexes] = {
    LAST_TESTS: (IndexModel([("forgetAt", 1)], expireAfterSeconds=0),),
}

SECONDS: Final = 90 * 24 * 3600
"""After this time, a test no longer shows anything about the provider."""


class LastTest(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """`version` is of the provider's configuration that was tested; `error_id` is empty for a success."""

    at: float
    actor: str
    version: str
    error_id: str = ""


@dataclass(frozen=True, slots=True)
class LastTests:
    """All methods raise `unavailable` if the database does not respond."""

    database: Database
    clock: Clock

    async def record(self, idp_id: str, *, actor: str, version: str, error_id: str) -> None:
        now = self.clock.now()
        test = LastTest(at=now, actor=actor, version=version, error_id=error_id)
        row: Document = msgspec.to_builtins(test) | {"forgetAt": datetime.fromtimestamp(now + SECONDS, UTC)}
        async with guarded():
            await self.database[LAST_TESTS].replace_one({"_id": idp_id}, row, upsert=True)

    async def find(self, idp_id: str) -> LastTest | None:
        async with guarded():
            row = await self.database[LAST_TESTS].find_one({"_id": idp_id})
        return msgspec.convert(row, LastTest) if row else None
