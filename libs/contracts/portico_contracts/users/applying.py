"""What users answers ``portico apply``."""

from __future__ import annotations

from portico_contracts.apply import Document
from portico_contracts.subjects import Message, Rpc, Secret


class Apply(Message, frozen=True):
    """Brings the stored state to what a document says; idempotent.

    Attributes:
        document: what should be there. Nothing is removed that it does not name.
        check: only say what would change.
    """

    document: Document
    check: bool = False


class Change(Message, frozen=True):
    """One thing apply did or would do.

    Attributes:
        action: created, updated or unchanged.
        kind: instance, organization, project, app, human, service_user.
        fields: names of the fields that differ, never values.
        generated_secret: a secret made now and shown this once; empty otherwise.
    """

    action: str
    kind: str
    id: str
    name: str
    fields: tuple[str, ...] = ()
    generated_secret: Secret = ""


class Applied(Message, frozen=True):
    """Every object of the document in order, with what happened to it."""

    changes: tuple[Change, ...]


APPLY = Rpc("users.v1.apply.run", Apply, Applied, ("operator",))
