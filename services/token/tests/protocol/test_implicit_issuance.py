"""Tokens of implicit responses, issued for authz (OIDC Core §3.2.2.5)."""

from __future__ import annotations

from typing import Any

import jwt
import pytest
from portico_contracts.authz import CodeGrant
from portico_contracts.token import (
    ISSUE_IMPLICIT_TOKENS,
    REVOKE_SESSION,
    REVOKE_USER,
    ImplicitTokens,
    IssueImplicitTokens,
    RevokeSession,
    RevokeUser,
)
from portico_contracts.users import AccessTokenType, AuthMethod, User, UserClaims
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import ISSUER, USER, TokenService
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.jose import token_hash
from portico_oauth.opaque import bucket_of, new_opaque

ALGS = pytest.mark.parametrize("alg", ["RS256", "ES256", "EdDSA"])
KINDS = pytest.mark.parametrize("kind", list(AccessTokenType))


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    token_service.register("spa", AuthMethod.NONE, grant_types=("implicit", "authorization_code", "refresh_token"))
    return token_service


def signed_in(service: TokenService, **fields: Any) -> CodeGrant:
    """Returns a sign-in as authz reports it."""
    values = {
        "grant_id": new_opaque(bucket_of(USER), service.random, 128),
        "client_id": "spa",
        "user_id": USER,
        "session_id": "session-1",
        "scope": ("openid", "email", "offline_access"),
        "auth_time": int(service.clock.now()) - 5,
        "amr": ("pwd",),
        "acr": "urn:portico:acr:pwd",
        "nonce": "n-1",
        "auth_time_proven": True,
        **fields,
    }
    return CodeGrant(**values)


async def issued(service: TokenService, *, token: bool, **fields: Any) -> ImplicitTokens:
    asked = IssueImplicitTokens(grant=signed_in(service, **fields), with_access_token=token)
    return await service.bus.call(ISSUE_IMPLICIT_TOKENS, asked)


def claims_of(id_token: str) -> dict[str, Any]:
    claims: dict[str, Any] = jwt.decode(id_token, options={"verify_signature": False})
    return claims


async def test_id_token_alone_stores_nothing(service: TokenService, grants: MemoryGrants) -> None:
    """Without a requested access token there is no access token, no grant and no at_hash (AZ-13)."""
    tokens = await issued(service, token=False)

    assert (tokens.access_token, tokens.expires_in, tokens.scope) == ("", 0, "")
    assert grants.held == {}
    assert "at_hash" not in claims_of(tokens.id_token)


async def test_claims_of_an_id_token_alone(service: TokenService) -> None:
    """The id_token has the nonce and the claims of the scope, because no access token is issued for userinfo."""
    service.users.people[USER] = UserClaims(
        user=User(user_id=USER, org_id="org-1", user_name="ada", login_name="ada@example.test", human=True),
        claims={"email": "a@example.test", "email_verified": False, "name": "Ada"},
    )
    now = int(service.clock.now())

    assert claims_of((await issued(service, token=False)).id_token) == {
        "iss": ISSUER,
        "sub": USER,
        "aud": ["spa"],
        "azp": "spa",
        "exp": now + 3_600,
        "iat": now,
        "auth_time": now - 5,
        "acr": "urn:portico:acr:pwd",
        "amr": ["pwd"],
        "sid": "session-1",
        "nonce": "n-1",
        "email": "a@example.test",
        "email_verified": False,
    }


@ALGS
@KINDS
async def test_both_tokens_belong_together(service: TokenService, alg: str, kind: AccessTokenType) -> None:
    """The at_hash matches, the access token is active without offline_access, and scope claims are left to userinfo."""
    service.register("spa", AuthMethod.NONE, id_token_alg=alg, access_token_type=kind)
    service.users.people[USER] = UserClaims(user=service.users.people[USER].user, claims={"email": "a@example.test"})

    tokens = await issued(service, token=True)
    claims = claims_of(tokens.id_token)

    assert jwt.get_unverified_header(tokens.id_token)["alg"] == alg
    assert claims["at_hash"] == token_hash(tokens.access_token, alg)
    assert (claims["nonce"], "email" in claims) == ("n-1", False)
    assert (tokens.scope, tokens.expires_in) == ("openid email", 3_600)
    assert (await service.userinfo(tokens.access_token)).json() == {"sub": USER, "email": "a@example.test"}


async def test_no_refresh_token_is_issued(service: TokenService, grants: MemoryGrants) -> None:
    tokens = await issued(service, token=True)

    assert "offline_access" not in tokens.scope
    assert [held.refresh for held in grants.held.values()] == [None]


async def test_access_token_ends_with_the_session(service: TokenService) -> None:
    tokens = await issued(service, token=True)
    await service.bus.call(REVOKE_SESSION, RevokeSession(user_id=USER, session_id="session-1"))

    assert (await service.userinfo(tokens.access_token)).status_code == 401


async def error_of(service: TokenService, *, token: bool) -> Kind:
    with pytest.raises(ServiceError) as refused:
        await issued(service, token=token)
    return refused.value.kind


@pytest.mark.parametrize("token", [True, False])
async def test_inactive_client_is_unauthorized_client(service: TokenService, token: bool) -> None:
    del service.users.clients["spa"]

    assert await error_of(service, token=token) is Kind.UNAUTHORIZED_CLIENT


@pytest.mark.parametrize("token", [True, False])
async def test_inactive_user_is_login_required(service: TokenService, token: bool) -> None:
    service.users.people.clear()

    assert await error_of(service, token=token) is Kind.LOGIN_REQUIRED


@pytest.mark.parametrize("rpc", ["session", "user"])
async def test_revocation_meanwhile_makes_tokens_inactive(service: TokenService, rpc: str) -> None:
    """No token issued after the revocation has returned is active."""
    if rpc == "session":
        await service.bus.call(REVOKE_SESSION, RevokeSession(user_id=USER, session_id="session-1"))
    else:
        await service.bus.call(REVOKE_USER, RevokeUser(user_id=USER))

    assert await error_of(service, token=True) is Kind.LOGIN_REQUIRED


async def test_unstorable_or_unsignable_tokens_are_unavailable(
    service: TokenService, grants: MemoryGrants, clock: FrozenClock, bus: MemoryBus
) -> None:
    grants.down = True
    not_kept = await error_of(service, token=True)
    clock.tick(60)
    not_signed = await error_of(service, token=False)

    assert (not_kept, not_signed) == (Kind.UNAVAILABLE, Kind.UNAVAILABLE)
