"""What discovery names is what token serves: two services, one truth (AZ-19)."""

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
from portico_users.directory.apps.app_record import GRANT_TYPES

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
"""Each grant type of the discovery document: by which name an application is registered for it, or a service user."""


async def test_discovery_names_these_grants(clock: FrozenClock, bus: MemoryBus) -> None:
    """The discovery document advertises exactly the grant types of the written list, in its order (AZ-19)."""
    document = (await AuthzService(clock, bus).browser().get(http.DISCOVERY)).json()

    assert document["grant_types_supported"] == list(ADVERTISED)


def test_the_grants_of_the_token_endpoint() -> None:
    """The token endpoint implements every advertised grant, and no other; implicit is none of its own."""
    assert set(ADVERTISED) - {"implicit"} == set(GRANTS)


@pytest.mark.parametrize(("grant_type", "kind"), ADVERTISED.items())
def test_every_advertised_grant_can_be_registered(grant_type: str, kind: str) -> None:
    """A grant no client can be registered for would be advertised in vain: an application or a service user can be."""
    if kind == SERVICE_USER:
        assert grant_type in registered_service_user(ROBOT).client.grant_types
    else:
        assert app_pb2.OIDCGrantType.Value(kind) >= 0
        assert GRANT_TYPES[GrantTypeName(kind)] == grant_type


def test_no_other_grant_can_be_registered() -> None:
    """What an application or a service user may be registered for is advertised: the API has no further name."""
    names = {kind for kind in ADVERTISED.values() if kind != SERVICE_USER}

    assert set(app_pb2.OIDCGrantType.keys()) == set(GrantTypeName) == set(GRANT_TYPES) == names
    assert set(registered_service_user(ROBOT).client.grant_types) == set(ADVERTISED) - set(GRANT_TYPES.values())


def test_the_methods_of_each_endpoint() -> None:
    """Those that some grant takes, those of introspection, those of revocation."""
    at_token = frozenset().union(*(grant.methods for grant in GRANTS.values()))

    assert set(provider_metadata.TOKEN_AUTH_METHODS) == set(CLIENT_AUTH) == at_token
    assert set(provider_metadata.INTROSPECTION_AUTH_METHODS) == introspection.METHODS
    assert set(provider_metadata.REVOCATION_AUTH_METHODS) == revocation.METHODS


def test_what_assertions_may_be_signed_with() -> None:
    """Every algorithm a registered key can have; `none` is not one of them (JW-01)."""
    assert set(provider_metadata.ASSERTION_ALGS) == set(ALGORITHMS)


def test_offline_access_can_be_requested() -> None:
    """There are refresh tokens, so the scope that gives them is named."""
    assert set(provider_metadata.SCOPES) == set(STANDARD)
