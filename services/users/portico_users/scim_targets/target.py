"""The SCIM target of an application, and the rules of its settings."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

import msgspec
from portico_contracts.events import SCIM_TARGET_CHANGED
from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.http_client.addresses import may_be_requested
from pymongo import ASCENDING, IndexModel

from portico_users.storage.entry import NOT_DELETED, Document, Entry, Table
from portico_users.storage.reader import Reader
from portico_users.storage.schema import listing_indexes
from portico_users.values.names import INVALID_NAME, MAX_LENGTH, is_name
from portico_users.values.problems import Problem, Problems
from portico_users.values.records import Record, State, name_key

MAX_TARGETS: Final = 20
"""Per organization; limits the work for one change."""

MAX_RATE: Final = 50
DEFAULT_RATE: Final = 5

_TOKEN: Final = re.compile(r"[\x21-\x7e]{1,4000}")
"""RFC 6750 allows fewer characters. Others would be parts of the header, or of further headers."""

TARGET_NOT_FOUND = ErrorCode("USER-260", Kind.NOT_FOUND, "SCIM target not found.", "Check the id of the target.")
TOO_MANY_TARGETS = ErrorCode(
    "USER-261", Kind.FAILED_PRECONDITION, "Too many SCIM targets.", "Remove a target that is no longer used."
)
INVALID_URL = ErrorCode(
    "USER-262",
    Kind.INVALID_REQUEST,
    "This is not the public https base address of a SCIM server, and the setting PORTICO_OUTBOUND_ALLOW does not list it.",
    "Use a public https address without user information, query and fragment, or list its host and port in PORTICO_OUTBOUND_ALLOW.",
)
INVALID_TOKEN = ErrorCode(
    "USER-263",
    Kind.INVALID_REQUEST,
    "Invalid bearer token of the SCIM target.",
    "Use 1 to 4,000 visible ASCII characters without spaces.",
)
TOKEN_OF_OTHER_URL = ErrorCode(
    "USER-264",
    Kind.INVALID_REQUEST,
    "The stored token is not sent to another address.",
    "Send the token with the new address.",
)
INVALID_RATE = ErrorCode("USER-265", Kind.INVALID_REQUEST, "Invalid rate.", "Use 1 to 50 requests per second.")


class Included(StrEnum):
    """Whose accounts the target gets."""

    ROLES = "roles"
    ORGANIZATION = "organization"


class UserName(StrEnum):
    """Which value of a user is the ``userName`` at the target."""

    LOGIN_NAME = "loginName"
    ADDRESS = "address"


class ScimTarget(Record, frozen=True, kw_only=True):
    """A SCIM server that gets accounts of the users of an application.

    Attributes:
        url: base address, such as ``https://app.example/scim/v2``.
        token: encrypted for this target and address.
        people: users with a role in the project, or all of the organization.
        deletes_leavers: who leaves is deleted there; otherwise set to inactive.
        adopts: takes over an account with the same userName that has no externalId.
        rate: requests per second.
        failure: reason of an automatic deactivation; empty for none.
    """

    name: str
    project_id: str
    app_id: str
    url: str
    token: str = ""
    people: Included = Included.ROLES
    user_name: UserName = UserName.LOGIN_NAME
    deletes_leavers: bool = False
    adopts: bool = False
    rate: int = DEFAULT_RATE
    failure: str = ""

    @property
    def base(self) -> str:
        return self.url.rstrip("/")


def is_token(text: str) -> bool:
    return _TOKEN.fullmatch(text) is not None


def problems_of(target: ScimTarget, allowed: frozenset[tuple[str, int]]) -> Problems:
    """IP-03: a target makes this service send requests."""
    if not is_name(target.name):
        yield Problem("name", INVALID_NAME)
    if not may_be_requested(target.url, allowed) or any(mark in target.url for mark in "?#"):
        yield Problem("url", INVALID_URL)
    if not 1 <= target.rate <= MAX_RATE:
        yield Problem("rate", INVALID_RATE)


def _keys(target: ScimTarget) -> Document:
    return {"nameKey": name_key(target, target.name)}


SCIM_TARGETS: Final[Table[ScimTarget]] = Table(
    "scimTargets",
    ScimTarget,
    SCIM_TARGET_CHANGED,
    _keys,
    private=frozenset({"token"}),
    indexes=(
        IndexModel([("orgId", ASCENDING), ("nameKey", ASCENDING)], unique=True),
        IndexModel([("projectId", ASCENDING)]),
        *listing_indexes("nameKey", owners=("orgId", "appId")),
    ),
)


def remove_target(before: ScimTarget) -> Entry[ScimTarget]:
    """Deletes the token; the id is never reused."""
    return Entry(SCIM_TARGETS, before, msgspec.structs.replace(before, state=State.DELETED, token=""))


class MongoScimTargets(Reader[ScimTarget]):
    """Finds targets, without removed ones."""

    table = SCIM_TARGETS

    async def find_there(self, id: str) -> ScimTarget | None:
        target = await self.find(id[: MAX_LENGTH + 1])
        return None if target is None or target.state is State.DELETED else target

    async def count(self, org_id: str) -> int:
        return await self.count_where({"orgId": org_id, **NOT_DELETED})

    async def list_active_in(self, org_id: str) -> list[ScimTarget]:
        return await self.list_where({"orgId": org_id, "state": State.ACTIVE.value}, 2 * MAX_TARGETS)

    async def list_organizations(self) -> frozenset[str]:
        """Returns the organizations that have active targets."""
        rows = await self.list_fields({"state": State.ACTIVE.value}, ("orgId",), None)
        return frozenset(row["orgId"] for row in rows)
