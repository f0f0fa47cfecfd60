"""APIs with scopes and resources: which ones a client may name, and what tokens for them contain (RFC 8707)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from portico_oauth.resources import resource_key
from portico_oauth.scopes import is_known, to_be_allowed

from portico_contracts.subjects import Message, Rpc
from portico_contracts.users.consents import ApiScope


class GetApis(Message, frozen=True):
    """Requests the APIs whose scopes an application, or a service user (by its user id), may request.

    `org_id` is that of the client, which a client id alone does not determine (`GetClient`).
    """

    client_id: str
    org_id: str = ""


class RoleScope(Message, frozen=True):
    """A scope that only users with one of the roles get, in the project of its API (decision 0142)."""

    scope: str
    roles: tuple[str, ...]


class Api(Message, frozen=True):
    """An active API application.

    Attributes:
        resources: absolute URIs.
        default_scopes: a part of `scopes`.
        role_scopes: those of `scopes` that need a role in `project_id`, which is empty without any.
    """

    client_id: str
    resources: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    default_scopes: tuple[str, ...] = ()
    role_scopes: tuple[RoleScope, ...] = ()
    project_id: str = ""


class ApisFound(Message, frozen=True):
    """APIs of the client's own project, of projects granted to its organization, and those its settings name.

    For a service user: APIs of its organization, of projects granted to it, and of those in which the user has a role.
    """

    apis: tuple[Api, ...] = ()


class Target(NamedTuple):
    """A resource as registered, and its API."""

    resource: str
    api: Api


def targets_of(resources: Iterable[str], apis: Iterable[Api]) -> tuple[Target, ...]:
    """The APIs of resources, in the same order; unknown resources are left out."""
    found = {resource_key(resource): Target(resource, api) for api in apis for resource in api.resources}
    return tuple(dict.fromkeys(found[key] for key in map(resource_key, resources) if key in found))


def scopes_of(apis: Iterable[Api]) -> frozenset[str]:
    """The scopes of several APIs."""
    return frozenset(scope for api in apis for scope in api.scopes)


def default_scope_of(apis: Iterable[Api]) -> tuple[str, ...]:
    """What a request has that names resources and no scope of an API."""
    return tuple(dict.fromkeys(scope for api in apis for scope in api.default_scopes))


def scopes_to_allow(scope: Iterable[str], apis: Iterable[Api], targets: Iterable[Target] = ()) -> tuple[ApiScope, ...]:
    """What a user allows with a scope: each word at every one of the APIs that defines it, and the resources.

    The list of the consent page, and what consent is compared with. Words that direct the sign-in are left out, and
    those that none of the APIs defines: no token has them.
    """
    offered, found = tuple(apis), []
    for word in to_be_allowed(tuple(scope)):
        if is_known(word):
            found.append(ApiScope("", word))
        else:
            found.extend(ApiScope(api.client_id, word) for api in offered if word in api.scopes)
    return tuple(dict.fromkeys((*found, *(ApiScope(api.client_id, resource) for resource, api in targets))))


GET_APIS = Rpc("users.v1.client.apis", GetApis, ApisFound, ("authz", "token"))
