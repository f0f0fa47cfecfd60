"""Token times for a client with a registered clock skew, and the times of its assertions (decision 0021)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import jwt
import pytest
from portico_contracts.authz import CodeGrant
from portico_contracts.token import (
    ISSUE_IMPLICIT_TOKENS,
    SIGN_LOGOUT_TOKENS,
    IssueImplicitTokens,
    LogoutNotice,
    SignLogoutTokens,
)
from portico_contracts.users import AccessTokenType, AuthMethod
from portico_fakes.assertions import ASSERTION_TYPE, claims_of, registered, sign
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_assertions import MemoryAssertions
from portico_fakes.token_service import ISSUER, USER, TokenService
from portico_oauth.clock_leeway import CLOCK_LEEWAY
from portico_oauth.jose import SigningKey
from portico_oauth.opaque import bucket_of, new_opaque
from portico_token.assertions.verification import Assertions, Expected
from portico_token.domain.assertions import Assertion, ClaimResult

KEY = SigningKey.generate("k1", "ES256")
SKEW = 3
OFF = pytest.mark.parametrize("skew", [0, SKEW])
JWT = {"access_token_type": AccessTokenType.JWT}
REFRESHING = {"grant_types": ("authorization_code", "refresh_token")}


def claims_in(token: str) -> dict[str, Any]:
    """Returns the claims without verification; other tests verify signatures."""
    claims: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    return claims


async def redeemed(service: TokenService, skew: int, **client: Any) -> dict[str, Any]:
    """Returns the token set for a code of a client with a clock skew."""
    service.register("app", clock_skew_seconds=skew, **client)
    answer = await service.redeem(service.issue_code("app", scope=("openid", "offline_access")), "app")
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


@OFF
async def test_id_token_allows_for_the_clients_clock(token_service: TokenService, skew: int) -> None:
    """The id_token is backdated and valid longer, so that a client whose clock is behind or ahead accepts it."""
    now = int(token_service.clock.now())
    claims = claims_in((await redeemed(token_service, skew))["id_token"])

    assert (claims["iat"], claims["exp"], claims["auth_time"]) == (now - skew, now + 3600 + skew, now - 5 - skew)


@OFF
async def test_access_token_is_issued_earlier_by_the_skew(token_service: TokenService, skew: int) -> None:
    """The expiry is the provider's, in the token and in expires_in."""
    now = int(token_service.clock.now())
    tokens = await redeemed(token_service, skew, **JWT)
    claims = claims_in(tokens["access_token"])

    assert (claims["iat"], claims["nbf"], claims["exp"]) == (now - skew, now - skew, now + 3600)
    assert tokens["expires_in"] == 3600


@pytest.mark.parametrize("kind", list(AccessTokenType))
async def test_introspection_returns_the_times_of_the_token(token_service: TokenService, kind: AccessTokenType) -> None:
    """The time of issue does not change with the registration."""
    now = int(token_service.clock.now())
    token = (await redeemed(token_service, SKEW, access_token_type=kind))["access_token"]
    token_service.register("app", access_token_type=kind)
    answer = (await token_service.introspect(token, "app")).json()

    assert (answer["iat"], answer["nbf"], answer["exp"]) == (now - SKEW, now - SKEW, now + 3600)


async def test_expires_in_is_enforced(token_service: TokenService, clock: FrozenClock) -> None:
    tokens = await redeemed(token_service, SKEW)
    clock.tick(tokens["expires_in"] - 1)
    before = await token_service.introspect(tokens["access_token"], "app")
    clock.tick(1)
    after = await token_service.introspect(tokens["access_token"], "app")

    assert (before.json()["active"], after.json()["active"]) == (True, False)


async def test_skew_applies_once_after_refreshes(token_service: TokenService, clock: FrozenClock) -> None:
    began = int(clock.now())
    tokens = await redeemed(token_service, SKEW, **REFRESHING)
    clock.tick(50)
    again = (await token_service.refresh(tokens["refresh_token"], "app")).json()
    claims = claims_in(again["id_token"])

    assert (claims["iat"], claims["auth_time"]) == (began + 50 - SKEW, began - 5 - SKEW)
    assert again["expires_in"] == 3600


