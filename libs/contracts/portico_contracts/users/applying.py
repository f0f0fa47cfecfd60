from __future__ import annotations

from enum import StrEnum

from portico_contracts.apply import Document
from portico_contracts.subjects import Message, Rpc, Secret


class Apply(Message, frozen=True):
    """Brings the stored state to that of a document; idempotent.

    If objects other than `may_remove` would be deleted, nothing is changed. `id_seed` makes a plan and the
    following apply generate the same ids; empty for random ones. With `keeps_settings`, organizations, projects,
    applications and service users that exist are only changed in what a document may omit. `sequences` are those of
    objects as the caller has read them, by id: USER-728 where one was changed since.
    """

    document: Document
    check: bool = False
    prune: bool = False
    may_remove: tuple[str, ...] = ()
    id_seed: str = ""
    keeps_settings: bool = False
    sequences: dict[str, int] = {}


class CascadedDeletion(Message, frozen=True):
    """Objects deleted together with another one; `names` has the first ones, `count` all."""

    kind: str
    count: int
    names: tuple[str, ...] = ()


class Change(Message, frozen=True):
    """One change applied or planned; `fields` are names, never values, `generated_secret` is shown once."""

    action: str
    kind: str
    id: str
    name: str
    fields: tuple[str, ...] = ()
    generated_secret: Secret = ""
    along: tuple[CascadedDeletion, ...] = ()


class Failure(Message, frozen=True):
    """Why apply stopped early; the text begins with the place in the document."""

    kind: str
    id: str
    text: str


class Applied(Message, frozen=True):
    """Every object of the document in order; with a `failure`, the changes before it were applied."""

    changes: tuple[Change, ...]
    failure: Failure | None = None


class ExportPart(StrEnum):
    """What an export of an organization consists of."""

    SETTINGS = "settings"
    """All but the others."""
    PROJECTS = "projects"
    """With their applications."""
    HUMANS = "humans"
    SERVICE_USERS = "service_users"


class Export(Message, frozen=True):
    """Requests a part of the document of the stored state; `after` is the last user of the previous part.

    Attributes:
        parts: of the organization, empty for all. Users of an earlier release sends all.
    """

    org_id: str = ""
    after: str = ""
    parts: tuple[ExportPart, ...] = ()


class Note(Message, frozen=True):
    """A property of an object that the document cannot express, for a comment."""

    id: str
    text: str


class Exported(Message, frozen=True):
    """The settings of the instance, or one organization with some of its users; `after` is empty at its end.

    `sequences` are those of its applications and service users, by id; empty of an earlier release.
    """

    document: Document
    notes: tuple[Note, ...] = ()
    org_ids: tuple[str, ...] = ()
    after: str = ""
    sequences: dict[str, int] = {}


class ImportUsers(Message, frozen=True):
    """Creates end users from bodies of ``POST /v2/users/human``; `org_id` is for rows that name none.

    Messages with the same `import_id` are one import in the audit; empty for users that were created singly.
    """

    rows: tuple[Secret, ...]
    org_id: str = ""
    check: bool = False
    import_id: str = ""


class RowProblem(Message, frozen=True):
    """A problem with a row; `field` is the path within the row, empty for the whole row."""

    field: str
    id: str
    text: str


class RowOutcome(Message, frozen=True):
    """The result of a row.

    `status` is created, exists (with the same data) or refused; `retry`: the error is temporary.
    `signs_in_by` is the kind of hash with its cost, or ``password``. `hash_seconds` is 0 up to
    `passwords.COSTLY_SECONDS`.
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
