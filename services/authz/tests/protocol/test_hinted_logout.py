"""end_session without a cookie: a relying party's server signs its user out by an id_token_hint alone."""

from __future__ import annotations

import httpx
import pytest
from portico_contracts import events, http
from portico_contracts.token import REVOKE_SESSION
from portico_fakes.authz_logouts import (
    GOODBYE,
    STATE,
    assert_error_page,
    count_accounts,
    hint_of,
    logout_in,
    sign_in,
    with_goodbyes,
)
from portico_fakes.authz_service import ADA, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

OTHERS = "https://other.example.test/bc"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return with_goodbyes(AuthzService(clock, bus))


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def ask_as_server(authz: AuthzService, method: str, **parameters: str) -> httpx.Response:
    """Calls end_session without a cookie; follows the redirect of a stored POST."""
    server = authz.browser()
    if method == "GET":
        return await server.end_session(**parameters)
    posted = await server.post(http.END_SESSION, parameters)
    assert posted.status_code == 303
    return await server.get(posted.headers["location"])


def headers_of(response: httpx.Response) -> dict[str, str]:
    """Returns the headers that do not vary between responses."""
    return {name: value for name, value in response.headers.items() if name != "x-request-id"}


def ended_sessions(bus: MemoryBus) -> list[tuple[str, str]]:
    """Returns user and client of every published session end."""
    bodies = [body for subject, body in bus.published if subject == events.SESSION_ENDED.subject]
    return [(body.user_id, body.client_id) for body in bodies]


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_server_ends_the_session_of_its_hint(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock, method: str
) -> None:
    """With an expired hint too, tokens are inactive before the response, and other clients and the event follow."""
    authz.peers.register("other", back_channel_logout_uri=OTHERS)
    hint = await sign_in(authz, browser)
    await browser.authorize(client_id="other")
    response = await ask_as_server(
        authz, method, id_token_hint=hint, post_logout_redirect_uri=GOODBYE, state=STATE, client_id="web"
    )
    revoked = [asked.user_id for asked in authz.peers.revoked]
    clock.tick(1)
    await authz.back_channel.run_due()

    assert (response.status_code, response.headers["location"]) == (302, f"{GOODBYE}?state={STATE}")
    assert "set-cookie" not in response.headers
    assert revoked == [ADA.user_id]
    assert ended_sessions(bus) == [(ADA.user_id, "web")]
    assert OTHERS in [url for url, _ in authz.posts.sent]
    assert Landing(await browser.authorize(prompt="none")).query["error"] == "login_required"


async def test_server_ends_no_other_session(authz: AuthzService, browser: FakeBrowser) -> None:
    elsewhere = authz.browser()
    await sign_in(authz, elsewhere)
    hint = await sign_in(authz, browser)
    await sign_in(authz, browser, "bob")
    await ask_as_server(authz, "GET", id_token_hint=hint)

    assert len(authz.peers.revoked) == 1
    assert await count_accounts(browser) == await count_accounts(elsewhere) == 1


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("client", ["switched off", "not active"])
async def test_client_without_hinted_logout_ends_nothing(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock, client: str, method: str
) -> None:
    """With ``hintedLogout: false``, or for an inactive application, the session stays alive."""
    hint = await sign_in(authz, browser)
    if client == "switched off":
        authz.peers.register("web", post_logout_redirect_uris=(GOODBYE,), hinted_logout=False)
    else:
        del authz.peers.clients["web"]
    clock.tick(2)  # clients are read from a cache for a second
    response = await ask_as_server(authz, method, id_token_hint=hint)

    assert (response.status_code, response.headers["location"]) == (302, http.LOGGED_OUT)
    assert authz.peers.revoked == []