@pytest.mark.parametrize("with_access_token", [True, False])
async def test_skew_applies_to_implicit_responses(token_service: TokenService, with_access_token: bool) -> None:
    token_service.register("spa", AuthMethod.NONE, grant_types=("implicit",), clock_skew_seconds=SKEW)
    now = int(token_service.clock.now())
    grant = CodeGrant(
        grant_id=new_opaque(bucket_of(USER), token_service.random, 128),
        client_id="spa",
        user_id=USER,
        session_id="session-1",
        scope=("openid",),
        auth_time=now - 5,
        amr=("pwd",),
        acr="urn:portico:acr:pwd",
        auth_time_proven=True,
        nonce="n-1",
    )
    asked = IssueImplicitTokens(grant=grant, with_access_token=with_access_token)
    tokens = await token_service.bus.call(ISSUE_IMPLICIT_TOKENS, asked)
    claims = claims_in(tokens.id_token)

    assert (claims["iat"], claims["exp"], claims["auth_time"]) == (now - SKEW, now + 3600 + SKEW, now - 5 - SKEW)
    assert tokens.expires_in == (3600 if with_access_token else 0)


@OFF
async def test_logout_token_allows_for_the_clients_clock(token_service: TokenService, skew: int) -> None:
    """A client whose clock is behind would refuse a token issued in its future."""
    token_service.register("app", clock_skew_seconds=skew)
    now = int(token_service.clock.now())
    notice = LogoutNotice(client_id="app", user_id=USER, session_id="session-1")
    (token,) = (await token_service.bus.call(SIGN_LOGOUT_TOKENS, SignLogoutTokens(notices=(notice,)))).tokens
    claims = claims_in(token)

    assert (claims["iat"], claims["exp"]) == (now - skew, now + 120 + skew)


async def present(service: TokenService, assertion: str) -> int:
    """Returns the status of the response to an assertion of the client ``signer``."""
    form = {"client_assertion_type": ASSERTION_TYPE, "client_assertion": assertion, "token": "x"}
    return (await service.http.post("/oauth/v2/revoke", data=form)).status_code


TIMES: list[tuple[Callable[[int, int], dict[str, int]], bool]] = [
    (lambda now, skew: {"iat": now - 60, "exp": now - skew + 1}, True),
    (lambda now, skew: {"iat": now - 60, "exp": now - skew}, False),
    (lambda now, skew: {"iat": now + 10 + skew}, True),
    (lambda now, skew: {"iat": now + 11 + skew}, False),
    (lambda now, skew: {"nbf": now + 10 + skew}, True),
    (lambda now, skew: {"nbf": now + 11 + skew}, False),
    (lambda now, skew: {"iat": now - 3600 - skew, "exp": now - skew + 1}, False),
    (lambda now, skew: {"iat": now - 3600 - skew + 1, "exp": now - skew + 1}, True),
]


async def test_assertion_times_are_extended_by_the_skew(token_service: TokenService) -> None:
    """Every limit is extended by the registered skew and no more (JW-12)."""
    for (times, good), skew in product(TIMES, (0, 5)):
        keys = (registered(KEY),)
        token_service.register("signer", AuthMethod.PRIVATE_KEY_JWT, keys=keys, clock_skew_seconds=skew)
        await token_service.publish_app_changed()
        now = int(token_service.clock.now())
        status = await present(token_service, sign(KEY, claims_of("signer", ISSUER, now, **times(now, skew))))

        assert (status == 200) is good, (times(0, skew), skew)


class Listening(MemoryAssertions):
    """Records the expiry of each marker."""

    seconds = 0

    async def claim(self, assertion: Assertion, seconds: int, now: float) -> ClaimResult:
        self.seconds = seconds
        return await super().claim(assertion, seconds, now)


@pytest.mark.parametrize("skew", [0, 5])
async def test_used_assertion_is_stored_while_valid(clock: FrozenClock, skew: int) -> None:
    """The marker is stored until every replica, with any permitted clock, refuses the assertion (JW-10)."""
    store = Listening(clock)
    now = int(clock.now())
    assertion = sign(KEY, claims_of("signer", ISSUER, now, exp=now + 60))
    await Assertions(store, clock).accept(assertion, Expected("signer", (registered(KEY),), {ISSUER}, skew))

    assert store.seconds == 60 + CLOCK_LEEWAY + skew


async def test_service_user_has_no_clock_skew(token_service: TokenService) -> None:
    token_service.register_service_user("robot", keys=(registered(KEY),))
    now = int(token_service.clock.now())
    late = await token_service.jwt_bearer(sign(KEY, claims_of("robot", ISSUER, now, iat=now - 60, exp=now - 1)))

    assert (late.status_code, late.json()["error"]) == (400, "invalid_grant")
