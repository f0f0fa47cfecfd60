"""One cluster time of MongoDB, which can be read for five minutes unless MongoDB is set to keep it longer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from pymongo import MongoClient
from pymongo.client_session import ClientSession
from pymongo.errors import OperationFailure, PyMongoError

from portico_cli.backup.archive import ArchiveRefused

PARAMETER: Final = "minSnapshotHistoryWindowInSeconds"

SECONDS: Final = 6 * 3_600
"""More than a backup takes. MongoDB stores what changes meanwhile, and forgets it after the backup."""

_TOO_OLD: Final = frozenset({239, 246})


@contextmanager
def snapshot(client: MongoClient[dict[str, Any]]) -> Iterator[ClientSession]:
    """A session that reads one cluster time. The time limit is raised for as long as it takes, if the user may do that.

    A killed process leaves the limit raised until MongoDB starts again. Raises ArchiveRefused once the time is too old.
    """
    limit = _limit(client)
    raised = limit is not None and limit < SECONDS and _set_limit(client, SECONDS)
    try:
        with client.start_session(snapshot=True) as session:
            yield session
    except OperationFailure as error:
        if error.code not in _TOO_OLD:
            raise
        known = f" for {limit} s" if limit is not None else ""
        raise ArchiveRefused(
            f"MongoDB keeps a past state{known}, and the backup takes longer. Set {PARAMETER} of MongoDB to more, or "
            "allow its user the actions getParameter and setParameter on the cluster"
        ) from error
    finally:
        if raised and limit is not None:
            with suppress(PyMongoError):
                _set_limit(client, limit)


def _limit(client: MongoClient[dict[str, Any]]) -> int | None:
    """Returns None where the user may not read it."""
    try:
        return int(client.admin.command({"getParameter": 1, PARAMETER: 1})[PARAMETER])
    except OperationFailure:
        return None


def _set_limit(client: MongoClient[dict[str, Any]], seconds: int) -> bool:
    try:
        client.admin.command({"setParameter": 1, PARAMETER: seconds})
    except OperationFailure:
        return False
    return True
