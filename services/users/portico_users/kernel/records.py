"""What every stored object has, how two versions of one are compared, and how its state changes."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeVar

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.kernel.names import canonical

SYSTEM: Final = "system"
"""The actor of a change that no user makes: the operator's."""


class State(StrEnum):
    """Whether an object may be used. Everything but active looks like unknown from outside."""

    ACTIVE = "active"
    INACTIVE = "inactive"
    LOCKED = "locked"
    DELETED = "deleted"


class Record(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A stored object with its details.

    Attributes:
        id: unique over organizations, projects, applications, client ids and users together.
        org_id: the resource owner; an organization owns itself.
        created: unix seconds of its first event.
        changed: unix seconds of its last event, never before the one before.
        sequence: number of its last event, from 1, without gaps.
        version: random text, another one after each change; empty where an older release wrote it last.
    """

    id: str
    org_id: str
    state: State = State.ACTIVE
    created: float = 0.0
    changed: float = 0.0
    sequence: int = 0
    version: str = ""

    def __repr__(self) -> str:
        """Names the object only: its values may be personal data or the hash of a secret."""
        return f"{type(self).__name__}(id={self.id!r})"


def version_of(record: Record) -> str:
    """Its version; of a record that an older release wrote last, its sequence, which stays until the next change."""
    return record.version or f"sequence-{record.sequence}"


def stored_version(document: Mapping[str, object]) -> str:
    """The same of a stored document."""
    return str(document.get("version") or f"sequence-{document['sequence']}")


AnyRecord = TypeVar("AnyRecord", bound=Record)

_DETAILS: Final = frozenset({"id", "type", "created", "changed", "sequence", "version", "resets"})
"""Fields only the store uses: they are not changes, and appear in no event, import or document."""


def values_of(record: Record) -> dict[str, object]:
    """The record's own values by the names of the management API, without its details."""
    return {name: value for name, value in msgspec.to_builtins(record).items() if name not in _DETAILS}


def changed_fields(before: Record | None, after: Record) -> tuple[str, ...]:
    """Names of the values that differ; of a new record those that are not empty."""
    old = values_of(before) if before else {}
    return tuple(name for name, value in values_of(after).items() if value != old.get(name) and (before or value))


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
