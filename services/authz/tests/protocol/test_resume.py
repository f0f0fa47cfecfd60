from __future__ import annotations

import re

import pytest
from msgspec.structs import replace
from portico_authz.domain.submission import RETRY_WINDOW_SECONDS
from portico_contracts import http
from portico_contracts.authz import END_SESSIONS, REDEEM_CODE, EndSessions, RedeemCode
from portico_contracts.events import APP_CHANGED, Changed
from portico_contracts.step_names import StepName
from portico_fakes.authz_service import (
    ADA,
    CALLBACK,
    PASSWORD,
    WEB,
    AuthzService,
    FakeBrowser,
    Landing,
    authorize_parameters,
)
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_authz import MemoryCodes
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import ServiceError

OPAQUE = re.compile(r"[0-9a-f]{2}[A-Za-z0-9_-]{43}\Z")


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def test_deactivated_user_gets_no_response(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """Between the last page and the response a deactivation is detected, without an event a second later (P3)."""
    done = await browser.log_in(await browser.begin())
    del authz.peers.people[ADA.user_id]
    clock.tick(1)
    response = await browser.get(done.continue_to)

    assert response.headers["location"].startswith(http.LOGIN)


async def test_only_rechecked_parameters_are_stored(authz: AuthzService, browser: FakeBrowser) -> None:
    """A pending request is stored without its id_token_hint and without unknown parameters."""
    stored = await authz.stores.requests.find(await browser.begin(id_token_hint="a.b.c", unknown="1"))

    assert stored is not None
    assert stored.parameters == authorize_parameters()


async def test_deactivated_client_gets_no_response(authz: AuthzService, browser: FakeBrowser, bus: MemoryBus) -> None:
    """A deactivated application is never redirected to (P3)."""
    done = await browser.log_in(await browser.begin())
    del authz.peers.clients["web"]
    await bus.publish(APP_CHANGED, changed("app-web"), event_id="e1")
    response = await browser.get(done.continue_to)

    assert response.status_code == 400
    assert "location" not in response.headers


async def test_removed_redirect_uri_gets_no_response(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """The redirect URI is verified again (P3, AZ-09)."""
    done = await browser.log_in(await browser.begin())
    authz.peers.clients["web"] = replace(WEB, redirect_uris=("https://app.example.test/new",))
    clock.tick(1)
    response = await browser.get(done.continue_to)

    assert response.status_code == 400
    assert "redirect_uri" in response.text


async def redeem(bus: MemoryBus, landing: Landing) -> bool:
    asked = RedeemCode(code=landing.query["code"], client_id="web", redirect_uri=CALLBACK)
    try:
        return (await bus.call(REDEEM_CODE, asked)).grant is not None
    except ServiceError:
        return False


async def assert_it_is_over(browser: FakeBrowser, address: str) -> None:
    again = await browser.get(address)

    assert again.status_code == 404
    assert "location" not in again.headers
    assert "finished or has expired" in again.text


async def test_request_is_answered_once(browser: FakeBrowser, bus: MemoryBus) -> None:
    """The back button shows an explanation, and the first code stays valid."""
    done = await browser.log_in(await browser.begin())
    first = Landing(await browser.get(done.continue_to))

    assert await redeem(bus, first)
    await assert_it_is_over(browser, done.continue_to)
    code = first.query["code"]
    assert (await bus.call(REDEEM_CODE, RedeemCode(code=code, client_id="web", redirect_uri=CALLBACK))).spent_grant_id


async def test_lost_code_is_replaced(browser: FakeBrowser, bus: MemoryBus) -> None:
    """After a lost redirect a reload issues another code, and only the last one is valid."""
    done = await browser.log_in(await browser.begin())
    landings = [Landing(await browser.get(done.continue_to)) for _ in range(3)]

    assert [await redeem(bus, landing) for landing in landings] == [False, False, True]
    await assert_it_is_over(browser, done.continue_to)


async def test_login_page_continues_to_a_lost_code(browser: FakeBrowser, bus: MemoryBus) -> None:
    id = await browser.begin()
    lost = Landing(await browser.get((await browser.log_in(id)).continue_to))
    step = await browser.ask(id)
    landing = Landing(await browser.get(step.continue_to))

    assert step.name is StepName.DONE
    assert [await redeem(bus, one) for one in (lost, landing)] == [False, True]


async def test_lost_code_is_replaced_for_half_a_minute(
    browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock
) -> None:
    done = await browser.log_in(await browser.begin())
    await browser.get(done.continue_to)
    clock.tick(RETRY_WINDOW_SECONDS - 1)
    last = Landing(await browser.get(done.continue_to))
    clock.tick(1)

    await assert_it_is_over(browser, done.continue_to)
    assert await redeem(bus, last)


async def test_code_is_not_replaced_in_another_browser(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus
) -> None:
    """A handle from before the sign-in is refused too, and the code stays valid (P3)."""
    id = await browser.begin()
    shown, planted = await browser.name(id), browser.handle
    done = await browser.answer(id, shown, password=PASSWORD)
    landing = Landing(await browser.get(done.continue_to))
    stranger = authz.browser()
    await stranger.sign_in("bob")
    elsewhere = await stranger.get(done.continue_to)
    stranger.handle = planted
    before = await stranger.get(done.continue_to)

    assert (elsewhere.status_code, before.status_code) == (403, 404)
    assert await redeem(bus, landing)


async def test_code_is_not_replaced_after_the_session_ended(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus
) -> None:
    """The password is requested again, and the next response withdraws the earlier code."""
    id = await browser.begin()
    done = await browser.log_in(id)
    lost = Landing(await browser.get(done.continue_to))
    await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))
    back = await browser.get(done.continue_to)
    again = await browser.answer(id, await browser.ask(id), password=PASSWORD)
    landing = Landing(await browser.get(again.continue_to))

    assert back.headers["location"] == f"{http.LOGIN}?request={id}"
    assert [await redeem(bus, one) for one in (lost, landing)] == [False, True]


