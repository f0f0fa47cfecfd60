from __future__ import annotations

import jwt
from portico_contracts.users import AccessTokenType, TokenLifetimes
from portico_fakes.assertions import claims_of, registered, sign
from portico_fakes.clock import FrozenClock
from portico_fakes.token_service import ISSUER, TokenService
from portico_oauth.jose import SigningKey

KEY = SigningKey.generate("k1", "ES256")
HOUR, DAY = 3_600, 86_400
SHORT = TokenLifetimes(access_token_seconds=300, id_token_seconds=300, refresh_idle_seconds=DAY, refresh_seconds=DAY)


def assertion(service: TokenService) -> str:
    return sign(KEY, claims_of("robot", ISSUER, service.clock.now()))


async def test_service_user_may_request_a_shorter_lifetime(token_service: TokenService) -> None:
    """The lifetime applies to both grants and never exceeds the settings."""
    token_service.register_service_user("robot", keys=(registered(KEY),), access_token_type=AccessTokenType.JWT)
    for asked, seconds in (("600", 600), ("1", 1), ("3600", HOUR), ("9999999999", HOUR)):
        by_secret = (await token_service.client_credentials("robot", expires_in=asked)).json()
        by_key = (await token_service.jwt_bearer(assertion(token_service), expires_in=asked)).json()

        for tokens in (by_secret, by_key):
            claims = jwt.decode(tokens["access_token"], options={"verify_signature": False})
            assert tokens["expires_in"] == claims["exp"] - claims["iat"] == seconds, asked


async def test_instance_limits_the_requested_lifetime(token_service: TokenService) -> None:
    token_service.register_service_user("robot", lifetimes=SHORT)

    assert (await token_service.client_credentials("robot", expires_in="600")).json()["expires_in"] == 300


async def test_requested_lifetime_of_an_opaque_token_is_enforced(
    token_service: TokenService, clock: FrozenClock
) -> None:
    """The requested expiry is enforced, not only returned (TK-21)."""
    token_service.register_service_user("robot", keys=(registered(KEY),))
    tokens = (await token_service.jwt_bearer(assertion(token_service), expires_in="60", scope="openid")).json()
    clock.tick(59)
    alive = (await token_service.userinfo(tokens["access_token"])).status_code
    clock.tick(1)

    assert (alive, (await token_service.userinfo(tokens["access_token"])).status_code) == (200, 401)


async def test_invalid_lifetime_is_refused(token_service: TokenService) -> None:
    """Anything but whole seconds is an invalid_request."""
    token_service.register_service_user("robot")
    for asked in ("0", "-1", "+5", "1.5", "5e1", " 60", "٦٠", "60s", "99999999999"):
        answer = await token_service.client_credentials("robot", expires_in=asked)
        assert (answer.status_code, answer.json().get("error")) == (400, "invalid_request"), asked


async def test_other_grants_ignore_the_requested_lifetime(token_service: TokenService) -> None:
    """Tokens of applications have the lifetime of the instance."""
    token_service.register("app")
    answer = await token_service.redeem(token_service.issue_code("app"), "app", expires_in="60")

    assert answer.json()["expires_in"] == HOUR
