"""How many end users there are, signed in and were created lately: counted in indexes, at most once a minute."""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple

from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock

from portico_users.audit.sign_ins.last_sign_ins import LAST_SIGN_INS
from portico_users.end_users.store import HUMANS
from portico_users.storage.entry import Document
from portico_users.storage.remembered import Remembered
from portico_users.values.records import State

SECONDS: Final = 60.0
"""How old the numbers may be, because counting takes linear time; those that take long may be older."""

MOST_CREATED: Final = 10_000
"""Created users are counted up to here, because their type is not in an index."""

_REMEMBERED: Final = 1_000
_LATELY: Final = 30 * 86_400.0


class UserNumbers(NamedTuple):
    total: int = 0
    signed_in: int = 0
    created: int = 0


class CountUsers:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._users = database[HUMANS.name]
        self._times = database[LAST_SIGN_INS]
        self._clock = clock
        self._numbers: Remembered[str, UserNumbers] = Remembered(
            self._count_all, clock.now, seconds=SECONDS, most=_REMEMBERED
        )

    async def count(self, org_id: str) -> UserNumbers:
        """Counts in an organization; for an empty id, in all. Raises `unavailable`."""
        return await self._numbers.find(org_id) or UserNumbers()

    async def _count_all(self, org_id: str) -> UserNumbers:
        among: Document = {"orgId": org_id} if org_id else {}
        since = self._clock.now() - _LATELY
        humans: Document = {**among, "type": "human", "state": {"$ne": State.DELETED.value}}
        async with guarded():
            total, signed_in, created = await asyncio.gather(
                self._users.count_documents(humans),
                self._times.count_documents({**among, "at": {"$gte": since}}),
                self._users.count_documents({**humans, "created": {"$gte": since}}, limit=MOST_CREATED),
            )
        return UserNumbers(total, signed_in, created)
