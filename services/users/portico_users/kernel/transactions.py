"""Transactions that are retried a bounded number of times where the error of the database allows it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Final, Protocol, TypeVar

from portico_runtime.mongo import Session
from pymongo.errors import PyMongoError

ATTEMPTS: Final = 8
SECONDS: Final = 2.0
"""After this long nothing is begun again."""

Result = TypeVar("Result")


class Transactions(Protocol):
    """What begins transactions: `portico_runtime.mongo.MongoClient`."""

    def transaction(self) -> AbstractAsyncContextManager[Session]:
        """One transaction; aborted unless it was committed."""
        ...


async def run_transaction(
    mongo: Transactions,
    work: Callable[[Session], Awaitable[Result]],
    *,
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> Result:
    """Runs ``work`` in a transaction; it may run several times, only the last one counts.

    Args:
        pause: waits so many seconds between two attempts.

    Raises:
        pymongo.errors.PyMongoError: when the attempts are used up, or trying again cannot help.
    """
    loop = asyncio.get_running_loop()
    give_up = loop.time() + SECONDS
    for attempt in range(1, ATTEMPTS + 1):
        try:
            async with mongo.transaction() as session:
                result = await work(session)
                await _commit(session)
                return result
        except PyMongoError as error:
            hopeless = not error.has_error_label("TransientTransactionError")
            if hopeless or attempt == ATTEMPTS or loop.time() > give_up:
                raise
        await pause(0.005 * 2**attempt)
    raise AssertionError("unreachable")  # pragma: no cover


async def _commit(session: Session) -> None:
    for _ in range(2):
        try:
            return await session.commit_transaction()
        except PyMongoError as error:
            # Committing again is safe: it either finishes the commit or reports what became of it.
            if not error.has_error_label("UnknownTransactionCommitResult"):
                raise
    return await session.commit_transaction()
