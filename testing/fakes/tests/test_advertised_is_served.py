"""Discovery advertises exactly the features that token implements (AZ-19)."""

from __future__ import annotations

from typing import Final

import pytest
from portico_authz import provider_metadata
from portico_contracts import http
from portico_contracts.apply import GrantTypeName
from portico_contracts.generated.portico.management.v1 import app_pb2
from portico_contracts.users import ServiceUser, User
from portico_fakes.authz_service import AuthzService
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.jose import ALGORITHMS
from portico_oauth.scopes import STANDARD
from portico_token import introspection, revocation
from portico_token.client_auth import CLIENT_AUTH
from portico_token.domain.clients import registered_service_user
from portico_token.grants import GRANTS
from portico_users.resources.apps.app_record import GRANT_TYPES

ROBOT: Final = ServiceUser(
    user=User(user_id="1", org_id="2", user_name="robot", login_name="robot", human=False), secret_hash=""
)
SERVICE_USER: Final = "service user"
ADVERTISED: Final = {
    "authorization_code": "OIDC_GRANT_TYPE_AUTHORIZATION_CODE",
    "implicit": "OIDC_GRANT_TYPE_IMPLICIT",
    "refresh_token": "OIDC_GRANT_TYPE_REFRESH_TOKEN",
    "urn:ietf:params:oauth:grant-type:jwt-bearer": SERVICE_USER,
    "client_credentials": SERVICE_USER,
}
"""By advertised grant type: the name for registering an application or a service user."""


async def test_discovery_advertises_grants(clock: FrozenClock, bus: MemoryBus) -> None:
    """The discovery document advertises exactly the listed grant types, in their order (AZ-19)."""
    document = (await AuthzService(clock, bus).browser().get(http.DISCOVERY)).json()

    assert document["grant_types_supported"] == list(ADVERTISED)


def test_token_endpoint_implements_advertised_grants() -> None:
    """The token endpoint implements every advertised grant and no other; implicit is not one of its grants."""
    assert set(ADVERTISED) - {"implicit"} == set(GRANTS)


@pytest.mark.parametrize(("grant_type", "kind"), ADVERTISED.items())
def test_every_advertised_grant_can_be_registered(grant_type: str, kind: str) -> None:
    """Every advertised grant can be registered for an application or a service user."""
    if kind == SERVICE_USER:
        assert grant_type in registered_service_user(ROBOT).client.grant_types
    else:
        assert app_pb2.OIDCGrantType.Value(kind) >= 0
        assert GRANT_TYPES[GrantTypeName(kind)] == grant_type


def test_unadvertised_grants_cannot_be_registered() -> None:
    """The API lets applications and service users register advertised grants only."""
    names = {kind for kind in ADVERTISED.values() if kind != SERVICE_USER}

    assert set(app_pb2.OIDCGrantType.keys()) == set(GrantTypeName) == set(GRANT_TYPES) == names
    assert set(registered_service_user(ROBOT).client.grant_types) == set(ADVERTISED) - set(GRANT_TYPES.values())


def test_auth_methods_are_advertised_per_endpoint() -> None:
    """Discovery lists the authentication methods of the token, introspection and revocation endpoints."""
    at_token = frozenset().union(*(grant.methods for grant in GRANTS.values()))

    assert set(provider_metadata.TOKEN_AUTH_METHODS) == set(CLIENT_AUTH) == at_token
    assert set(provider_metadata.INTROSPECTION_AUTH_METHODS) == introspection.METHODS
    assert set(provider_metadata.REVOCATION_AUTH_METHODS) == revocation.METHODS


def test_assertion_algorithms_are_advertised() -> None:
    """Discovery lists every algorithm of registered keys for assertions, without `none` (JW-01)."""
    assert set(provider_metadata.ASSERTION_ALGS) == set(ALGORITHMS)


def test_offline_access_scope_is_advertised() -> None:
    """Discovery advertises the scope that requests refresh tokens."""
    assert set(provider_metadata.SCOPES) == set(STANDARD)
