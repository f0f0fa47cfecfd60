from __future__ import annotations

import pytest
from portico_contracts import http
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


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return with_goodbyes(AuthzService(clock, bus))


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def test_hint_of_own_session_ends_it_at_once(authz: AuthzService, browser: FakeBrowser) -> None:
    """Without confirmation, tokens are inactive before the response, the cookie is cleared, and state is
    unchanged (IR-08, IR-13, IR-14).
    """
    hint = await sign_in(authz, browser)
    handle = browser.handle
    response = await browser.end_session(id_token_hint=hint, post_logout_redirect_uri=GOODBYE, state=STATE)

    assert response.status_code == 302
    assert response.headers["location"] == f"{GOODBYE}?state={STATE}"
    assert response.headers["cache-control"] == "no-store"
    assert "Max-Age=0" in response.headers["set-cookie"]
    assert len(authz.peers.revoked) == 1
    browser.handle = handle
    assert Landing(await browser.authorize(prompt="none")).query["error"] == "login_required"


async def test_signed_out_page_without_redirect_uri(authz: AuthzService, browser: FakeBrowser) -> None:
    hint = await sign_in(authz, browser)
    response = await browser.end_session(id_token_hint=hint)

    assert response.headers["location"] == http.LOGGED_OUT


async def test_registered_query_is_retained(authz: AuthzService, browser: FakeBrowser) -> None:
    hint = await sign_in(authz, browser)
    response = await browser.end_session(
        id_token_hint=hint, post_logout_redirect_uri=f"{GOODBYE}?keep=1", state="a b&c"
    )

    assert response.headers["location"] == f"{GOODBYE}?keep=1&state=a%20b%26c"


async def test_hint_ends_its_own_session_only(authz: AuthzService, browser: FakeBrowser) -> None:
    """The other account of this browser stays signed in, and the cookie remains."""
    adas = await sign_in(authz, browser, "ada")
    await sign_in(authz, browser, "bob")
    response = await browser.end_session(id_token_hint=adas)

    assert response.headers["location"] == http.LOGGED_OUT
    assert "set-cookie" not in response.headers
    assert [asked.user_id for asked in authz.peers.revoked] == [ADA.user_id]
    assert await count_accounts(browser) == 1


async def test_logout_without_hint_needs_confirmation(authz: AuthzService, browser: FakeBrowser) -> None:
    """A link or form of another site ends no session (IR-13)."""
    await sign_in(authz, browser)
    for parameters in ({}, {"client_id": "web"}, {"state": "x"}, {"logout_hint": "ada"}):
        logout_in(await browser.end_session(**parameters))

    assert authz.peers.revoked == []
    assert await count_accounts(browser) == 1


@pytest.mark.parametrize("claims", [{"sid": "00" + "A" * 43}, {"sid": None}, {"sub": "u-bob"}, {"sid": 7}])
async def test_hint_of_another_session_needs_confirmation(
    authz: AuthzService, browser: FakeBrowser, claims: dict[str, object]
) -> None:
    """Only a hint of a session of this browser replaces the confirmation (IR-13)."""
    await sign_in(authz, browser)
    record = await authz.stores.browsers.find(browser.handle)
    assert record is not None
    hint = hint_of(authz, **{"sid": record.session_ids[0], **claims})

    assert logout_in(await browser.end_session(id_token_hint=hint))
    assert authz.peers.revoked == []


async def test_hint_of_another_browsers_session_needs_confirmation(authz: AuthzService, browser: FakeBrowser) -> None:
    """With any cookie, a hint of another browser's session ends nothing without confirmation (P3)."""
    hint = await sign_in(authz, browser)
    thief = authz.browser()
    thief.handle = "00" + "A" * 43
    without = await thief.end_session(id_token_hint=hint)
    await sign_in(authz, thief, "bob")

    assert without.headers["location"] == http.LOGGED_OUT
    assert logout_in(await thief.end_session(id_token_hint=hint))
    assert authz.peers.revoked == []
    assert await count_accounts(browser) == 1


@pytest.mark.parametrize("handle", ["", "x", "00" + "A" * 43])
async def test_no_confirmation_without_sessions(authz: AuthzService, browser: FakeBrowser, handle: str) -> None:
    """A second logout is harmless and has the same redirect as the first (IR-14)."""
    browser.handle = handle
    plain = await browser.end_session()
    browser.handle = handle
    onward = await browser.end_session(client_id="web", post_logout_redirect_uri=GOODBYE)

    assert (plain.status_code, plain.headers["location"]) == (302, http.LOGGED_OUT)
    assert onward.headers["location"] == GOODBYE
    assert ("set-cookie" in plain.headers) == bool(handle)


