"""The connection of a directory to an organization: what it may touch, and the secrets that open it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import quote

import msgspec
from portico_contracts import apply as document
from portico_contracts.events import SCIM_CONNECTION_CHANGED
from portico_contracts.http import SCIM
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import RandomBytes, b64url, equal_in_constant_time, fingerprint
from pymongo import ASCENDING, IndexModel

from portico_users.scim.mapping import MAPPING_FIELDS, ScimMapping, problems_of_mapping
from portico_users.storage.entry import NOT_DELETED, Document, Table
from portico_users.storage.reader import Reader
from portico_users.storage.schema import listing_indexes
from portico_users.values.fields import Field, Fields
from portico_users.values.names import INVALID_NAME, MAX_LENGTH, canonical, is_name
from portico_users.values.problems import Problem, Problems
from portico_users.values.records import Record, State, name_key

PREFIX: Final = "portico_scim_"
"""Distinguishes the secrets from tokens, and lets secret scanners find them."""

MAX_SECRETS: Final = 2
"""So that a client can be given a new one while the previous one works."""

MAX_CONNECTIONS: Final = 20
_BYTES: Final = 32

CONNECTION_NOT_FOUND = ErrorCode(
    "USER-202", Kind.NOT_FOUND, "SCIM connection not found.", "Check the id of the connection."
)
TOO_MANY_CONNECTIONS = ErrorCode(
    "USER-203", Kind.FAILED_PRECONDITION, "Too many SCIM connections.", "Remove a connection that is no longer used."
)
TOO_MANY_SECRETS = ErrorCode(
    "USER-204",
    Kind.FAILED_PRECONDITION,
    "This connection has two secrets already.",
    "Remove the one that the directory no longer uses.",
)
SECRET_NOT_FOUND = ErrorCode("USER-205", Kind.NOT_FOUND, "Secret not found.", "Get the connection to see its secrets.")
TOUCHES_NOTHING = ErrorCode(
    "USER-206",
    Kind.INVALID_REQUEST,
    "The connection provisions neither users nor groups.",
    "Set provisionsUsers, provisionsGroups or both.",
)


class ScimSecret(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The fingerprint of a secret; ``created`` in unix seconds."""

    id: str
    hash: str
    created: float


class ScimConnection(Record, frozen=True, kw_only=True):
    """A directory that sends people and groups.

    Attributes:
        deletes: a DELETE deletes the account; otherwise it deactivates it.
        secrets: newest last; without one nothing can be sent.
        renames: a mapping has made login names that are not ``userName``; then some users have one, also after it changed.
    """

    name: str
    provisions_users: bool = True
    provisions_groups: bool = True
    deletes: bool = False
    secrets: tuple[ScimSecret, ...] = ()
    mapping: ScimMapping = ScimMapping()
    renames: bool = False


CONNECTION_FIELDS: Final = Fields(
    ScimConnection,
    document.ScimConnection,
    (Field("mapping", conversion=MAPPING_FIELDS),),
    hidden=("secrets", "renames"),
)


class NewSecret(NamedTuple):
    kept: ScimSecret
    text: str

    def __repr__(self) -> str:
        return f"NewSecret({self.kept.id!r})"


def new_secret(id: str, random: RandomBytes, now: float) -> NewSecret:
    """Generates a secret of 256 random bits."""
    text = PREFIX + b64url(random(_BYTES))
    return NewSecret(ScimSecret(id=id, hash=fingerprint(text), created=now), text)


def opens(secrets: Sequence[ScimSecret], text: str) -> bool:
    """Reports whether the text is one of the secrets; without secrets nothing is."""
    hash = fingerprint(text)
    return any(equal_in_constant_time(one.hash, hash) for one in secrets)


def url_of(connection: ScimConnection, issuer: str) -> str:
    """The base URL. Ids that a document declares may have characters that a URL encodes."""
    return f"{issuer}{SCIM}/{quote(connection.id, safe='')}"


def problems_of(connection: ScimConnection) -> Problems:
    if not is_name(connection.name):
        yield Problem("name", INVALID_NAME)
    if not (connection.provisions_users or connection.provisions_groups):
        yield Problem("", TOUCHES_NOTHING)
    for problem in problems_of_mapping(connection.mapping):
        yield Problem(f"mapping.{problem.path}", problem.error_code)


def _keys(connection: ScimConnection) -> Document:
    return {"nameKey": name_key(connection, connection.name)}


SCIM_CONNECTIONS: Final[Table[ScimConnection]] = Table(
    "scimConnections",
    ScimConnection,
    SCIM_CONNECTION_CHANGED,
    _keys,
    private=frozenset({"secrets", "renames"}),
    indexes=(
        IndexModel([("orgId", ASCENDING), ("nameKey", ASCENDING)], unique=True),
        *listing_indexes("nameKey", owners=("orgId",)),
    ),
)


class MongoScimConnections(Reader[ScimConnection]):
    """Finds connections, without removed ones."""

    table = SCIM_CONNECTIONS

    async def find_there(self, id: str) -> ScimConnection | None:
        connection = await self.find(id[: MAX_LENGTH + 1])
        return None if connection is None or connection.state is State.DELETED else connection

    async def find_by_name(self, org_id: str, name: str) -> ScimConnection | None:
        return await self.find_where({"orgId": org_id, "nameKey": canonical(name)})

    async def count(self, org_id: str) -> int:
        return await self.count_where({"orgId": org_id, **NOT_DELETED})
