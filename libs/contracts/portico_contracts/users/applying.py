"""What users answers ``portico apply``, ``portico export`` and ``portico user import``."""

from __future__ import annotations

from portico_contracts.apply import Document
from portico_contracts.subjects import Message, Rpc, Secret


class Apply(Message, frozen=True):
    """Brings the stored state to that of a document; idempotent.

    Attributes:
        document: what should be there.
        check: only report what would change.
        prune: what the document's lists leave out is removed; otherwise nothing is that it does not name.
        may_remove: the ids the operator agreed to; where anything else would be deleted, nothing is done.
        id_seed: what the ids of new objects are made from, so that a plan and what is applied afterwards make the same
            ones; empty for random ids.
    """

    document: Document
    check: bool = False
    prune: bool = False
    may_remove: tuple[str, ...] = ()
    id_seed: str = ""


class CascadedDeletion(Message, frozen=True):
    """What is lost with an object that is removed or cut down.

    Attributes:
        kind: in words, in the singular.
        names: of the first ones; ``count`` is of all.
    """

    kind: str
    count: int
    names: tuple[str, ...] = ()


class Change(Message, frozen=True):
    """One thing apply did or would do.

    Attributes:
        action: created, updated, removed or unchanged.
        kind: instance, organization, project, project_grant, app, human, service_user, identity_provider, member.
        fields: names of the fields that differ, never values.
        generated_secret: a secret made now and shown this once; empty otherwise.
        along: what is deleted with it; stated by a plan that prunes.
    """

    action: str
    kind: str
    id: str
    name: str
    fields: tuple[str, ...] = ()
    generated_secret: Secret = ""
    along: tuple[CascadedDeletion, ...] = ()


class Failure(Message, frozen=True):
    """Why apply stopped half-way.

    Attributes:
        kind, id, text: of the error; the text begins with the place in the document.
    """

    kind: str
    id: str
    text: str


class Applied(Message, frozen=True):
    """Every object of the document in order, with what happened to it.

    Attributes:
        failure: what could not be written; then the changes are those before it, and nothing after it was begun.
    """

    changes: tuple[Change, ...]
    failure: Failure | None = None


class Export(Message, frozen=True):
    """Requests a part of the document of the stored state.

    Attributes:
        org_id: an organization; empty for the instance, and for which organizations there are.
        after: the last user of the part before; empty for the first part.
    """

    org_id: str = ""
    after: str = ""


class Note(Message, frozen=True):
    """What the document cannot express about an object: for a comment.

    Attributes:
        id: of the object.
    """

    id: str
    text: str


class Exported(Message, frozen=True):
    """A part of the document.

    Attributes:
        document: the settings of the instance, or one organization with some of its users.
        org_ids: of all organizations, in the first part.
        after: to request the next part of the organization with; empty at its end.
    """

    document: Document
    notes: tuple[Note, ...] = ()
    org_ids: tuple[str, ...] = ()
    after: str = ""


class ImportUsers(Message, frozen=True):
    """Creates humans, each as ``POST /v2/users/human`` would.

    Attributes:
        rows: bodies of that operation, in JSON.
        org_id: the organization of rows that name none.
        check: only report what is recognised.
    """

    rows: tuple[Secret, ...]
    org_id: str = ""
    check: bool = False


class RowProblem(Message, frozen=True):
    """Something wrong with a row.

    Attributes:
        field: its place in the row; empty for the row as a whole.
        id: of the error code.
    """

    field: str
    id: str
    text: str


class RowOutcome(Message, frozen=True):
    """What became of a row, or would.

    Attributes:
        status: created, exists (with the same data) or refused.
        retry: it was refused for now only; the same row may be requested again.
        user_name, org_id: as recognised.
        signs_in_by: the kind of hash with its costs, or ``password``; empty for nothing.
        metadata, idp_links: how many.
        email_verified: the row vouches for the email address.
        hash_seconds: how long the hash takes where users runs, where that is more than `passwords.COSTLY_SECONDS`; else 0.
        totp: the row has the secret of an authenticator app.
    """

    status: str
    user_id: str = ""
    problems: tuple[RowProblem, ...] = ()
    retry: bool = False
    user_name: str = ""
    org_id: str = ""
    signs_in_by: str = ""
    metadata: int = 0
    idp_links: int = 0
    email_verified: bool = False
    hash_seconds: float = 0.0
    totp: bool = False


class UsersImported(Message, frozen=True):
    """What became of each row, in their order."""

    rows: tuple[RowOutcome, ...]


APPLY = Rpc("users.v1.apply.run", Apply, Applied, ("operator",))
EXPORT = Rpc("users.v1.apply.export", Export, Exported, ("operator",))
IMPORT_USERS = Rpc("users.v1.user.import", ImportUsers, UsersImported, ("operator",))
