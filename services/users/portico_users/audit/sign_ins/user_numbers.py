"""How many end users there are, signed in and were created lately: counted in indexes, at most once a minute."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock

from portico_users.audit.sign_ins.last_sign_ins import LAST_SIGN_INS
from portico_users.end_users.store import HUMANS
from portico_users.storage.entry import Document
from portico_users.storage.gathering import Gathering
from portico_users.values.records import State

SECONDS: Final = 60.0
"""How old the numbers may be: counting takes linear time."""

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
        self._counted: dict[str, tuple[float, UserNumbers]] = {}
        self._counting: Gathering[str, UserNumbers] = Gathering(self._count_all, lane_of=lambda org_id: org_id)

    async def count(self, org_id: str) -> UserNumbers:
        """Counts in an organization; for an empty id, in all. Raises `unavailable`."""
        at, numbers = self._counted.get(org_id, (0.0, UserNumbers()))
        if 0 <= self._clock.now() - at < SECONDS:
            return numbers
        return await self._counting.find(org_id) or UserNumbers()

    async def _count_all(self, org_ids: Sequence[str]) -> Mapping[str, UserNumbers]:
        (org_id,) = org_ids
        among: Document = {"orgId": org_id} if org_id else {}
        since = self._clock.now() - _LATELY
        humans: Document = {**among, "type": "human", "state": {"$ne": State.DELETED.value}}
        async with guarded():
            total, signed_in, created = await asyncio.gather(
                self._users.count_documents(humans),
                self._times.count_documents({**among, "at": {"$gte": since}}),
                self._users.count_documents({**humans, "created": {"$gte": since}}, limit=MOST_CREATED),
            )
        numbers = UserNumbers(total, signed_in, created)
        if len(self._counted) >= _REMEMBERED:
            self._counted.clear()
        self._counted[org_id] = (self._clock.now(), numbers)
        return {org_id: numbers}
