from __future__ import annotations

import pytest
from portico_contracts import http
from portico_contracts.login_logout import Logout
from portico_contracts.subjects import decode
from portico_contracts.token import REVOKE_SESSION
from portico_fakes.authz_logouts import (
    GOODBYE,
    logout_in,
    sign_in,
    with_goodbyes,
)
from portico_fakes.authz_service import AuthzService, FakeBrowser
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return with_goodbyes(AuthzService(clock, bus))


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def test_confirmation_ends_all_sessions_of_the_browser(authz: AuthzService, browser: FakeBrowser) -> None:
    """The page names client and accounts, and the browser is redirected to the application afterwards."""
    await sign_in(authz, browser, "ada")
    await sign_in(authz, browser, "bob")
    id = logout_in(
        await browser.end_session(client_id="web", post_logout_redirect_uri=GOODBYE, state="s-1", ui_locales="de en")
    )
    shown = await browser.get_logout(id)
    response = await browser.confirm_logout(id, shown.csrf)
    done = decode(response.content, Logout)

    assert (shown.done, shown.client_name, shown.return_uri) == (False, "Demo shop", GOODBYE)
    assert [account.login_name for account in shown.accounts] == ["bob", "ada"]
    assert shown.ui_locales == ("de", "en")
    assert (done.done, done.continue_to, done.return_uri) == (True, f"{GOODBYE}?state=s-1", GOODBYE)
    assert len(authz.peers.revoked) == 2
    assert browser.handle == ""


async def test_confirmation_without_redirect_uri_shows_signed_out(authz: AuthzService, browser: FakeBrowser) -> None:
    """Without a redirect URI the browser stays on the signed-out page (oidcc-rp-initiated-logout-no-params)."""
    await sign_in(authz, browser)
    id = logout_in(await browser.end_session())
    done = decode((await browser.confirm_logout(id, (await browser.get_logout(id)).csrf)).content, Logout)

    assert (done.continue_to, done.return_uri) == (http.LOGGED_OUT, "")


async def test_confirmation_needs_its_csrf_value_once(authz: AuthzService, browser: FakeBrowser) -> None:
    """A missing, invented, foreign or used value gets 403 and ends nothing (LG-14)."""
    await sign_in(authz, browser)
    id, other = logout_in(await browser.end_session()), logout_in(await browser.end_session())
    shown, foreign = await browser.get_logout(id), await browser.get_logout(other)
    for csrf in ("", "x", foreign.csrf):
        refused = await browser.confirm_logout(id, csrf)
        assert (refused.status_code, refused.json()["details"][0]["id"]) == (403, "LOGIN-005")

    assert authz.peers.revoked == []
    assert (await browser.get_logout(id)).csrf == shown.csrf
    assert (await browser.confirm_logout(id, shown.csrf)).status_code == 200
    assert len(authz.peers.revoked) == 1


async def test_csrf_value_before_any_page_is_refused(authz: AuthzService, browser: FakeBrowser) -> None:
    await sign_in(authz, browser)

    assert (await browser.confirm_logout(logout_in(await browser.end_session()), "")).status_code == 403


async def test_confirmation_is_bound_to_its_browser(authz: AuthzService, browser: FakeBrowser) -> None:
    """Another browser, signed in or not, neither sees nor confirms it (P3)."""
    await sign_in(authz, browser)
    id = logout_in(await browser.end_session())
    shown = await browser.get_logout(id)
    stranger = authz.browser()
    await sign_in(authz, stranger, "bob")

    for refused in (await stranger.ask_logout_raw(id), await stranger.confirm_logout(id, shown.csrf)):
        assert (refused.status_code, refused.json()["details"][0]["id"]) == (403, "AUTHZ-056")
    stranger.handle = ""
    assert (await stranger.confirm_logout(id, shown.csrf)).status_code == 404
    assert authz.peers.revoked == []


@pytest.mark.parametrize("id", ["x", "00" + "A" * 43, "%00", "a" * 3000])
async def test_unknown_confirmation_is_refused(authz: AuthzService, browser: FakeBrowser, id: str) -> None:
    await sign_in(authz, browser)

    assert (await browser.ask_logout_raw(id)).json()["details"][0]["id"] == "AUTHZ-055"


async def test_sessions_ended_meanwhile_need_no_confirmation(authz: AuthzService, browser: FakeBrowser) -> None:
    hint = await sign_in(authz, browser)
    await sign_in(authz, browser, "bob")
    record = await authz.stores.browsers.find(browser.handle)
    id = logout_in(await browser.end_session(client_id="web", post_logout_redirect_uri=GOODBYE))
    assert record is not None
    for sid in record.session_ids:
        await authz.stores.sessions.end(sid, 60)
        session = await authz.stores.sessions.find(sid)
        assert session is not None
        await authz.stores.logout_queue.set_revoked(session)
    shown = await browser.get_logout(id)

    assert hint
    assert (shown.done, shown.continue_to) == (True, GOODBYE)


async def test_deregistered_uri_is_not_redirected_to(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """The URI is verified again before it is used (P3)."""
    await sign_in(authz, browser)
    id = logout_in(await browser.end_session(client_id="web", post_logout_redirect_uri=GOODBYE))
    shown = await browser.get_logout(id)
    authz.peers.register("web", post_logout_redirect_uris=())
    clock.tick(1)
    refused = await browser.confirm_logout(id, shown.csrf)

    assert refused.json()["details"][0]["id"] == "AUTHZ-054"


async def test_without_token_a_confirmation_may_be_resubmitted(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus
) -> None:
    await sign_in(authz, browser)
    id = logout_in(await browser.end_session())
    shown = await browser.get_logout(id)
    bus.silent.add(REVOKE_SESSION.subject)
    away = await browser.confirm_logout(id, shown.csrf)
    bus.silent.clear()

    assert away.status_code == 503
    assert (await browser.confirm_logout(id, shown.csrf)).status_code == 200
    assert len(authz.peers.revoked) == 1