async def test_unavailable_issuance_can_be_retried(authz: AuthzService, browser: FakeBrowser, bus: MemoryBus) -> None:
    """The browser gets a page to reload and is not redirected without a code (P2)."""
    done = await browser.log_in(await browser.begin())
    codes = authz.stores.codes
    assert isinstance(codes, MemoryCodes)
    codes.records.down = True
    away = await browser.get(done.continue_to)
    codes.records.down = False

    assert (away.status_code, "location" in away.headers) == (503, False)
    assert await redeem(bus, Landing(await browser.get(done.continue_to)))


async def test_tokens_are_returned_once(authz: AuthzService, browser: FakeBrowser) -> None:
    authz.peers.register("web", response_types=("id_token",), grant_types=("implicit",))
    done = await browser.log_in(await browser.begin(response_type="id_token", nonce="n-1"))
    landing = Landing(await browser.get(done.continue_to))

    assert "id_token" in landing.fragment
    await assert_it_is_over(browser, done.continue_to)
    assert len(authz.peers.issued) == 1


async def test_request_is_answered_to_its_own_browser_only(authz: AuthzService, browser: FakeBrowser) -> None:
    """A link with another browser's request gives nothing, signed in there or not (P3, LG-11)."""
    done = await browser.log_in(await browser.begin())
    stranger = authz.browser()
    without = await stranger.get(done.continue_to)
    await stranger.sign_in("bob")
    signed_in = await stranger.get(done.continue_to)

    assert without.status_code == 404
    assert signed_in.status_code == 403
    assert "another browser" in signed_in.text
    assert "code" in Landing(await browser.get(done.continue_to)).query


@pytest.mark.parametrize("id", ["", "x", "00" + "A" * 43, "../../etc", "%00", "\u00fc" * 40, "9" * 5000])
async def test_invalid_request_id_gets_a_page(browser: FakeBrowser, id: str) -> None:
    await browser.begin()
    response = await browser.get(http.AUTHORIZE_RESUME, {"request": id})

    assert response.status_code in (400, 404)
    assert 'id="error-page"' in response.text


async def test_stored_request_expires_after_half_an_hour(browser: FakeBrowser, clock: FrozenClock) -> None:
    id = await browser.begin()
    clock.tick(1_800)

    assert (await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")).status_code == 404


async def test_later_request_extends_the_browser_record(browser: FakeBrowser, clock: FrozenClock) -> None:
    await browser.begin()
    handle = browser.handle
    clock.tick(1_700)
    id = await browser.begin()
    clock.tick(1_700)

    assert browser.handle == handle
    assert (await browser.log_in(id)).name is StepName.DONE


async def test_cancelled_login_is_access_denied(browser: FakeBrowser) -> None:
    """The error access_denied is returned once, with state and iss (RFC 6749 §4.1.2.1)."""
    id = await browser.begin()
    done = await browser.answer(id, await browser.ask(id), cancel=True)
    landing = Landing(await browser.get(done.continue_to))

    assert done.name is StepName.DONE
    assert landing.query["error"] == "access_denied"
    assert landing.query["state"] == "st-1"
    assert (await browser.get(done.continue_to)).status_code == 404


def changed(aggregate_id: str) -> Changed:
    return Changed(event_id="e1", aggregate_id=aggregate_id, org_id="org-1", sequence=2, at=1.0, actor="system")
