from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from portico_contracts.apply import AppTypeName
from portico_contracts.users import AuthMethod, Dpop
from portico_oauth.errors import ServiceError
from portico_users.applications.app_record import App
from portico_users.applications.client_keys.assertion_keys import AssertionKey
from portico_users.applications.fapi2 import refuse_outside_profile

KEY = AssertionKey(kid="k", alg="ES256", jwk={})
BANK = App(
    id="1",
    org_id="org",
    project_id="project",
    name="bank",
    client_id="bank",
    auth_method=AuthMethod.PRIVATE_KEY_JWT,
    redirect_uris=("https://bank.example/cb",),
    response_types=("code",),
    grant_types=("authorization_code", "refresh_token"),
    id_token_signed_response_alg="ES256",
    refresh_token_grace_seconds=60,
    issuer_audience_only=True,
    require_pushed_authorization_requests=True,
    dpop=Dpop.REQUIRED,
    fapi2=True,
    keys=(KEY,),
)
FORBIDDEN: list[tuple[dict[str, Any], str]] = [
    ({"auth_method": AuthMethod.CLIENT_SECRET_BASIC}, "authMethodType"),
    ({"auth_method": AuthMethod.NONE}, "authMethodType"),
    ({"issuer_audience_only": False}, "clientAssertionAudience"),
    ({"response_types": ("code", "id_token")}, "responseTypes"),
    ({"response_types": ()}, "responseTypes"),
    ({"grant_types": ("authorization_code", "implicit")}, "grantTypes"),
    ({"require_pushed_authorization_requests": False}, "requirePushedAuthorizationRequests"),
    ({"dpop": Dpop.ALLOWED}, "dpop"),
    ({"id_token_signed_response_alg": "RS256"}, "idTokenSignedResponseAlg"),
    ({"refresh_token_grace_seconds": 0}, "refreshTokenGraceSeconds"),
    ({"dev_mode": True}, "devMode"),
    ({"plain_schemes": True}, "plainSchemes"),
    ({"trusted_workloads": ("one",)}, "trustedWorkloads"),
    ({"redirect_uris": ("https://bank.example/cb", "http://localhost/cb")}, "redirectUris[1]"),
    ({"app_type": AppTypeName.NATIVE, "redirect_uris": ("com.example.bank:/cb",)}, "redirectUris[0]"),
    ({"keys": (KEY, replace(KEY, alg="RS256"))}, "keys[1]"),
]


BY_CERTIFICATE: list[dict[str, Any]] = [
    {"auth_method": AuthMethod.TLS_CLIENT_AUTH, "keys": (), "issuer_audience_only": False},
    {"auth_method": AuthMethod.SELF_SIGNED_TLS_CLIENT_AUTH, "keys": (replace(KEY, alg="RS256"),)},
]


def refused(**changes: Any) -> list[str]:
    try:
        refuse_outside_profile(replace(BANK, **changes))
    except ServiceError as error:
        return [violation.field for violation in error.violations]
    return []


@pytest.mark.parametrize(("changes", "field"), FORBIDDEN)
def test_each_clause_is_checked(changes: dict[str, Any], field: str) -> None:
    """FAPI 2.0 Security Profile sections 5.3.2 and 5.4."""
    assert refused(**changes) == [field]
    assert refused(**changes, fapi2=False) == []


def test_profile_is_satisfiable() -> None:
    """Also without refresh tokens, and by a native application whose redirect URI is on a loopback host."""
    assert refused() == []
    assert refused(grant_types=("authorization_code",), refresh_token_grace_seconds=0) == []
    assert refused(app_type=AppTypeName.NATIVE, redirect_uris=("http://127.0.0.1/cb",)) == []


def test_allowed_value_is_named() -> None:
    """The error of a field states what the profile allows there."""
    with pytest.raises(ServiceError) as error:
        refuse_outside_profile(replace(BANK, dpop=Dpop.OFF, redirect_uris=("http://bank.example/cb",)))

    assert [one.translated() for one in error.value.violations] == [
        "The security profile FAPI 2.0 allows only required here.",
        "The security profile FAPI 2.0 allows only https://… here.",
    ]


def test_everything_is_named_at_once() -> None:
    """A call names every field that has to change."""
    assert refused(issuer_audience_only=False, dpop=Dpop.OFF, dev_mode=True) == [
        "clientAssertionAudience", "dpop", "devMode",
    ]  # fmt: skip


@pytest.mark.parametrize("changes", BY_CERTIFICATE)
def test_client_certificates_are_allowed(changes: dict[str, Any]) -> None:
    """Section 5.3.2.1 accepts mutual TLS; the audience and the algorithm of assertions are then of no concern."""
    assert refused(**changes) == []
