"""APIs with scopes and resources: which ones a client may name, and what tokens for them contain (RFC 8707)."""

from __future__ import annotations

from collections.abc import Iterable

from portico_contracts.subjects import Message, Rpc


class GetApis(Message, frozen=True):
    """Requests the APIs whose scopes an application, or a service user (by its user id), may request."""

    client_id: str


class Api(Message, frozen=True):
    """An active API application. `resources` are absolute URIs."""

    client_id: str
    resources: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()


class ApisFound(Message, frozen=True):
    """APIs of the client's own project, of projects granted to its organization, and those its settings name.

    For a service user: APIs of its organization, of projects granted to it, and of those in which the user has a role.
    """

    apis: tuple[Api, ...] = ()


def scopes_of(apis: Iterable[Api]) -> frozenset[str]:
    """The scopes of several APIs."""
    return frozenset(scope for api in apis for scope in api.scopes)


GET_APIS = Rpc("users.v1.client.apis", GetApis, ApisFound, ("authz", "token"))
