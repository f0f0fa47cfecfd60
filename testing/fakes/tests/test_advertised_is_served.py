"""What discovery names is what token serves: two services, one truth (AZ-19)."""

from __future__ import annotations

from portico_authz import provider_metadata
from portico_oauth.jose import ALGORITHMS
from portico_oauth.scopes import STANDARD
from portico_token import introspection, revocation
from portico_token.client_auth import CLIENT_AUTH
from portico_token.grants import GRANTS


def test_the_grants_of_the_token_endpoint() -> None:
    """Every grant there is, and no other."""
    assert {name for name in provider_metadata.GRANT_TYPES if name != "implicit"} == set(GRANTS)


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
