from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Final, Protocol, TypeVar
from weakref import WeakValueDictionary

from portico_runtime.mongo.client import Session
from pymongo.errors import PyMongoError

ATTEMPTS: Final = 8
SECONDS: Final = 2.0
"""No retry starts after this many seconds."""

Result = TypeVar("Result")


class Transactions(Protocol):
    def transaction(self) -> AbstractAsyncContextManager[Session]:
        """Aborts unless committed."""
        ...


async def run_transaction(
    mongo: Transactions,
    work: Callable[[Session], Awaitable[Result]],
    *,
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> Result:
    """Runs ``work`` in a transaction, possibly several times; only the last run counts."""
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
            # Repeating the commit is safe: it finishes the commit or reports its result.
            if not error.has_error_label("UnknownTransactionCommitResult"):
                raise
    return await session.commit_transaction()


class KeyedLocks:
    """Locks by the ids of the objects that changes rely on: this replica attempts one of those changes at a time.

    Otherwise many concurrent changes would use up their retries on each other (`constraints.VersionGuard`).
    Other replicas do not share the locks; between those few, retries are enough.
    """

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def acquire(self, ids: Iterable[str]) -> AsyncIterator[None]:
        """Waits until no other change of this replica holds a lock of these objects."""
        async with AsyncExitStack() as stack:
            for id in sorted(set(ids)):  # in one order, so that no two wait for each other
                await stack.enter_async_context(self._locks.setdefault(id, asyncio.Lock()))
            yield
