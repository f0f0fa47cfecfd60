from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from portico_users.storage.transactions import ATTEMPTS, run_transaction
from pymongo.errors import DuplicateKeyError, PyMongoError

TRANSIENT = "TransientTransactionError"
UNKNOWN_COMMIT = "UnknownTransactionCommitResult"


class ScriptedDatabase:
    def __init__(self, *commits: str) -> None:
        self.commits = list(commits)
        self.begun = 0
        self.committed = 0
        self.pauses: list[float] = []

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Any]:
        self.begun += 1
        yield self

    async def commit_transaction(self) -> None:
        label = self.commits.pop(0) if self.commits else ""
        if label:
            raise labelled(label)
        self.committed += 1

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)


def labelled(label: str) -> PyMongoError:
    return PyMongoError("scripted", error_labels=[label])


async def succeed(_session: Any) -> str:
    return "done"


async def test_transient_failure_is_retried() -> None:
    """An aborted transaction runs again in a new one, after a growing pause."""
    database = ScriptedDatabase(TRANSIENT, TRANSIENT)

    assert await run_transaction(database, succeed, pause=database.pause) == "done"
    assert (database.begun, database.committed) == (3, 1)
    assert database.pauses == [0.01, 0.02]


async def test_transient_failure_in_the_work_is_retried() -> None:
    """A write conflict can occur during the work as well as at the commit."""
    database = ScriptedDatabase()
    failures = [labelled(TRANSIENT)]

    async def work(_session: Any) -> str:
        if failures:
            raise failures.pop()
        return "done"

    assert await run_transaction(database, work, pause=database.pause) == "done"
    assert (database.begun, database.committed) == (2, 1)


async def test_unknown_commit_is_repeated_without_the_work() -> None:
    """A commit with an unknown outcome is repeated: a new transaction could do the work twice."""
    database = ScriptedDatabase(UNKNOWN_COMMIT, UNKNOWN_COMMIT)

    assert await run_transaction(database, succeed, pause=database.pause) == "done"
    assert (database.begun, database.committed) == (1, 1)


async def test_commit_that_stays_unknown_is_an_error() -> None:
    """After three attempts the caller gets the unknown outcome, and no new transaction starts."""
    database = ScriptedDatabase(*[UNKNOWN_COMMIT] * 3)
    with pytest.raises(PyMongoError):
        await run_transaction(database, succeed, pause=database.pause)

    assert (database.begun, database.committed, database.commits) == (1, 0, [])


async def test_commit_that_turns_out_transient_is_retried() -> None:
    """A repeated commit may find that the transaction was aborted: then its work never happened."""
    database = ScriptedDatabase(UNKNOWN_COMMIT, TRANSIENT)

    assert await run_transaction(database, succeed, pause=database.pause) == "done"
    assert (database.begun, database.committed) == (2, 1)


async def test_attempts_are_bounded() -> None:
    """A conflict that never ends becomes an error."""
    database = ScriptedDatabase(*[TRANSIENT] * (ATTEMPTS + 1))
    with pytest.raises(PyMongoError):
        await run_transaction(database, succeed, pause=database.pause)

    assert database.begun == ATTEMPTS


async def test_permanent_failure_is_not_retried() -> None:
    """A transaction that failed by a duplicate key is not retried."""
    database = ScriptedDatabase()

    async def work(_session: Any) -> str:
        raise DuplicateKeyError("scripted")

    with pytest.raises(DuplicateKeyError):
        await run_transaction(database, work, pause=database.pause)

    assert (database.begun, database.pauses) == (1, [])
