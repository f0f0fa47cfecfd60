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


async def test_post_redirects_to_a_get_with_the_cookie(browser: FakeBrowser) -> None:
    """A cross-site POST without cookie is answered silently if there is a session (OIDC Core §3.1.2.1)."""
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


async def test_post_without_session_goes_to_the_login_pages(browser: FakeBrowser) -> None:
    """Parameters of query and body are merged."""
    values = authorize_parameters()
    state = values.pop("state")
    posted = await browser.post(f"{http.AUTHORIZE}?state={state}", values)
    id = request_in(await browser.get(posted.headers["location"]))
    done = await browser.log_in(id)

    assert Landing(await browser.get(done.continue_to)).query["state"] == "st-1"


async def test_invalid_post_is_answered_at_once(browser: FakeBrowser) -> None:
    """An invalid POST is redirected or gets a page, never with 307 or 308 (AZ-16)."""
    wrong = Landing(await browser.post(http.AUTHORIZE, authorize_parameters(scope="email")))
    page = await browser.post(http.AUTHORIZE, authorize_parameters(client_id="nobody"))

    assert wrong.response.status_code == 303
    assert wrong.query["error"] == "invalid_scope"
    assert page.status_code == 400


async def test_stored_post_expires(browser: FakeBrowser, clock: FrozenClock) -> None:
    posted = await browser.post(http.AUTHORIZE, authorize_parameters())
    clock.tick(300)
    response = await browser.get(posted.headers["location"])

    assert response.status_code == 400
    assert "start again" in response.text


async def test_post_id_with_other_parameters_is_ignored(browser: FakeBrowser) -> None:
    """The id of a stored POST is ignored as an unknown parameter if other parameters are sent (AZ-19)."""
    response = await browser.get(http.AUTHORIZE, {**authorize_parameters(), "portico_posted": "x"})

    assert response.headers["location"].startswith(http.LOGIN)
