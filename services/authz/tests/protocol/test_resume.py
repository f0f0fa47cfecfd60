"""After the login pages: one answer, to the right browser, for what is still true."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace
from portico_contracts import http
from portico_contracts.events import APP_CHANGED, Changed
from portico_contracts.login import StepName
from portico_testing.authz_service import (
    ADA,
    WEB,
    AuthzService,
    Landing,
    PlayedBrowser,
)
from portico_testing.clock import FrozenClock
from portico_testing.memory_bus import MemoryBus

OPAQUE = re.compile(r"[0-9a-f]{2}[A-Za-z0-9_-]{43}\Z")


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> PlayedBrowser:
    return authz.browser()


async def test_a_user_deactivated_before_the_answer_gets_none(
    authz: AuthzService, browser: PlayedBrowser, clock: FrozenClock
) -> None:
    """P3: between the last page and the answer as well; without an event, a second later."""
    done = await browser.log_in(await browser.begin())
    del authz.peers.people[ADA.user_id]
    clock.tick(1)
    response = await browser.get(done.continue_to)

    assert response.headers["location"].startswith(http.LOGIN)


async def test_a_client_deactivated_before_the_answer_gets_none(
    authz: AuthzService, browser: PlayedBrowser, bus: MemoryBus
) -> None:
    """P3: no redirect to an application that is gone."""
    done = await browser.log_in(await browser.begin())
    del authz.peers.clients["web"]
    await bus.publish(APP_CHANGED, changed("app-web"), event_id="e1")
    response = await browser.get(done.continue_to)

    assert response.status_code == 400
    assert "location" not in response.headers


async def test_a_redirect_uri_removed_before_the_answer_gets_none(
    authz: AuthzService, browser: PlayedBrowser, clock: FrozenClock
) -> None:
    """P3, AZ-09: the address is proven again."""
    done = await browser.log_in(await browser.begin())
    authz.peers.clients["web"] = replace(WEB, redirect_uris=("https://app.example.test/new",))
    clock.tick(1)
    response = await browser.get(done.continue_to)

    assert response.status_code == 400
    assert "redirect_uri" in response.text


async def test_a_request_is_answered_once(browser: PlayedBrowser) -> None:
    """The back button ends at a page that explains, not at a second code."""
    done = await browser.log_in(await browser.begin())
    first = Landing(await browser.get(done.continue_to))
    again = await browser.get(done.continue_to)

    assert "code" in first.query
    assert again.status_code == 404
    assert "location" not in again.headers
    assert "finished or has expired" in again.text


async def test_a_request_is_answered_to_its_own_browser_only(authz: AuthzService, browser: PlayedBrowser) -> None:
    """P3, LG-11: a link with another browser's request gives nothing, signed in there or not."""
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
async def test_a_request_id_that_is_none_is_a_page(browser: PlayedBrowser, id: str) -> None:
    """Never a 5xx on bad input."""
    await browser.begin()
    response = await browser.get(http.AUTHORIZE_RESUME, {"request": id})

    assert response.status_code in (400, 404)
    assert 'id="error-page"' in response.text


async def test_a_kept_request_expires(browser: PlayedBrowser, clock: FrozenClock) -> None:
    """Half an hour for a login."""
    id = await browser.begin()
    clock.tick(1_800)

    assert (await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")).status_code == 404


async def test_a_later_request_keeps_the_browser_known_for_as_long(browser: PlayedBrowser, clock: FrozenClock) -> None:
    """A second tab opened late can be finished."""
    await browser.begin()
    handle = browser.handle
    clock.tick(1_700)
    id = await browser.begin()
    clock.tick(1_700)

    assert browser.handle == handle
    assert (await browser.log_in(id)).name is StepName.DONE


async def test_a_cancelled_login_is_access_denied(browser: PlayedBrowser) -> None:
    """RFC 6749 §4.1.2.1, once, with state and iss."""
    id = await browser.begin()
    done = await browser.answer(id, await browser.ask(id), cancel=True)
    landing = Landing(await browser.get(done.continue_to))

    assert done.name is StepName.DONE
    assert landing.query["error"] == "access_denied"
    assert landing.query["state"] == "st-1"
    assert (await browser.get(done.continue_to)).status_code == 404


def changed(aggregate_id: str) -> Changed:
    return Changed(event_id="e1", aggregate_id=aggregate_id, org_id="org-1", sequence=2, at=1.0, actor="system")
