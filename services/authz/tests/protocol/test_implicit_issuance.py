from __future__ import annotations

import re
from itertools import product

import pytest
from portico_contracts import http
from portico_contracts.token import ISSUE_IMPLICIT_TOKENS
from portico_fakes.authz_service import ADA, CALLBACK, ISSUER, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_harness.rows import row
from portico_oauth.opaque import bucket_of

TYPES = ("code", "id_token", "id_token token")
ID_TOKEN = {"id_token", "state", "iss"}
BOTH = {"access_token", "token_type", "expires_in", "scope", *ID_TOKEN}


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    service = AuthzService(clock, bus)
    service.peers.register("spa", response_types=TYPES, grant_types=("authorization_code", "refresh_token", "implicit"))
    return service


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


def spa(response_type: str, **more: str | None) -> dict[str, str | None]:
    return {"client_id": "spa", "response_type": response_type, "nonce": "n-1", **more}


async def test_id_token_type_returns_only_an_id_token(authz: AuthzService, browser: FakeBrowser) -> None:
    """An access token is neither returned nor requested from token (AZ-13)."""
    landing = await browser.sign_in("ada", **spa("id_token"))

    assert landing.response.status_code == 303
    assert landing.response.headers["cache-control"] == "no-store"
    assert landing.query == {}
    assert set(landing.fragment) == ID_TOKEN
    assert (landing.fragment["state"], landing.fragment["iss"]) == ("st-1", ISSUER)
    assert [asked.with_access_token for asked in authz.peers.issued] == [False]


@pytest.mark.parametrize("response_type", ["id_token token", "token id_token"])
async def test_id_token_token_type_returns_both(browser: FakeBrowser, response_type: str) -> None:
    """The order of the words does not matter (AZ-13, OIDC Core §3.2.2.5)."""
    landing = await browser.sign_in("ada", **spa(response_type, scope="openid email"))

    assert set(landing.fragment) == BOTH
    assert landing.fragment["token_type"] == "Bearer"
    assert landing.fragment["expires_in"] == "3600"
    assert landing.fragment["scope"] == "openid email"


