"""Who is registered in a measured stack, and the settings in which it differs from the defaults."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Final

from portico_contracts.apply import (
    AccessTokenTypeName,
    Document,
    GrantTypeName,
    OidcApp,
    Organization,
    Project,
    ServiceUser,
)
from portico_contracts.users import Applied
from portico_journeys.relying_party import Client

from bench.target import Cast

ORGANIZATION: Final = "bench"
SETTINGS: Final[Mapping[str, Mapping[str, str]]] = {
    "keys": {
        # One address asks all the time here, which the key set otherwise takes for a client without a cache.
        "PORTICO_KEYS_REQUESTS_PER_MINUTE": "1000000000",
        "PORTICO_SIGNING_ALGORITHMS": "RS256,ES256",
    },
    # The services get their one core after they have looked how many there are.
    "users": {"PORTICO_HASHING_WORKERS": "1"},
}
"""What differs from the defaults."""

_KINDS: Final = {"opaque": AccessTokenTypeName.BEARER, "jwt": AccessTokenTypeName.JWT}
_ROBOTS: Final = {
    "opaque": (AccessTokenTypeName.BEARER, "RS256"),
    "jwt": (AccessTokenTypeName.JWT, "RS256"),
    "jwt-es256": (AccessTokenTypeName.JWT, "ES256"),
}
"""Kind of access token, and what it is signed with where it is a JWT."""
_REDIRECT: Final = "http://localhost:1/callback"


def new_cast() -> Cast:
    """Two applications, one per kind of access token."""
    return Cast(clients=tuple(Client(f"bench-{kind}", _REDIRECT, secrets.token_hex(24)) for kind in _KINDS))


def with_robots(cast: Cast, applied: Applied) -> Cast:
    """The cast with the service users whose secret was made now; without secrets they cannot request tokens."""
    made = (change for change in applied.changes if change.kind == "service_user" and change.generated_secret)
    return Cast(cast.clients, tuple(Client(change.id, "", change.generated_secret) for change in made))


def document(cast: Cast) -> Document:
    """The cast as a document of ``portico apply``."""
    apps = tuple(_app(client, kind) for client, kind in zip(cast.clients, _KINDS.values(), strict=True))
    organization = Organization(
        id=ORGANIZATION,
        name="Bench",
        projects=(Project(id="bench-project", name="Bench", oidc_apps=apps),),
        service_users=tuple(_robot(name, kind, alg) for name, (kind, alg) in _ROBOTS.items()),
    )
    return Document(organizations=(organization,))


def _app(client: Client, kind: AccessTokenTypeName) -> OidcApp:
    return OidcApp(
        name=client.client_id,
        client_id=client.client_id,
        client_secret=client.secret,
        redirect_uris=(client.redirect_uri,),
        grant_types=(GrantTypeName.AUTHORIZATION_CODE, GrantTypeName.REFRESH_TOKEN),
        access_token_type=kind,
    )


def _robot(name: str, kind: AccessTokenTypeName, alg: str) -> ServiceUser:
    return ServiceUser(
        id=f"bench-robot-{name}",
        username=f"bench-robot-{name}",
        name=name,
        access_token_type=kind,
        access_token_alg=alg,
        roles=("IAM_OWNER",),  # for the operations on users
    )
