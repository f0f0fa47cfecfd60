"""What the journal writes: entries about one object each."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import msgspec
from portico_contracts.events import Changed
from portico_contracts.subjects import Event
from portico_oauth.errors import ErrorCode
from portico_runtime.mongo import Database, Session
from pymongo import IndexModel

from portico_users.kernel.records import AnyRecord, Record, State, changed_fields

Document = dict[str, Any]

Written = TypeVar("Written", bound=Record, covariant=True)  # noqa: PLC0105 - an entry is read only

Settle = Callable[[Database, Session, Document | None], Awaitable[None]]
"""What else follows from writing an attachment, in its transaction: it gets what was stored before."""

SettleTogether = Callable[[Database, Session, Sequence["Attachment"]], Awaitable[None]]
"""The same for several new attachments."""

Work = Callable[[Session], Awaitable[None]]
"""A write within a transaction, which may be retried."""


def _no_keys(_record: object) -> Document:
    return {}


def _no_stamp(record: AnyRecord, _timestamp: float) -> AnyRecord:
    return record


@dataclass(frozen=True, slots=True)
class Table(Generic[Written]):
    """Where one kind of record lives.

    Args:
        name: the collection.
        kind: the record type, or a tagged union of types.
        event: published when one of them changes.
        keys: derived members for the indexes, by record.
        private: names of values that stay out of the event log (hashes, bulk); that they changed is logged.
        indexes: the indexes of the collection.
        timestamps: by the collection of an attachment, the member of the record with the time it was last set.
        stamp: sets the time of the change, in unix seconds, in every further member that stores it.
        gathered: new ones may share a transaction, because nothing that is known of another object changes with them.
        duplicates: the error for a duplicate key, by the member of its unique index; USER-011 for every other.
    """

    name: str
    kind: Any
    event: Event[Changed]
    keys: Callable[[Written], Document] = _no_keys
    private: frozenset[str] = frozenset()
    indexes: tuple[IndexModel, ...] = ()
    duplicates: Mapping[str, ErrorCode] = field(default_factory=dict)
    timestamps: Mapping[str, str] = field(default_factory=dict)
    stamp: Callable[[Written, float], Written] = _no_stamp
    gathered: bool = False

    def document(self, record: Written) -> Document:  # type: ignore[misc] # of the kind of this table
        """The record as it is stored."""
        document: Document = msgspec.to_builtins(record)
        document["_id"] = document.pop("id")
        return document | self.keys(record)

    def record(self, document: Document) -> Written:
        """Reads a stored document; members of a newer release are ignored."""
        found: Written = msgspec.convert({**document, "id": document["_id"]}, self.kind)
        return found


@dataclass(frozen=True, slots=True)
class Attachment:
    """Something stored with an object but not in it, such as a password's hash; replaced as a whole.

    Args:
        settle: what else follows from writing it.
        settle_together: the same for several that were not stored before, in one go; None where there is no such way.
    """

    collection: str
    id: str
    values: Document = field(repr=False)
    settle: Settle | None = None
    settle_together: SettleTogether | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that is valid once: the same transaction deletes it, and fails where it is deleted already."""

    collection: str
    id: str


@dataclass(frozen=True, slots=True)
class Entry(Generic[Written]):
    """One change of one object.

    Args:
        before: the version the change was decided on; None for a new object.
        after: the new version; its details are the journal's to set.
        attachments: what else is written in the same transaction.
        attached: names of what the attachments changed, for the event.
        ids: further ids this change takes in the shared id space, such as a client id or the kid of a new key.
        claims: what this change uses up.
        side_writes: what else is done in the same transaction.
    """

    table: Table[Written]
    before: Written | None
    after: Written
    attachments: tuple[Attachment, ...] = ()
    attached: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    side_writes: tuple[Work, ...] = ()

    @property
    def action(self) -> str:
        """What happened to the object: ``created``, ``updated`` or ``deleted``."""
        if self.before is None:
            return "created"
        return "deleted" if self.after.state is State.DELETED else "updated"

    @property
    def timestamps(self) -> tuple[str, ...]:
        """Names of the members that store the time of this change."""
        timestamps = self.table.timestamps
        return tuple(timestamps[one.collection] for one in self.attachments if one.collection in timestamps)

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of everything this entry changes."""
        return (*changed_fields(self.before, self.after), *self.attached)


Notice = Callable[[str, float], Work | None]
"""Gets the id and the time of an event (unix seconds), and gives what enqueues its email: one for each event id.

None where no email is sent. `portico_users.notifications.notices.notices.Notices` makes them.
"""


class Notifications(Protocol):
    """What the journal notifies of each change."""

    def notice_of(self, entry: Entry[Record], event: Changed) -> Work | None:
        """What enqueues the notice of a change; None for a change without a notice."""
        ...
