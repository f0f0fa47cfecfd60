from __future__ import annotations

import re

import pytest
from portico_contracts.authz import REDEEM_CODE, CodeGrant, RedeemCode
from portico_fakes.authz_service import (
    ADA,
    CALLBACK,
    ISSUER,
    PASSWORD,
    AuthzService,
    FakeBrowser,
    Landing,
)
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.opaque import bucket_of

OPAQUE = re.compile(r"[0-9a-f]{2}[A-Za-z0-9_-]{43}\Z")


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def redeem(bus: MemoryBus, landing: Landing) -> CodeGrant:
    code = landing.query["code"]
    grant = (await bus.call(REDEEM_CODE, RedeemCode(code=code, client_id="web", redirect_uri=CALLBACK))).grant
    assert grant is not None
    return grant


async def test_sign_in_returns_code_state_and_iss(browser: FakeBrowser) -> None:
    """The response is a 303 with exactly code, state and iss (AZ-15, AZ-16, OIDC Core §3.1.2.5)."""
    landing = await browser.sign_in()

    assert landing.response.status_code == 303
    assert landing.response.headers["cache-control"] == "no-store"
    assert set(landing.query) == {"code", "state", "iss"}
    assert landing.query["state"] == "st-1"
    assert landing.query["iss"] == ISSUER
    assert OPAQUE.match(landing.query["code"])


async def test_grant_records_request_and_authentication(
    browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock
) -> None:
    """The grant has user, client, scope, dropped scopes, nonce, amr, acr and ids in the user's bucket."""
    landing = await browser.sign_in(scope="openid email offline_access nope", nonce="n-1", max_age="60")
    grant = await redeem(bus, landing)

    assert (grant.client_id, grant.user_id) == ("web", ADA.user_id)
    assert (grant.scope, grant.dropped_scope) == (("openid", "email"), ("offline_access", "nope"))
    assert (grant.nonce, grant.amr, grant.acr) == ("n-1", ("pwd",), "urn:portico:acr:pwd")
    assert grant.auth_time == int(clock.now())
    bucket = bucket_of(ADA.user_id)
    assert {grant.grant_id[:2], grant.session_id[:2], landing.query["code"][:2]} == {bucket}


async def test_offline_access_needs_a_refreshing_client(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus
) -> None:
    """Otherwise the scope is dropped, which the scope of the response shows."""
    authz.peers.register("web", grant_types=("authorization_code", "refresh_token"))
    grant = await redeem(bus, await browser.sign_in(scope="openid offline_access", prompt="consent"))

    assert grant.scope == ("openid", "offline_access")


async def test_claims_parameter_reaches_the_grant(browser: FakeBrowser, bus: MemoryBus) -> None:
    """Supported claims are stored (OIDC Core §5.5)."""
    claims = '{"userinfo": {"name": {"essential": true}}, "id_token": {"auth_time": null}, "x": 1}'
    grant = await redeem(bus, await browser.sign_in(claims=claims))

    assert grant.claims == '{"userinfo":{"name":{"essential":true}},"id_token":{"auth_time":null}}'


async def test_fragment_and_form_post_carry_the_response(browser: FakeBrowser) -> None:
    """In these modes the application may redirect further and message its opener."""
    fragment = await browser.sign_in(response_mode="fragment")
    posted = await browser.authorize(response_mode="form_post")

    assert set(fragment.fragment) == {"code", "state", "iss"}
    assert fragment.query == {}
    assert posted.status_code == 200
    assert re.search(r'name="code" value="[0-9a-f]{2}[\w-]{43}"', posted.text)
    assert "form-action" not in posted.headers["content-security-policy"]
    assert "cross-origin-opener-policy" not in posted.headers
    assert posted.headers["cache-control"] == "no-store"


async def test_cookie_is_hardened(browser: FakeBrowser) -> None:
    """The cookie has __Host-, Secure, HttpOnly, SameSite=Lax and Path=/, without Domain (LG-13)."""
    header = (await browser.authorize()).headers["set-cookie"]

    assert header.startswith("__Host-portico-ua-")
    assert {"Path=/", "HttpOnly", "SameSite=Lax", "Secure"} <= set(header.split("; "))
    assert "domain" not in header.lower()


async def test_handle_rotates_at_every_authentication(authz: AuthzService, browser: FakeBrowser) -> None:
    """A handle set before the sign-in is invalid after it (LG-11)."""
    id = await browser.begin()
    planted = browser.handle
    await browser.log_in(id)
    first = browser.handle
    thief = authz.browser()
    thief.handle = planted
    await browser.sign_in(prompt="login")

    assert len({planted, first, browser.handle}) == 3
    assert Landing(await thief.authorize(prompt="none")).query["error"] == "login_required"
    thief.handle = first
    assert Landing(await thief.authorize(prompt="none")).query["error"] == "login_required"


async def test_unknown_handle_is_replaced(browser: FakeBrowser) -> None:
    """An unknown handle of a browser is never adopted (LG-11)."""
    browser.handle = "00" + "A" * 43
    await browser.begin()

    assert browser.handle != "00" + "A" * 43


async def test_prompt_none_without_session_stores_nothing(browser: FakeBrowser) -> None:
    """No request is stored and no cookie is set."""
    response = await browser.authorize(prompt="none")

    assert "set-cookie" not in response.headers


async def test_password_reaches_users_unchanged(authz: AuthzService, browser: FakeBrowser) -> None:
    await browser.sign_in()

    assert authz.peers.attempts[-1].password == PASSWORD
    assert PASSWORD not in str(vars(authz.stores.requests))
