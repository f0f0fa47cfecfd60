"""MongoDB as the stores use it: majority and journaled writes, bounded time, the service's own database.

Motor is behind this module and the stores only, so that moving to PyMongo's own async client is one file.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

import structlog
from motor.motor_asyncio import AsyncIOMotorClient, AsyncIOMotorClientSession, AsyncIOMotorDatabase
from portico_contracts import spans
from portico_oauth.errors import UNAVAILABLE
from pymongo import WriteConcern
from pymongo.errors import PyMongoError
from pymongo.monitoring import CommandListener
from pymongo.read_concern import ReadConcern

from portico_runtime.settings import MongoSection
from portico_runtime.spans.mongo_commands import MongoCommandSpans

log = structlog.get_logger("portico.mongo")

Database = AsyncIOMotorDatabase[dict[str, Any]]
Session = AsyncIOMotorClientSession


class MongoClient:
    """One client, logged in as the service's own database user."""

    def __init__(self, settings: MongoSection, user: str) -> None:
        milliseconds = int(settings.mongo_timeout * 1000)
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
            event_listeners=_listeners(),
        )
        self.database: Database = self._client.get_database(
            database_name(user),
            write_concern=WriteConcern("majority", j=True),
            read_concern=ReadConcern("majority"),
        )

    async def start(self) -> None:
        """Nothing to begin: connections are made when they are needed."""

    async def check(self) -> None:
        """Raises unless the database answers."""
        await self.database.command("ping")

    async def time(self) -> float:
        """Unix time in seconds by the clock of the primary.

        Raises:
            ServiceError: `unavailable`.
        """
        async with guarded():
            local: datetime = (await self.database.command("hello"))["localTime"]
        return local.timestamp()

    async def close(self) -> None:
        """Closes all connections."""
        self._client.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Session]:
        """One transaction: everything written with this session happens, or nothing does.

        Raises:
            pymongo.errors.PyMongoError: as the driver raises it; wrap the whole in `guarded`.
        """
        async with await self._client.start_session() as session:
            # A transaction does not inherit the database's concerns, so they are named again.
            async with session.start_transaction(ReadConcern("snapshot"), WriteConcern("majority", j=True)):
                yield session


def _listeners() -> list[CommandListener]:
    """What observes each command, where spans are on: a listener costs the driver more than nothing."""
    return [MongoCommandSpans()] if spans.tracer() else []


@asynccontextmanager
async def guarded() -> AsyncIterator[None]:
    """Turns driver errors into `unavailable`; duplicate keys are the store's to catch inside."""
    try:
        yield
    except (PyMongoError, OSError, TimeoutError) as error:
        log.warning("mongo failed", cause=type(error).__name__)
        raise UNAVAILABLE.error(retry_after=1, part="mongo", cause=type(error).__name__) from error


def database_name(user: str) -> str:
    """The database a service owns."""
    return f"portico_{user.replace('-', '_')}"
