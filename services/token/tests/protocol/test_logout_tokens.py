"""Logout tokens, signed for authz (OpenID Connect Back-Channel Logout 1.0 §2.4)."""

from __future__ import annotations

import jwt
import pytest
from portico_contracts.token import SIGN_LOGOUT_TOKENS, LogoutNotice, SignLogoutTokens
from portico_fakes.clock import FrozenClock
from portico_fakes.token_service import ISSUER, USER, TokenService
from portico_oauth.errors import Kind, ServiceError


async def sign(service: TokenService, *client_ids: str) -> tuple[str, ...]:
    notices = tuple(LogoutNotice(client_id=one, user_id=USER, session_id="session-1") for one in client_ids)
    return (await service.bus.call(SIGN_LOGOUT_TOKENS, SignLogoutTokens(notices=notices))).tokens


@pytest.mark.parametrize("alg", ["RS256", "ES256", "EdDSA"])
async def test_claims_of_a_logout_token(token_service: TokenService, alg: str) -> None:
    """A logout token has its own type and claims, no nonce, and the algorithm of the client's id_tokens."""
    token_service.register("web", id_token_alg=alg)
    now = int(token_service.clock.now())
    key = next(key for key in token_service.keys.published if key.alg == alg)

    (token,) = await sign(token_service, "web")
    claims = jwt.decode(
        token,
        jwt.PyJWK(key.public_jwk()),
        algorithms=[alg],
        audience="web",
        options={"verify_exp": False, "verify_iat": False},
    )
    jti = claims.pop("jti")

    assert jwt.get_unverified_header(token) == {"alg": alg, "kid": key.kid, "typ": "logout+jwt"}
    assert claims == {
        "iss": ISSUER,
        "aud": "web",
        "iat": now,
        "exp": now + 120,
        "events": {"http://schemas.openid.net/event/backchannel-logout": {}},
        "sub": USER,
        "sid": "session-1",
    }
    assert len(jti) == 22


async def test_each_client_gets_its_own_token(token_service: TokenService) -> None:
    """Tokens are in order, each for one client with its own jti, and empty for an inactive client."""
    token_service.register("other")

    tokens = await sign(token_service, "web", "gone", "other", "web")
    claims = [jwt.decode(token, options={"verify_signature": False}) if token else {} for token in tokens]

    assert [each.get("aud") for each in claims] == ["web", None, "other", "web"]
    assert len({each["jti"] for each in claims if each}) == 3


async def test_logout_token_is_not_an_access_or_id_token(token_service: TokenService) -> None:
    """Every kind of token is accepted only for its own purpose (P7)."""
    (token,) = await sign(token_service, "web")

    assert (await token_service.userinfo(token)).status_code == 401
    assert (await token_service.introspect(token, "web")).content == b'{"active":false}'


async def test_without_a_signing_key_it_is_unavailable(token_service: TokenService, clock: FrozenClock) -> None:
    clock.tick(60)
    with pytest.raises(ServiceError) as refused:
        await sign(token_service, "web")

    assert refused.value.kind is Kind.UNAVAILABLE
