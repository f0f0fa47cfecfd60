"""Discovery advertises exactly the features that token implements (AZ-19)."""

from __future__ import annotations

from typing import Final

import pytest
from msgspec.structs import replace
from portico_authz import provider_metadata
from portico_authz.discovery import Certificates, document
from portico_contracts import http
from portico_contracts.apply import GrantTypeName
from portico_contracts.generated.portico.management.v1 import app_pb2
from portico_contracts.users import LoginPolicy, ServiceUser, User
from portico_fakes.authz_service import AuthzService
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.grant_types import DEVICE_CODE, TOKEN_EXCHANGE
from portico_oauth.jose import ALGORITHMS
from portico_oauth.scopes import STANDARD
from portico_token import introspection, pushed_requests, revocation
from portico_token.client_auth.methods import CLIENT_AUTH
from portico_token.domain.clients import registered_service_user
from portico_token.grants import GRANTS
from portico_users.applications.app_record import GRANT_TYPES

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
OPTIONAL: Final = {
    DEVICE_CODE: "OIDC_GRANT_TYPE_DEVICE_CODE",
    TOKEN_EXCHANGE: "OIDC_GRANT_TYPE_TOKEN_EXCHANGE",
}
"""Advertised where an application has it, the first one where the login policy of the instance allows it."""

EVERY: Final = {**ADVERTISED, **OPTIONAL}
"""By advertised grant type: the name for registering an application or a service user."""


async def test_discovery_advertises_grants(clock: FrozenClock, bus: MemoryBus) -> None:
    """The discovery document advertises exactly the listed grant types, in their order (AZ-19)."""
    service = AuthzService(clock, bus)
    document = (await service.browser().get(http.DISCOVERY)).json()

    assert document["grant_types_supported"] == list(ADVERTISED)


async def test_discovery_advertises_optional_grants(clock: FrozenClock, bus: MemoryBus) -> None:
    """Where they are turned on; while users cannot be reached, the last document is served."""
    service = AuthzService(clock, bus)
    web = service.peers.clients["web"]
    service.peers.clients["web"] = replace(web, grant_types=(*web.grant_types, *OPTIONAL))
    service.peers.policies[""] = LoginPolicy(device_authorization=True)
    shown = (await service.browser().get(http.DISCOVERY)).json()
    clock.tick(301)
    bus.down = True
    later = await service.browser().get(http.DISCOVERY)

    assert shown["grant_types_supported"] == list(EVERY)
    assert (later.status_code, later.json()) == (200, shown)


def test_token_endpoint_implements_advertised_grants() -> None:
    """The token endpoint implements every advertised grant and no other; implicit is not one of its grants."""
    assert set(EVERY) - {"implicit"} == set(GRANTS)


@pytest.mark.parametrize(("grant_type", "kind"), EVERY.items())
def test_every_advertised_grant_can_be_registered(grant_type: str, kind: str) -> None:
    """Every advertised grant can be registered for an application or a service user."""
    if kind == SERVICE_USER:
        assert grant_type in registered_service_user(ROBOT).client.grant_types
    else:
        assert app_pb2.OIDCGrantType.Value(kind) >= 0
        assert GRANT_TYPES[GrantTypeName(kind)] == grant_type


def test_unadvertised_grants_cannot_be_registered() -> None:
    """The API lets applications and service users register advertised grants only."""
    names = {kind for kind in EVERY.values() if kind != SERVICE_USER}

    assert set(app_pb2.OIDCGrantType.keys()) == set(GrantTypeName) == set(GRANT_TYPES) == names
    assert set(registered_service_user(ROBOT).client.grant_types) == set(EVERY) - set(GRANT_TYPES.values())


def test_auth_methods_are_advertised_per_endpoint() -> None:
    """Discovery lists the methods of the token, introspection and revocation endpoints; pushed requests use the first."""
    at_token = frozenset().union(*(grant.methods for grant in GRANTS.values()))

    shown = document("https://id.example.test", certificates=Certificates.configured("https://mtls.example.test", "ca"))

    def advertised(endpoint: str) -> set[str]:
        return set(shown[f"{endpoint}_endpoint_auth_methods_supported"])

    assert advertised("token") == set(CLIENT_AUTH) == at_token == pushed_requests.METHODS
    assert advertised("introspection") == introspection.METHODS
    assert advertised("revocation") == revocation.METHODS


def test_assertion_algorithms_are_advertised() -> None:
    """Discovery lists every algorithm of registered keys for assertions, without `none` (JW-01)."""
    assert set(provider_metadata.ASSERTION_ALGS) == set(ALGORITHMS)


def test_offline_access_scope_is_advertised() -> None:
    """Discovery advertises the scope that requests refresh tokens."""
    assert set(provider_metadata.SCOPES) == set(STANDARD)
