"""The outside authorization server of an organization, and the rules of its settings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import msgspec
from portico_contracts import apply as document
from portico_contracts.events import OUTSIDE_SERVER_CHANGED
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.resources import authority_of, is_resource, may_register_resource, resource_key
from portico_oauth.scopes import MAX_LENGTH as LONGEST_SCOPE
from portico_oauth.scopes import split
from pymongo import ASCENDING, IndexModel

from portico_users.storage.entry import NOT_DELETED, Document, Table
from portico_users.storage.reader import Reader
from portico_users.storage.schema import listing_indexes
from portico_users.values.fields import Each, Field, Fields, Words
from portico_users.values.names import INVALID_NAME, MAX_LENGTH, canonical, is_name
from portico_users.values.own_issuer import is_own_issuer
from portico_users.values.problems import Problem, Problems
from portico_users.values.records import Record, State, name_key

MAX_SERVERS: Final = 50
MAX_APPLICATIONS: Final = 100
MAX_RESOURCES: Final = 50
MAX_SCOPES: Final = 100
MAX_SELECTED: Final = 50
MAX_OUTSIDE_ID: Final = 500

SERVER_NOT_FOUND = ErrorCode("USER-270", Kind.NOT_FOUND, "Outside server not found.", "Check the id of the server.")
TOO_MANY_SERVERS = ErrorCode(
    "USER-271", Kind.FAILED_PRECONDITION, "Too many outside servers.", "Remove a server that is no longer used."
)
INVALID_ISSUER = ErrorCode(
    "USER-272",
    Kind.INVALID_REQUEST,
    "This text cannot be the issuer of an outside server.",
    "Enter the issuer of its metadata: an https URL without user information, query and fragment. Only a loopback address"
    " may have http.",
)
OWN_ISSUER = ErrorCode(
    "USER-273",
    Kind.INVALID_REQUEST,
    "This installation is not an outside server.",
    "Use a token exchange with the audience of the API.",
)
INVALID_APPLICATION = ErrorCode(
    "USER-274",
    Kind.INVALID_REQUEST,
    "Invalid application of an outside server.",
    "List 1 to 100 applications, each client id once. A client id has visible ASCII characters without spaces: up to 200, or up to"
    " 500 at the server.",
)
INVALID_RESOURCE = ErrorCode(
    "USER-275",
    Kind.INVALID_REQUEST,
    "Invalid resource of an outside server.",
    "List 1 to 50 absolute URIs without fragment, each once.",
)
INVALID_SCOPE = ErrorCode(
    "USER-276",
    Kind.INVALID_REQUEST,
    "Invalid scope of an outside server.",
    "List up to 100 scopes, each once and without spaces.",
)
NAMES_NOBODY = ErrorCode(
    "USER-277",
    Kind.INVALID_REQUEST,
    "The outside server does not state for which users it is.",
    "List up to 50 groups or roles, or choose all users of the organization and no groups and roles.",
)

_GRAPHIC: Final = re.compile(r"[\x21-\x7e]+\Z")
_LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")


class Covered(StrEnum):
    SELECTED = "selected"
    """Members of the groups, and users with one of the roles."""
    ORGANIZATION = "organization"


class OutsideApplication(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An application by its client id; `outside_client_id` is that at the server, empty for the same."""

    client_id: str
    outside_client_id: str = ""

    @property
    def client_id_there(self) -> str:
        return self.outside_client_id or self.client_id


