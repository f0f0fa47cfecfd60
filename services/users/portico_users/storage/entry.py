from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec
from portico_contracts.events import Changed, CreatedTogether
from portico_contracts.subjects import Event
from portico_oauth.errors import ErrorCode
from portico_runtime.mongo.client import Database, Session
from pymongo import IndexModel

from portico_users.values.records import NOT_STORED, AnyRecord, Record, State, changed_fields

Document = dict[str, Any]

NOT_DELETED: Final[Document] = {"state": {"$ne": State.DELETED.value}}

Written = TypeVar("Written", bound=Record, covariant=True)  # noqa: PLC0105 - an entry is read only

Settle = Callable[[Database, Session, Document | None], Awaitable[None]]
"""Further writes with an attachment in its transaction; receives the previously stored document."""

SettleTogether = Callable[[Database, Session, Sequence["Attachment"]], Awaitable[None]]
"""The same for several new attachments."""

Work = Callable[[Session], Awaitable[None]]
"""A write within a transaction, which may be retried."""


def _no_keys(_record: object) -> Document:
    return {}


def _no_stamp(_entry: object, record: AnyRecord, _timestamp: float) -> AnyRecord:
    return record


@dataclass(frozen=True, slots=True)
class Table(Generic[Written]):
    """Storage of one kind of record.

    Args:
        keys: derives the indexed fields of a record.
        private: names of values omitted from the event log (hashes, bulk); the log only shows that they changed.
        timestamps: by the collection of an attachment, the record field with the time it was last set.
        stamp: sets what follows from the change in further fields of its record; gets the time in unix seconds.
        kept: fields that are written outside the journal, and that a change of the record leaves as they are.
        gathered: the event of new records that share a transaction, which they may because no cached data changes with
            them; None where each has its own.
        duplicates: the error for a duplicate key, by indexed field; by default USER-010 for the id, USER-011 for others.
    """

    name: str
    kind: object
    event: Event[Changed]
    keys: Callable[[Written], Document] = _no_keys
    private: frozenset[str] = frozenset()
    indexes: tuple[IndexModel, ...] = ()
    duplicates: Mapping[str, ErrorCode] = field(default_factory=dict)
    timestamps: Mapping[str, str] = field(default_factory=dict)
    stamp: Callable[[Entry[Written], Written, float], Written] = _no_stamp
    kept: tuple[str, ...] = ()
    gathered: Event[CreatedTogether] | None = None

    def document(self, record: Written) -> Document:  # type: ignore[misc] # of the kind of this table
        return self.document_of(msgspec.to_builtins(record), record)

    def document_of(self, values: Document, record: Written) -> Document:  # type: ignore[misc] # of the kind of this table
        """Like `document`, of the record's values as `msgspec.to_builtins` gives them.

        The indexed fields come first: for each index, MongoDB reads a document from its start.
        """
        keys = self.keys(record)
        document = {"_id": values["id"], **keys, **values, **keys}
        del document["id"], document[NOT_STORED]
        return document

    def replacing(self, record: Written) -> list[Document]:  # type: ignore[misc] # of the kind of this table
        """Returns the update that replaces the stored document, but for the fields that are `kept` until a deletion."""
        kept = {} if record.state is State.DELETED else {name: f"${name}" for name in self.kept}
        return [{"$replaceWith": {"$mergeObjects": [{"$literal": self.document(record)}, kept]}}]

    def record(self, document: Document, *, whole: bool = True) -> Written:
        """Ignores fields of newer releases. ``whole``: the document was read with all its fields."""
        found: Written = msgspec.convert({**document, "id": document["_id"], NOT_STORED: whole}, self.kind)
        return found


@dataclass(frozen=True, slots=True)
class Attachment:
    """Data stored outside an object, such as a password hash; replaced as a whole, in the same transaction.

    `actor_in` is the member that gets the id of who makes the change, if any.
    """

    collection: str
    id: str
    values: Document = field(repr=False)
    settle: Settle | None = None
    settle_together: SettleTogether | None = None
    actor_in: str = ""

    def values_by(self, actor: str) -> Document:
        return {**self.values, self.actor_in: actor} if self.actor_in else self.values


@dataclass(frozen=True, slots=True)
class Claim:
    """A single-use document: the transaction deletes it, and fails if it no longer exists."""

    collection: str
    id: str


@dataclass(frozen=True, slots=True)
class VersionGuard:
    """Another object that must not change between the decision and the write.

    It is written, so that a transaction that changes it and one that depends on it conflict; a read alone
    would not. ``upsert`` is a sentinel document, inserted if missing.
    """

    collection: str
    id: str
    condition: Document
    upsert: bool = False


@dataclass(frozen=True, slots=True)
class Entry(Generic[Written]):
    """A change of one object.

    Args:
        before: the version the change is based on; None for a new object.
        attached: names of attached data, for the event.
        ids: further ids to reserve in the id space, such as a client id or kid.
        claims: documents that this change uses up.
        side_writes: further writes in the same transaction.
        guards: objects on which this change depends, in addition to those of its table.
        import_event: id of the event of the import that created the object; empty otherwise.
        notice_values: what the notice of the change contains in addition, if one is sent.
    """

    table: Table[Written]
    before: Written | None
    after: Written
    attachments: tuple[Attachment, ...] = ()
    attached: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    side_writes: tuple[Work, ...] = ()
    guards: tuple[VersionGuard, ...] = ()
    import_event: str = ""
    notice_values: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def action(self) -> str:
        if self.before is None:
            return "created"
        return "deleted" if self.after.state is State.DELETED else "updated"

    @property
    def timestamps(self) -> tuple[str, ...]:
        timestamps = self.table.timestamps
        return tuple(timestamps[one.collection] for one in self.attachments if one.collection in timestamps)

    @property
    def fields(self) -> tuple[str, ...]:
        return (*changed_fields(self.before, self.after), *self.attached)


Notice = Callable[[str, float], Work | None]
"""Gets the id and the time of an event (unix seconds), and gives what enqueues its email: one for each event id.

None where no email is sent. `portico_users.notifications.notices.notices.Notices` makes them.
"""


class Notifications(Protocol):
    def notice_of(self, entry: Entry[Record], event: Changed) -> Work | None: ...