@pytest.mark.parametrize(
    "claims", [{"sub": "u-bob"}, {"sid": "00" + "A" * 43}, {"sid": None}, {"azp": None}, {"sid": 7}]
)
async def test_hint_must_name_a_live_session_of_its_user(
    authz: AuthzService, browser: FakeBrowser, claims: dict[str, object]
) -> None:
    """If sid, sub and azp do not belong together nothing ends, and the response is the same (P9)."""
    await sign_in(authz, browser)
    record = await authz.stores.browsers.find(browser.handle)
    assert record is not None
    named = {"sid": record.session_ids[0]}
    nothing = await ask_as_server(authz, "GET", id_token_hint=hint_of(authz, **{**named, **claims}))
    before = list(authz.peers.revoked)
    ended = await ask_as_server(authz, "GET", id_token_hint=hint_of(authz, **named))

    assert before == []
    assert len(authz.peers.revoked) == 1
    assert (nothing.status_code, nothing.text) == (ended.status_code, ended.text) == (302, "")
    assert headers_of(nothing) == headers_of(ended)


async def test_repeated_hinted_logout_gets_the_same_response(authz: AuthzService, browser: FakeBrowser) -> None:
    """The response does not reveal whether the session was live (P9)."""
    hint = await sign_in(authz, browser)
    first = await ask_as_server(authz, "GET", id_token_hint=hint, post_logout_redirect_uri=GOODBYE)
    second = await ask_as_server(authz, "GET", id_token_hint=hint, post_logout_redirect_uri=GOODBYE)

    assert (first.status_code, headers_of(first)) == (second.status_code, headers_of(second))
    assert len(authz.peers.revoked) == 1


async def test_expired_session_is_not_ended(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """Grants with offline_access of an expired session stay active."""
    hint = await sign_in(authz, browser)
    clock.tick(86_400)
    response = await ask_as_server(authz, "GET", id_token_hint=hint)

    assert response.headers["location"] == http.LOGGED_OUT
    assert authz.peers.revoked == []


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_forged_hint_gets_a_page(authz: AuthzService, method: str) -> None:
    server = authz.browser()
    parameters = {"id_token_hint": "e30.e30.e30", "post_logout_redirect_uri": GOODBYE}
    answer = await (server.end_session(**parameters) if method == "GET" else server.post(http.END_SESSION, parameters))

    assert_error_page(answer, "AUTHZ-050")


async def test_any_cookie_selects_the_rules_for_browsers(authz: AuthzService, browser: FakeBrowser) -> None:
    """With any cookie, valid or not, a hint of another browser's session ends nothing (IR-13)."""
    hint = await sign_in(authz, browser)
    other = authz.browser()
    other.handle = "00" + "A" * 43
    await other.end_session(id_token_hint=hint)
    await sign_in(authz, other, "bob")
    asked = await other.end_session(id_token_hint=hint)

    assert logout_in(asked)
    assert authz.peers.revoked == []


async def test_cross_site_post_needs_confirmation(authz: AuthzService, browser: FakeBrowser) -> None:
    """The POST arrives without the cookie and is stored, and its GET has the cookie and needs confirmation (IR-13)."""
    foreign = await sign_in(authz, authz.browser(), "bob")
    await sign_in(authz, browser)
    for form in ({"state": "x"}, {"id_token_hint": foreign}):
        posted = await browser.post(http.END_SESSION, form)
        assert logout_in(await browser.get(posted.headers["location"]))

    assert authz.peers.revoked == []
    assert await count_accounts(browser) == 1


async def test_server_gets_503_while_tokens_may_be_active(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus
) -> None:
    """Without the token service the response is 503, and a retry ends the remaining sessions (IR-08)."""
    hint = await sign_in(authz, browser)
    bus.silent.add(REVOKE_SESSION.subject)
    away = await ask_as_server(authz, "GET", id_token_hint=hint)
    bus.silent.clear()
    back = await ask_as_server(authz, "GET", id_token_hint=hint)

    assert_error_page(away, "PORT-004", 503)
    assert back.headers["location"] == http.LOGGED_OUT
    assert len(authz.peers.revoked) == 1
