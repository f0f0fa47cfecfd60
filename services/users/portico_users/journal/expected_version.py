from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from portico_oauth.errors import ErrorCode, Kind, ServiceError

from portico_users.storage.entry import Entry
from portico_users.values.problems import CHANGED_MEANWHILE
from portico_users.values.records import SYSTEM, Record

VERSION_MOVED = ErrorCode(
    "USER-728",
    Kind.FAILED_PRECONDITION,
    "The object was changed since you read it.",
    "Get it again, and repeat the change with its current sequence.",
)


@dataclass(slots=True)
class ExpectedVersion:
    """The version that a call expects; ``sequence`` is 0 for an object not stored yet."""

    sequence: int
    met: bool = False

    def require(self, sequence: int) -> None:
        """Raises USER-728 for another sequence, unless the object is already written."""
        if not self.met and sequence != self.sequence:
            raise VERSION_MOVED.error(sequence=sequence)


_EXPECTED: Final[ContextVar[ExpectedVersion | None]] = ContextVar("expected_version", default=None)
"""Of the current call; a context variable, so that commands need not pass it on."""


@contextmanager
def expecting(sequence: int | None) -> Iterator[ExpectedVersion | None]:
    """Makes commits in the block, on behalf of a caller, require this version of the object; None for any."""
    expected = None if sequence is None else ExpectedVersion(sequence)
    token = _EXPECTED.set(expected)
    try:
        yield expected
    finally:
        _EXPECTED.reset(token)
        if expected:
            expected.met = True  # for tasks that the call leaves behind


@contextmanager
def require_expected(entries: Sequence[Entry[Record]], actor: str) -> Iterator[None]:
    """Checks that commits are based on the caller's expected version of the first object they write.

    The journal replaces an object only in the version of the entry, so the check before the transaction is
    sufficient. Changes by the system, such as a lockout, are exempt.
    """
    expected = _EXPECTED.get()
    if expected is None or actor == SYSTEM or not entries:
        yield
        return
    first = entries[0]
    expected.require(first.before.sequence if first.before else 0)
    try:
        yield
    except ServiceError as error:
        if error.id == CHANGED_MEANWHILE.id and error.private.get("id") == first.after.id:
            raise VERSION_MOVED.error(id=first.after.id) from error
        raise
    expected.met = True