async def test_expired_sessions_need_no_confirmation(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    await sign_in(authz, browser)
    clock.tick(86_400)
    response = await browser.end_session()

    assert response.headers["location"] == http.LOGGED_OUT
    assert "Max-Age=0" in response.headers["set-cookie"]


async def test_login_in_progress_is_not_aborted(authz: AuthzService, browser: FakeBrowser) -> None:
    """Without a signed-in user another site cannot delete this browser's handle."""
    id = await browser.begin()
    response = await browser.end_session()

    assert "set-cookie" not in response.headers
    assert "code" in Landing(await browser.get((await browser.log_in(id)).continue_to)).query


async def test_confirmation_can_be_disabled(clock: FrozenClock, bus: MemoryBus) -> None:
    """The setting logoutConfirm=never ends all sessions at once."""
    authz = AuthzService(clock, bus, logout_confirm="never")
    browser = authz.browser()
    await sign_in(authz, browser, "ada")
    await sign_in(authz, browser, "bob")
    response = await browser.end_session()

    assert (response.status_code, response.headers["location"]) == (302, http.LOGGED_OUT)
    assert len(authz.peers.revoked) == 2


async def test_hint_by_a_retired_key_signs_out(authz: AuthzService, browser: FakeBrowser) -> None:
    """A key that left the key set is retained to verify hints."""
    hint = await sign_in(authz, browser)
    authz.peers.rotate_key("kid-2", keep=True)
    response = await browser.end_session(id_token_hint=hint, post_logout_redirect_uri=GOODBYE, state=STATE)

    assert (response.status_code, response.headers["location"]) == (302, f"{GOODBYE}?state={STATE}")
    assert len(authz.peers.revoked) == 1


async def test_hint_by_an_unknown_key_needs_confirmation(authz: AuthzService, browser: FakeBrowser) -> None:
    """The hint names neither a session nor a client, and a redirect needs client_id (IR-13)."""
    hint = await sign_in(authz, browser)
    authz.peers.rotate_key("kid-2", keep=False)
    to = {"id_token_hint": hint, "post_logout_redirect_uri": GOODBYE, "state": STATE}
    alone = await authz.stores.logouts.find(logout_in(await browser.end_session(**to)))
    named = await authz.stores.logouts.find(logout_in(await browser.end_session(**to, client_id="web")))

    assert alone is not None
    assert named is not None
    assert (alone.client_id, alone.post_logout_redirect_uri, alone.stays) == ("", "", True)
    assert (named.client_id, named.post_logout_redirect_uri) == ("web", GOODBYE)
    assert authz.peers.revoked == []


async def test_unknown_and_empty_parameters_are_ignored(authz: AuthzService, browser: FakeBrowser) -> None:
    hint = await sign_in(authz, browser)
    response = await browser.end_session(
        id_token_hint=hint,
        post_logout_redirect_uri=GOODBYE,
        state="",
        client_id="",
        extra="1",
        redirect_uri="https://x",
    )

    assert response.headers["location"] == GOODBYE


async def test_post_redirects_to_a_get_with_the_cookie(authz: AuthzService, browser: FakeBrowser) -> None:
    """A cross-site POST has no SameSite=Lax cookie, and the redirect contains none of its parameters."""
    hint = await sign_in(authz, browser)
    form = {"id_token_hint": hint, "post_logout_redirect_uri": GOODBYE, "state": STATE}
    posted = await browser.post(http.END_SESSION, form)
    response = await browser.get(posted.headers["location"])

    assert posted.status_code == 303
    assert posted.headers["location"].startswith(f"{http.END_SESSION}?portico_posted=")
    assert hint not in posted.headers["location"]
    assert response.headers["location"] == f"{GOODBYE}?state={STATE}"
    assert len(authz.peers.revoked) == 1


async def test_post_without_hint_needs_confirmation(authz: AuthzService, browser: FakeBrowser) -> None:
    """GET and POST follow the same rule (IR-13)."""
    await sign_in(authz, browser)
    posted = await browser.post(http.END_SESSION, {"state": "x"})

    assert logout_in(await browser.get(posted.headers["location"]))


async def test_without_token_logout_is_503_and_can_be_retried(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus
) -> None:
    """No page confirms the logout while a token may be active (IR-05, IR-08)."""
    hint = await sign_in(authz, browser)
    bus.silent.add(REVOKE_SESSION.subject)
    away = await browser.end_session(id_token_hint=hint, post_logout_redirect_uri=GOODBYE)
    signed_in = Landing(await browser.authorize(prompt="none"))
    bus.silent.clear()
    back = await browser.end_session(id_token_hint=hint, post_logout_redirect_uri=GOODBYE)

    assert_error_page(away, "PORT-004", 503)
    assert away.headers["retry-after"]
    assert signed_in.query["error"] == "login_required"
    assert back.headers["location"] == GOODBYE
    assert len(authz.peers.revoked) == 1


async def test_no_code_for_an_ended_session(authz: AuthzService, browser: FakeBrowser) -> None:
    """Signing out in one tab prevents the code that another tab was about to get (IR-14)."""
    hint = await sign_in(authz, browser)
    await sign_in(authz, browser, "bob")
    id = await browser.begin()
    shown = await browser.ask(id)
    ada = next(account for account in shown.accounts if account.login_name == ADA.user_name)
    done = await browser.answer(id, shown, account=ada.id)
    await browser.end_session(id_token_hint=hint)

    assert (await browser.get(done.continue_to)).headers["location"].startswith(http.LOGIN)