async def test_grant_records_request_and_authentication(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """The grant has the exact nonce, the requested auth_time and ids in the user's bucket (AZ-12, AZ-14)."""
    await browser.sign_in("ada", **spa("id_token", nonce='n/"\u00fc+ ', max_age="60"))
    [asked] = authz.peers.issued

    assert (asked.grant.client_id, asked.grant.user_id, asked.grant.nonce) == ("spa", ADA.user_id, 'n/"\u00fc+ ')
    assert (asked.grant.amr, asked.grant.auth_time) == (("pwd",), int(clock.now()))
    assert {asked.grant.grant_id[:2], asked.grant.session_id[:2]} == {bucket_of(ADA.user_id)}


async def test_offline_access_is_dropped_without_a_code(authz: AuthzService, browser: FakeBrowser) -> None:
    """The scope offline_access is ignored unless a code is issued (OIDC Core §11)."""
    await browser.sign_in("ada", **spa("id_token token", scope="openid offline_access"))

    assert authz.peers.issued[0].grant.scope == ("openid",)


@pytest.mark.parametrize("response_type", ["id_token", "id_token token"])
async def test_session_answers_without_a_page(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock, response_type: str
) -> None:
    """Silent renewal extends the idle time and issues another grant each time."""
    await browser.sign_in()
    for _ in range(3):
        clock.tick(80_000)
        assert "id_token" in Landing(await browser.authorize(**spa(response_type, prompt="none"))).fragment

    assert len({asked.grant.grant_id for asked in authz.peers.issued}) == 3


async def test_nonce_is_required_for_an_id_token(browser: FakeBrowser) -> None:
    """A missing nonce is reported in the response mode of the successful response (AZ-12)."""
    for response_type, mode in product(("id_token", "id_token token"), (None, "fragment", "form_post")):
        with row(response_type, mode):
            response = await browser.authorize(**spa(response_type, nonce=None, response_mode=mode))

            if mode == "form_post":
                assert 'name="error" value="invalid_request"' in response.text
            else:
                assert Landing(response).fragment["error"] == "invalid_request"


@pytest.mark.parametrize("response_type", ["id_token", "id_token token"])
async def test_tokens_are_never_sent_in_the_query(browser: FakeBrowser, response_type: str) -> None:
    """Response mode query is refused, in the fragment (OAuth Multiple Response Types §2.1)."""
    await browser.sign_in()
    landing = Landing(await browser.authorize(**spa(response_type, response_mode="query")))

    assert landing.query == {}
    assert landing.fragment["error"] == "invalid_request"


async def test_form_post_carries_tokens(browser: FakeBrowser) -> None:
    await browser.sign_in()
    posted = await browser.authorize(**spa("id_token token", response_mode="form_post"))

    assert set(re.findall(r'name="([^"]+)"', posted.text)) - {"viewport"} == BOTH
    assert f'action="{CALLBACK}"' in posted.text


@pytest.mark.parametrize(
    "fields",
    [
        {"response_types": ("code",), "grant_types": ("authorization_code", "implicit")},
        {"response_types": TYPES, "grant_types": ("authorization_code",)},
        {"response_types": ("code", "id_token"), "grant_types": ("implicit",), "asked": "id_token token"},
    ],
)
async def test_implicit_must_be_enabled_for_the_client(
    authz: AuthzService, browser: FakeBrowser, fields: dict[str, tuple[str, ...]]
) -> None:
    """The error is unauthorized_client unless the application enables implicit."""
    asked = str(fields.pop("asked", "id_token"))
    authz.peers.register("spa", **fields)
    landing = Landing(await browser.authorize(**spa(asked)))

    assert landing.query == {}
    assert landing.fragment["error"] == "unauthorized_client"


async def test_other_response_types_are_unsupported(browser: FakeBrowser) -> None:
    """Exactly three response types are supported (AZ-13)."""
    for response_type in ("token", "code token", "code id_token", "ID_TOKEN", "none"):
        with row(response_type):
            response = await browser.authorize(**spa(response_type))

            assert "error=unsupported_response_type" in response.headers["location"]


async def test_without_token_the_page_can_be_reloaded(browser: FakeBrowser, bus: MemoryBus) -> None:
    """A 503 consumes nothing of the request (P2)."""
    await browser.sign_in()
    bus.silent.add(ISSUE_IMPLICIT_TOKENS.subject)
    away = await browser.authorize(**spa("id_token"))
    bus.silent.clear()

    assert (away.status_code, away.headers["retry-after"]) == (503, "1")
    assert "id_token" in Landing(await browser.authorize(**spa("id_token"))).fragment


async def test_without_token_after_login_the_error_is_redirected(browser: FakeBrowser, bus: MemoryBus) -> None:
    """The request is consumed before issuance, so a reload would not find it (P1, P2)."""
    done = await browser.log_in(await browser.begin(**spa("id_token")))
    bus.silent.add(ISSUE_IMPLICIT_TOKENS.subject)
    landing = Landing(await browser.get(done.continue_to))
    bus.silent.clear()

    assert landing.fragment["error"] == "server_error"
    assert (await browser.get(done.continue_to)).status_code == 404
    assert "id_token" in Landing(await browser.authorize(**spa("id_token"))).fragment


async def test_ended_session_issues_no_tokens(authz: AuthzService, browser: FakeBrowser) -> None:
    """The session is read and extended in one step before tokens are requested (P3)."""
    await browser.sign_in()
    record = await authz.stores.browsers.find(browser.handle)
    assert record is not None
    await authz.stores.sessions.end(record.session_ids[0], 60)
    landing = Landing(await browser.authorize(**spa("id_token", prompt="none")))

    assert landing.fragment["error"] == "login_required"
    assert authz.peers.issued == []
    assert (await browser.authorize(**spa("id_token"))).headers["location"].startswith(http.LOGIN)
