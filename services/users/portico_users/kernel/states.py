"""The changes of an object's state, and the index key of its name."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.kernel.names import canonical
from portico_users.kernel.records import AnyRecord, Record, State

NOT_ACTIVE = ErrorCode(
    "USER-700", Kind.FAILED_PRECONDITION, "The object is not active.", "Get it to see its current state."
)
NOT_INACTIVE = ErrorCode(
    "USER-701", Kind.FAILED_PRECONDITION, "The object is not inactive.", "Get it to see its current state."
)
NOTHING_CHANGES = ErrorCode(
    "USER-702",
    Kind.FAILED_PRECONDITION,
    "The request changes nothing.",
    "No action needed.",
)

_NO_NAME: Final = "\x00"
"""No name holds it."""


def deactivated(record: AnyRecord) -> AnyRecord:
    """The object, switched off.

    Raises:
        ServiceError: USER-700 when it is not active.
    """
    if record.state is not State.ACTIVE:
        raise NOT_ACTIVE.error()
    return msgspec.structs.replace(record, state=State.INACTIVE)


def reactivated(record: AnyRecord) -> AnyRecord:
    """The object, switched on again.

    Raises:
        ServiceError: USER-701 when it is not inactive.
    """
    if record.state is not State.INACTIVE:
        raise NOT_INACTIVE.error()
    return msgspec.structs.replace(record, state=State.ACTIVE)


def refuse_unchanged(before: Record, after: Record) -> None:
    """Raises USER-702 when both are the same."""
    if before == after:
        raise NOTHING_CHANGES.error()


def name_key(record: Record, name: str) -> str:
    """What a unique index holds of a name. That of a deleted object is free again."""
    return _NO_NAME + record.id if record.state is State.DELETED else canonical(name)
