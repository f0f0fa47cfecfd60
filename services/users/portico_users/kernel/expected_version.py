"""The version of an object that a caller has read, and that a change of it must be made from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from portico_oauth.errors import ErrorCode, Kind, ServiceError

from portico_users.kernel.entry import Entry
from portico_users.kernel.problems import CHANGED_MEANWHILE
from portico_users.kernel.records import SYSTEM, Record

VERSION_MOVED = ErrorCode(
    "USER-728",
    Kind.FAILED_PRECONDITION,
    "The object was changed since you read it.",
    "Get it again, and repeat the change with its current sequence.",
)


@dataclass(slots=True)
class ExpectedVersion:
    """What a call was decided on.

    Args:
        sequence: of the object that the call changes; 0 for one that is not stored yet.
        met: the object was written from this version.
    """

    sequence: int
    met: bool = False

    def require(self, sequence: int) -> None:
        """Raises USER-728 for another sequence, unless the object was written already."""
        if not self.met and sequence != self.sequence:
            raise VERSION_MOVED.error(sequence=sequence)


_EXPECTED: Final[ContextVar[ExpectedVersion | None]] = ContextVar("expected_version", default=None)
"""Of the call that is being performed: a change passes through a command on its way, and no command needs to know."""


@contextmanager
def expecting(sequence: int | None) -> Iterator[ExpectedVersion | None]:
    """What is committed within, in the name of a caller, begins with the object in this version; None for any."""
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
    """Commits within are made from the version that the caller expects: that of the first object they write.

    The journal replaces an object only in the version that the entry was made from, so that what is compared here before the
    transaction is what the transaction replaces. What the system does by itself, such as a lockout, is no change of the caller's.

    Raises:
        ServiceError: USER-728 when it has another version, or gets one before the commit.
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
