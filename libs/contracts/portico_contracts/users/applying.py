from __future__ import annotations

from portico_contracts.apply import Document
from portico_contracts.subjects import Message, Rpc, Secret


class Apply(Message, frozen=True):
    """Brings the stored state to that of a document; idempotent.

    Attributes:
        document: the desired state.
        check: only report the changes.
        prune: delete objects missing from the document's lists; otherwise nothing is deleted.
        may_remove: ids the operator agreed to delete; if others would be deleted, nothing is changed.
        id_seed: seed of the ids of new objects, so that a plan and the following apply generate the same ids;
            empty for random ids.
    """

    document: Document
    check: bool = False
    prune: bool = False
    may_remove: tuple[str, ...] = ()
    id_seed: str = ""


class CascadedDeletion(Message, frozen=True):
    """Objects deleted together with a removed or reduced object.

    `kind` is singular; `names` has the first ones, ``count`` all.
    """

    kind: str
    count: int
    names: tuple[str, ...] = ()


class Change(Message, frozen=True):
    """One change made or planned by apply.

    Attributes:
        action: created, updated, removed or unchanged.
        kind: instance, organization, project, project_grant, app, human, service_user, identity_provider,
            member.
        fields: names of the fields that differ, never values.
        generated_secret: a secret generated now and shown once; empty otherwise.
        along: objects deleted with it; in plans with prune.
    """

    action: str
    kind: str
    id: str
    name: str
    fields: tuple[str, ...] = ()
    generated_secret: Secret = ""
    along: tuple[CascadedDeletion, ...] = ()


class Failure(Message, frozen=True):
    """Why apply stopped early.

    The text begins with the place in the document.
    """

    kind: str
    id: str
    text: str


class Applied(Message, frozen=True):
    """Every object of the document in order, with its change.

    With a `failure`, the changes before it were made and none after it.
    """

    changes: tuple[Change, ...]
    failure: Failure | None = None


class Export(Message, frozen=True):
    """Requests a part of the document of the stored state.

    `org_id` is empty for the instance and the list of organizations. `after` is the last user of the previous
    part.
    """

    org_id: str = ""
    after: str = ""


class Note(Message, frozen=True):
    """A property of an object that the document cannot express, for a comment.

    `id` is the object's.
    """

    id: str
    text: str


class Exported(Message, frozen=True):
    """A part of the document.

    Attributes:
        document: the settings of the instance, or one organization with some of its users.
        org_ids: all organizations, in the first part.
        after: for the next part of the organization; empty at its end.
    """

    document: Document
    notes: tuple[Note, ...] = ()
    org_ids: tuple[str, ...] = ()
    after: str = ""


class ImportUsers(Message, frozen=True):
    """Creates end users, each like ``POST /v2/users/human``.

    Attributes:
        rows: request bodies of that operation, in JSON.
        org_id: the organization of rows that name none.
        check: only validate.
    """

    rows: tuple[Secret, ...]
    org_id: str = ""
    check: bool = False


class RowProblem(Message, frozen=True):
    """A problem with a row.

    `field` is the path within the row, empty for the whole row; `id` is that of the error code.
    """

    field: str
    id: str
    text: str


class RowOutcome(Message, frozen=True):
    """The result of a row.

    Attributes:
        status: created, exists (with the same data) or refused.
        retry: the error is temporary; the same row may be sent again.
        user_name, org_id: as recognised.
        signs_in_by: the kind of hash with its cost, or ``password``; empty for none.
        metadata, idp_links: how many.
        email_verified: the row vouches for the email address.
        hash_seconds: duration of the hash on the server, where it exceeds `passwords.COSTLY_SECONDS`; else 0.
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
    """The result of each row, in order."""

    rows: tuple[RowOutcome, ...]


APPLY = Rpc("users.v1.apply.run", Apply, Applied, ("operator",))
EXPORT = Rpc("users.v1.apply.export", Export, Exported, ("operator",))
IMPORT_USERS = Rpc("users.v1.user.import", ImportUsers, UsersImported, ("operator",))
