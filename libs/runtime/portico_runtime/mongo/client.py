"""MongoDB for the stores: majority and journaled writes, timeouts, the service's own database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final

import structlog
from motor.motor_asyncio import (
    AsyncIOMotorClient,
    AsyncIOMotorClientSession,
    AsyncIOMotorCollection,
    AsyncIOMotorDatabase,
)
from portico_contracts import spans
from portico_oauth.errors import UNAVAILABLE
from pymongo import WriteConcern
from pymongo.errors import BulkWriteError, ConfigurationError, PyMongoError
from pymongo.read_concern import ReadConcern

from portico_runtime.mongo.threads import rest_between_tasks
from portico_runtime.process.health import CHECK_SECONDS, NotReady, note_failure
from portico_runtime.process.store_metrics import MONGO
from portico_runtime.settings.section import InvalidSetting
from portico_runtime.settings.sections.mongo import MongoSection
from portico_runtime.spans.mongo_commands import MongoCommandSpans
from portico_runtime.tls.refused import why_refused

log = structlog.get_logger("portico.mongo")

UNRESOLVED: Final = "DNS has no SRV records for its name"
"""With ``mongodb+srv``: no name, no records, or servers of another domain."""

_CHECK_SECONDS: Final = CHECK_SECONDS * 0.8

_DUPLICATE_KEY: Final = 11_000

Database = AsyncIOMotorDatabase[dict[str, Any]]
Rows = AsyncIOMotorCollection[dict[str, Any]]
Session = AsyncIOMotorClientSession


class MongoClient:
    def __init__(self, settings: MongoSection, user: str) -> None:
        milliseconds = int(settings.mongo_timeout * 1000)
        rest_between_tasks()
        try:
            self._client: AsyncIOMotorClient[dict[str, Any]] = AsyncIOMotorClient(
                settings.mongo_url,
                username=user,
                password=settings.mongo_password.get_secret_value(),
                authSource=database_name(user),
                timeoutMS=milliseconds,
                serverSelectionTimeoutMS=milliseconds,
                maxPoolSize=64,
                tz_aware=True,
                retryWrites=True,
                event_listeners=[MongoCommandSpans()] if spans.tracer() else [],
            )
        except (PyMongoError, OSError, ValueError) as error:
            raise InvalidSetting(f"PORTICO_MONGO_URL cannot be used: {type(error).__name__}") from error
        self._asking: asyncio.Future[dict[str, Any]] | None = None
        self.database: Database = self._client.get_database(
            database_name(user), write_concern=WriteConcern("majority", j=True), read_concern=ReadConcern("majority")
        )

    async def start(self) -> None:
        pass

    async def check(self) -> None:
        """Raises NotReady, with the reason, for failed TLS and an unresolved name of ``mongodb+srv``."""
        try:
            # Without a usable server the driver searches longer than readiness waits.
            async with asyncio.timeout(_CHECK_SECONDS):
                await self._hello()
        except (PyMongoError, OSError, TimeoutError) as error:
            if (
                reason := UNRESOLVED
                if isinstance(error, ConfigurationError)
                else why_refused(error) or self._unavailable()
            ):
                raise NotReady(reason) from error
            raise

    def _unavailable(self) -> str:
        servers = self._client.delegate.topology_description.server_descriptions().values()
        return next((reason for server in servers if (reason := why_refused(server.error))), "")

    async def time(self) -> float:
        """Returns unix time in seconds by the clock of the primary. Raises `unavailable`."""
        async with guarded():
            local: datetime = (await self._hello())["localTime"]
        return local.timestamp()

    async def _hello(self) -> dict[str, Any]:
        """Shared by those who ask at the same time: readiness and the comparison of the clocks."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.ensure_future(self.database.command("hello"))
        return await asyncio.shield(self._asking)

    async def close(self) -> None:
        self._client.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Session]:
        """Commits all writes with this session, or none; wrap the whole block in `guarded`."""
        async with await self._client.start_session() as session:
            # A transaction does not inherit the database's concerns, so they are named again.
            async with session.start_transaction(ReadConcern("snapshot"), WriteConcern("majority", j=True)):
                yield session


@asynccontextmanager
async def guarded() -> AsyncIterator[None]:
    """Converts driver errors to `unavailable`; stores must catch duplicate keys inside."""
    began = time.perf_counter()
    try:
        yield
        MONGO.observe(time.perf_counter() - began)
    except (PyMongoError, OSError, TimeoutError) as error:
        note_failure()
        log.warning("mongo failed", cause=type(error).__name__, code=getattr(error, "code", None))
        raise UNAVAILABLE.error(retry_after=1, part="mongo", cause=type(error).__name__) from error


def only_duplicates(error: BulkWriteError) -> bool:
    """Reports whether only inserts of existing documents failed. Other writes may be on the primary alone, and be lost."""
    details = error.details or {}
    codes = [one["code"] for one in (*details.get("writeErrors", ()), *details.get("writeConcernErrors", ()))]
    return bool(codes) and all(code == _DUPLICATE_KEY for code in codes)


def database_name(user: str) -> str:
    return f"portico_{user.replace('-', '_')}"
