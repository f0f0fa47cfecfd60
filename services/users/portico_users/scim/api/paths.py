"""Which resource a path names. The permission and the handler are both chosen by this one decision."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple
from urllib.parse import unquote

from portico_contracts.http import SCIM
from portico_oauth.errors import PATH_NOT_FOUND


class Resource(StrEnum):
    USERS = "Users"
    GROUPS = "Groups"
    CONFIGURATION = "ServiceProviderConfig"
    TYPES = "ResourceTypes"
    SCHEMAS = "Schemas"


class Route(NamedTuple):
    """A routed path; `id` is empty for the collection, and for a search in it by POST (RFC 7644 section 3.4.3)."""

    connection_id: str
    resource: Resource
    id: str = ""
    is_search: bool = False

    @property
    def verbs(self) -> tuple[str, ...]:
        """The HTTP methods of the path."""
        return ("POST",) if self.is_search else _VERBS[self.resource, bool(self.id)]


_VERBS: Final[dict[tuple[Resource, bool], tuple[str, ...]]] = {
    (Resource.USERS, False): ("GET", "POST"),
    (Resource.USERS, True): ("GET", "PUT", "PATCH", "DELETE"),
    (Resource.GROUPS, False): ("GET", "POST"),
    (Resource.GROUPS, True): ("GET", "PUT", "PATCH", "DELETE"),
    (Resource.CONFIGURATION, False): ("GET",),
    (Resource.TYPES, False): ("GET",),
    (Resource.TYPES, True): ("GET",),
    (Resource.SCHEMAS, False): ("GET",),
    (Resource.SCHEMAS, True): ("GET",),
}
"""The HTTP methods by resource, and whether the path has an id."""

SEARCH: Final = ".search"
_PREFIX: Final = SCIM.encode() + b"/"


def route_of(raw_path: bytes) -> Route:
    """Splits before decoding, and compares all but ids as they were sent: an encoded name of a resource is no path.

    Raises `not_found`. An encoded slash is part of an id, which no object has then.
    """
    if not raw_path.startswith(_PREFIX):
        raise PATH_NOT_FOUND.error()
    connection_id, *others = [part.decode("latin-1") for part in raw_path[len(_PREFIX) :].split(b"/")]
    if not others or len(others) > 2 or (len(others) == 2 and not others[1]):
        raise PATH_NOT_FOUND.error()
    resource = next((one for one in Resource if one.value == others[0]), None)
    if resource is None or (resource, len(others) == 2) not in _VERBS:
        raise PATH_NOT_FOUND.error()
    id = others[1] if len(others) == 2 else ""
    if id == SEARCH and resource in (Resource.USERS, Resource.GROUPS):
        return Route(_decoded(connection_id), resource, is_search=True)
    return Route(_decoded(connection_id), resource, _decoded(id))


def _decoded(part: str) -> str:
    try:
        return unquote(part, errors="strict")
    except UnicodeDecodeError:
        raise PATH_NOT_FOUND.error() from None
