"""Authorization requests by POST."""

from __future__ import annotations

import re

import pytest
from portico_contracts import http
from portico_fakes.authz_service import (
    AuthzService,
    FakeBrowser,
    Landing,
    authorize_parameters,
    request_in,
)
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

OPAQUE = re.compile(r"[0-9a-f]{2}[A-Za-z0-9_-]{43}\Z")


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def test_a_post_is_answered_by_a_get_that_has_the_cookie(browser: FakeBrowser) -> None:
    """OIDC Core §3.1.2.1: POST works, and silently with a session although no cookie came with it."""
    await browser.sign_in()
    posted = await browser.post(http.AUTHORIZE, authorize_parameters(prompt="none", state="s p\u00fc"))
    landing = Landing(await browser.get(posted.headers["location"]))
    reloaded = Landing(await browser.get(posted.headers["location"]))

    assert posted.status_code == 303
    assert posted.headers["location"].startswith(f"{http.AUTHORIZE}?portico_posted=")
    assert "st-1" not in posted.headers["location"]
    assert landing.query["state"] == "s p\u00fc"
    assert "code" in landing.query
    assert "code" in reloaded.query


async def test_a_post_without_a_session_leads_to_the_login_pages(browser: FakeBrowser) -> None:
    """Parameters in query and body together make the request."""
    values = authorize_parameters()
    state = values.pop("state")
    posted = await browser.post(f"{http.AUTHORIZE}?state={state}", values)
    id = request_in(await browser.get(posted.headers["location"]))
    done = await browser.log_in(id)

    assert Landing(await browser.get(done.continue_to)).query["state"] == "st-1"


async def test_a_post_with_errors_is_answered_at_once(browser: FakeBrowser) -> None:
    """Redirected where it may be, a page where not; AZ-16: never 307 or 308."""
    wrong = Landing(await browser.post(http.AUTHORIZE, authorize_parameters(scope="email")))
    page = await browser.post(http.AUTHORIZE, authorize_parameters(client_id="nobody"))

    assert wrong.response.status_code == 303
    assert wrong.query["error"] == "invalid_scope"
    assert page.status_code == 400


async def test_a_parked_post_expires(browser: FakeBrowser, clock: FrozenClock) -> None:
    """A few minutes are enough for a redirect."""
    posted = await browser.post(http.AUTHORIZE, authorize_parameters())
    clock.tick(300)
    response = await browser.get(posted.headers["location"])

    assert response.status_code == 400
    assert "start again" in response.text


async def test_beside_other_parameters_the_id_of_a_post_is_ignored(browser: FakeBrowser) -> None:
    """Beside other parameters it is an unknown parameter, which is ignored (AZ-19)."""
    response = await browser.get(http.AUTHORIZE, {**authorize_parameters(), "portico_posted": "x"})

    assert response.headers["location"].startswith(http.LOGIN)