class OutsideRole(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    project_id: str
    role_key: str


class OutsideServer(Record, frozen=True, kw_only=True):
    """An authorization server of others, and the rule by which applications get assertions for it.

    Several servers of an organization may have the same issuer: each is a rule.

    Attributes:
        issuer: the ``aud`` of assertions.
        group_ids: those of deleted groups cover no user.
        sends_email: assertions have the verified email address of the user.
    """

    name: str
    issuer: str
    applications: tuple[OutsideApplication, ...] = ()
    resources: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    people: Covered = Covered.SELECTED
    group_ids: tuple[str, ...] = ()
    roles: tuple[OutsideRole, ...] = ()
    sends_email: bool = False

    def application(self, client_id: str) -> OutsideApplication | None:
        return next((one for one in self.applications if one.client_id == client_id), None)

    def resources_named(self, requested: Sequence[str]) -> tuple[str, ...] | None:
        """The requested resources as they are registered, or all; None if the rule lacks one of them."""
        known = {resource_key(one): one for one in self.resources}
        found = [known.get(resource_key(one), "") for one in requested]
        return tuple(dict.fromkeys(found or self.resources)) if all(found) else None

    def scope_of(self, requested: Sequence[str] | None) -> tuple[str, ...] | None:
        """The requested words that the rule has, or all; None if words were requested, and it has none of them."""
        if requested is None:
            return self.scopes
        return tuple(word for word in requested if word in self.scopes) or None


OUTSIDE_SERVER_FIELDS: Final = Fields(
    OutsideServer,
    document.OutsideServer,
    (
        Field("applications", conversion=Each(Fields(OutsideApplication, document.OutsideApplication))),
        Field("group_ids", "groups"),
        Field("roles", conversion=Each(Fields(OutsideRole, document.OutsideRole))),
        Field("people", conversion=Words({name: Covered(name.value) for name in document.OutsidePeopleName})),
    ),
)


def problems_of(server: OutsideServer, own_issuer: str) -> Problems:
    if not is_name(server.name):
        yield Problem("name", INVALID_NAME)
    if not _is_issuer(server.issuer):
        yield Problem("issuer", INVALID_ISSUER)
    elif is_own_issuer(server.issuer, own_issuer):
        yield Problem("issuer", OWN_ISSUER)
    yield from _problems_of_applications(server.applications)
    if not _are_distinct(tuple(map(resource_key, server.resources)), MAX_RESOURCES) or not server.resources:
        yield Problem("resources", INVALID_RESOURCE)
    for number, resource in enumerate(server.resources):
        if not may_register_resource(resource):
            yield Problem(f"resources[{number}]", INVALID_RESOURCE)
    if not _are_distinct(server.scopes, MAX_SCOPES) or len(" ".join(server.scopes)) > LONGEST_SCOPE:
        yield Problem("scopes", INVALID_SCOPE)
    for number, scope in enumerate(server.scopes):
        if len(scope) > MAX_LENGTH or split(scope) != [scope]:
            yield Problem(f"scopes[{number}]", INVALID_SCOPE)
    yield from _problems_of_people(server)


def _problems_of_applications(applications: Sequence[OutsideApplication]) -> Problems:
    if not applications or not _are_distinct([one.client_id for one in applications], MAX_APPLICATIONS):
        yield Problem("applications", INVALID_APPLICATION)
    for number, one in enumerate(applications):
        for name, text, most in (
            ("clientId", one.client_id, MAX_LENGTH),
            ("outsideClientId", one.client_id_there, MAX_OUTSIDE_ID),
        ):
            if len(text) > most or not _GRAPHIC.match(text):
                yield Problem(f"applications[{number}].{name}", INVALID_APPLICATION)


def _problems_of_people(server: OutsideServer) -> Problems:
    selected = (*server.group_ids, *server.roles)
    is_selection = server.people is Covered.SELECTED
    if is_selection != bool(selected) or max(len(server.group_ids), len(server.roles)) > MAX_SELECTED:
        yield Problem("people", NAMES_NOBODY)


def _are_distinct(values: Sequence[str], most: int) -> bool:
    return len(values) <= most and len(set(values)) == len(values)


def _is_issuer(text: str) -> bool:
    """RFC 8414 section 2; http is for servers on the machine of a developer."""
    authority = authority_of(text) if is_resource(text) and "?" not in text else None
    if authority is None:
        return False
    return text.startswith("https://") or (text.startswith("http://") and authority.host in _LOOPBACK)


def _keys(server: OutsideServer) -> Document:
    return {"nameKey": name_key(server, server.name), "issuerKey": resource_key(server.issuer)}


OUTSIDE_SERVERS: Final[Table[OutsideServer]] = Table(
    "outsideServers",
    OutsideServer,
    OUTSIDE_SERVER_CHANGED,
    _keys,
    indexes=(
        IndexModel([("orgId", ASCENDING), ("nameKey", ASCENDING)], unique=True),
        IndexModel([("orgId", ASCENDING), ("issuerKey", ASCENDING)]),
        *listing_indexes("nameKey", owners=("orgId",)),
    ),
)


class MongoOutsideServers(Reader[OutsideServer]):
    """Finds servers, without removed ones."""

    table = OUTSIDE_SERVERS

    async def find_there(self, id: str) -> OutsideServer | None:
        server = await self.find(id[: MAX_LENGTH + 1])
        return None if server is None or server.state is State.DELETED else server

    async def find_by_name(self, org_id: str, name: str) -> OutsideServer | None:
        return await self.find_where({"orgId": org_id, "nameKey": canonical(name)})

    async def count(self, org_id: str) -> int:
        return await self.count_where({"orgId": org_id, **NOT_DELETED})

    async def list_of_issuer(self, org_id: str, issuer: str) -> list[OutsideServer]:
        """The rules of an organization for an issuer, by name."""
        question = {"orgId": org_id, "issuerKey": resource_key(issuer), **NOT_DELETED}
        return await self.list_where(question, MAX_SERVERS, order=("nameKey",))

    async def list_of_application(self, org_id: str, client_id: str) -> list[OutsideServer]:
        question = {"orgId": org_id, "applications.clientId": client_id, **NOT_DELETED}
        return await self.list_where(question, MAX_SERVERS, order=("nameKey",))

    async def are_any(self) -> bool:
        """Reports whether any organization has a server."""
        return await self.find_where({**NOT_DELETED}) is not None
