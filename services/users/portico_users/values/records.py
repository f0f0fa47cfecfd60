"""What every stored object has, how two versions of one are compared, and how its state changes."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Final, TypeVar

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.values.names import canonical

SYSTEM: Final = "system"
"""Actor of changes without a user, such as the operator's."""


class State(StrEnum):
    """State of an object. Any state but active looks like unknown from outside."""

    ACTIVE = "active"
    INACTIVE = "inactive"
    LOCKED = "locked"
    DELETED = "deleted"


class Record(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A stored object with its details.

    Attributes:
        id: unique among organizations, projects, applications, client ids and users.
        org_id: the resource owner; an organization owns itself.
        created: unix seconds of the first event.
        changed: unix seconds of the last event; never decreases.
        sequence: number of the last event, from 1, without gaps.
        version: random text, new after each change; empty if last written by an older release.
        whole: False if it was read without some of its fields. The journal refuses to write such a record, because it
            would empty those fields. Not stored.
    """

    id: str
    org_id: str
    state: State = State.ACTIVE
    created: float = 0.0
    changed: float = 0.0
    sequence: int = 0
    version: str = ""
    whole: bool = True

    def __repr__(self) -> str:
        return f"{type(self).__name__}(id={self.id!r})"


def version_of(record: Record) -> str:
    """Falls back to the sequence for records last written by an older release."""
    return record.version or f"sequence-{record.sequence}"


def stored_version(document: Mapping[str, object]) -> str:
    return str(document.get("version") or f"sequence-{document['sequence']}")


AnyRecord = TypeVar("AnyRecord", bound=Record)

NOT_STORED: Final = "whole"
_DETAILS: Final = frozenset(
    {
        "id",
        "type",
        "created",
        "changed",
        "sequence",
        "version",
        "resets",
        "formerResources",
        "formerDomains",
        "invitation",
        NOT_STORED,
    }
)
"""Internal fields: they are not changes and appear in no event, import or document."""


def values_of(record: Record) -> dict[str, object]:
    """Returns the values by field name of the management API, without details."""
    values: dict[str, object] = msgspec.to_builtins(record)
    for name in _DETAILS:
        values.pop(name, None)
    return values


@cache
def _value_names(kind: type[Record]) -> tuple[tuple[str, str], ...]:
    names = zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
    return tuple([(name, encoded) for name, encoded in names if encoded not in _DETAILS])


def _is_set(value: object) -> bool:
    """A part whose values are all defaults may have none of them as built-in types."""
    return bool(msgspec.to_builtins(value) if isinstance(value, msgspec.Struct) else value)


def changed_fields(before: Record | None, after: Record) -> tuple[str, ...]:
    """Returns the names of changed values; for a new record, of non-empty ones."""
    if before is None:
        new = ((encoded, getattr(after, name)) for name, encoded in _value_names(type(after)))
        return tuple([encoded for encoded, value in new if value and _is_set(value)])
    values, old = values_of(after), values_of(before)
    return tuple([name for name, value in values.items() if value != old.get(name)])


NOT_ACTIVE = ErrorCode(
    "USER-700", Kind.FAILED_PRECONDITION, "The object is not active.", "Get it to see its current state."
)
NOT_INACTIVE = ErrorCode(
    "USER-701", Kind.FAILED_PRECONDITION, "The object is not inactive.", "Get it to see its current state."
)
NOTHING_CHANGES = ErrorCode("USER-702", Kind.FAILED_PRECONDITION, "The request changes nothing.", "No action needed.")

_NO_NAME: Final = "\x00"
"""Not a valid character in names."""


def deactivated(record: AnyRecord) -> AnyRecord:
    if record.state is not State.ACTIVE:
        raise NOT_ACTIVE.error()
    return msgspec.structs.replace(record, state=State.INACTIVE)


def reactivated(record: AnyRecord) -> AnyRecord:
    if record.state is not State.INACTIVE:
        raise NOT_INACTIVE.error()
    return msgspec.structs.replace(record, state=State.ACTIVE)


def refuse_unchanged(before: Record, after: Record) -> None:
    if before == after:
        raise NOTHING_CHANGES.error()


def name_key(record: Record, name: str) -> str:
    """Returns the unique index key of a name; deleted objects free theirs."""
    return _NO_NAME + record.id if record.state is State.DELETED else canonical(name)
