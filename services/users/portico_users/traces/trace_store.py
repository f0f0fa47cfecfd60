"""Traces in MongoDB, for 24 hours: bounded in size and number, the oldest dropped first."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Final, NamedTuple

import msgspec
import structlog
from portico_contracts.subjects import encode
from portico_contracts.traces import LARGEST_TRACE, TRACE_SECONDS, RecordTraces, Trace
from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.clock import Clock
from portico_runtime.mongo import Database, guarded
from portico_runtime.traces.limits import STORED_PER_MINUTE, UNKNOWN, MinuteLimit
from pymongo import ASCENDING, DESCENDING, IndexModel

from portico_users.kernel.entry import Document
from portico_users.kernel.listing import Page, PagedRows
from portico_users.kernel.schema import Indexes

log = structlog.get_logger("portico.traces")

TRACE_NOT_FOUND = ErrorCode(
    "USER-841",
    Kind.NOT_FOUND,
    "No diagnostics were recorded for this request.",
    "Check the request id. Diagnostics are kept for 24 hours, and when many requests are "
    "refused within a minute, some are not recorded.",
)

TRACES: Final = "traces"
_ORDER: Final = [("at", ASCENDING), ("_id", ASCENDING)]
TRACE_INDEXES: Final[Indexes] = {
    TRACES: (
        IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),
        IndexModel([("requestId", ASCENDING)]),
        IndexModel([("appId", ASCENDING), *_ORDER]),
        IndexModel([("isKnown", ASCENDING), *_ORDER]),
        IndexModel(_ORDER),
    ),
}

MOST_STORED: Final = 50_000
"""Traces of known clients and persons, 100 MiB at most."""

MOST_UNKNOWN: Final = 10_000
"""Traces of unknown clients: they never displace the others."""

TRIM_SECONDS: Final = 30.0
_COUNTED: Final = 10_000


class FoundTraces(NamedTuple):
    """A page, and how many there are in all, up to a limit."""

    total: int
    traces: list[Trace]


class TraceStore:
    """Stores and finds traces."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._rows = database[TRACES]
        self._pages = PagedRows(self._rows, most=_COUNTED)
        self._clock = clock
        self._limit = MinuteLimit(clock, STORED_PER_MINUTE)

    async def record(self, message: RecordTraces) -> None:
        """Stores traces, those that are too large or too many left out.

        Raises:
            ServiceError: `unavailable` when the database cannot be asked; they are lost then.
        """
        rows = [_row(trace) for trace in message.traces if self._is_admitted(trace)]
        if rows:
            async with guarded():
                await self._rows.insert_many(rows, ordered=False)

    async def find(self, request_id: str) -> Trace | None:
        """The trace of a request, the newest where an id was used again; None without one.

        Raises:
            ServiceError: `unavailable` when the database cannot be asked.
        """
        async with guarded():
            row = await self._rows.find_one({"requestId": request_id, **self._readable()}, sort=[("at", DESCENDING)])
        return _trace(row) if row else None

    async def search(self, question: Document, page: Page) -> FoundTraces:
        """A page of the traces a question names, by time.

        Raises:
            ServiceError: `unavailable` when the database cannot be asked.
        """
        async with guarded():
            total, rows = await self._pages.read({"$and": [question, self._readable()]}, page)
        return FoundTraces(total, [_trace(row) for row in rows])

    async def trim(self) -> None:
        """Deletes the oldest beyond what is stored at most, then rests for a while.

        Raises:
            ServiceError: `unavailable` when the database cannot be asked.
        """
        await self.trim_now()
        await asyncio.sleep(TRIM_SECONDS)

    async def trim_now(self, known: int = MOST_STORED, unknown: int = MOST_UNKNOWN) -> None:
        """Deletes the oldest beyond these numbers. Raises as `trim`."""
        for is_known, most in ((True, known), (False, unknown)):
            question = {"isKnown": is_known}
            async with guarded():
                newest_first = self._rows.find(question, {"at": 1}).sort([("at", DESCENDING), ("_id", DESCENDING)])
                beyond: list[Document] = await newest_first.skip(most).limit(1).to_list(1)
                if beyond:
                    await self._rows.delete_many({**question, "at": {"$lte": beyond[0]["at"]}})

    def _is_admitted(self, trace: Trace) -> bool:
        owner = trace.client_id if trace.client_known else trace.user_id or UNKNOWN
        return len(encode(trace)) <= LARGEST_TRACE and self._limit.admits(owner)

    def _readable(self) -> Document:
        """The database deletes what is too old once a minute; until then it is not found."""
        return {"at": {"$gt": self._clock.now() - TRACE_SECONDS}}


def _row(trace: Trace) -> Document:
    return {
        "requestId": trace.request_id,
        "appId": trace.app_id,
        "isKnown": bool(trace.app_id or trace.user_id),
        "outcome": trace.outcome,
        "at": trace.at,
        "forgetAt": datetime.fromtimestamp(trace.at + TRACE_SECONDS, UTC),
        "trace": msgspec.to_builtins(trace),
    }


def _trace(row: Document) -> Trace:
    return msgspec.convert(row["trace"], Trace)
