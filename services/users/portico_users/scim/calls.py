"""When connections were last called, and what was refused: for the console, outside of the journal."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

import msgspec
from portico_oauth.errors import ServiceError
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock

from portico_users.storage.entry import Document

SCIM_CALLS: Final = "scimCalls"

MOST_ERRORS: Final = 20
EVERY_SECONDS: Final = 60.0
"""How often the time of the last call is written by one replica."""

REPEATED_SECONDS: Final = 10.0
"""The same error is written once in this time, so that guessing secrets does not cause many writes."""


class RefusedCall(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What was refused; ``at`` in unix seconds. The request without its query, which names people."""

    at: float
    request: str
    status: int
    error_id: str
    text: str


class ScimCalls(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    last_call: float = 0.0
    errors: tuple[RefusedCall, ...] = ()


@dataclass(slots=True)
class _Written:
    at: float = 0.0
    refused: dict[str, float] = field(default_factory=dict)


class CallLog:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._written: dict[str, _Written] = {}

    async def note(self, connection_id: str) -> None:
        """Writes the time of an accepted call. A failure of the store does not fail the call."""
        now, written = self._clock.now(), self._of(connection_id)
        if now - written.at >= EVERY_SECONDS:
            written.at = now
            await self._update(connection_id, {"$max": {"lastCall": now}})

    async def note_refused(self, connection_id: str, refused: RefusedCall) -> None:
        written, key = self._of(connection_id), f"{refused.error_id} {refused.request}"
        if refused.at - written.refused.get(key, 0.0) < REPEATED_SECONDS:
            return
        recent = {one: at for one, at in written.refused.items() if refused.at - at < REPEATED_SECONDS}
        if len(recent) >= MOST_ERRORS:
            return
        written.refused = recent | {key: refused.at}
        pushed = {"$each": [msgspec.to_builtins(refused)], "$slice": -MOST_ERRORS}
        await self._update(connection_id, {"$push": {"errors": pushed}})

    async def find(self, ids: Collection[str]) -> dict[str, ScimCalls]:
        """Returns what is known of connections by id, newest errors last. Raises `unavailable`."""
        async with guarded():
            rows = await self._database[SCIM_CALLS].find({"_id": {"$in": list(ids)}}).to_list(len(ids) or 1)
        return {row["_id"]: msgspec.convert(row, ScimCalls) for row in rows}

    async def forget(self, connection_id: str) -> None:
        self._written.pop(connection_id, None)
        async with guarded():
            await self._database[SCIM_CALLS].delete_one({"_id": connection_id})

    def _of(self, connection_id: str) -> _Written:
        return self._written.setdefault(connection_id, _Written())

    async def _update(self, connection_id: str, change: Document) -> None:
        try:
            async with guarded():
                await self._database[SCIM_CALLS].update_one({"_id": connection_id}, change, upsert=True)
        except ServiceError:  # guarded() has logged it
            return
