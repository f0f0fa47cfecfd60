"""Unauthenticated requests restart in the browser that opens them (decision 0127)."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from portico_contracts import http
from portico_contracts.step_names import StepName
from portico_fakes.authz_service import PASSWORD, AuthzService, FakeBrowser, Landing, request_in
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


def resume_of(id: str) -> str:
    return f"{http.AUTHORIZE_RESUME}?request={id}"


async def finish(browser: FakeBrowser, id: str) -> httpx.Response:
    """Completes a sign-in up to the application."""
    step = await browser.ask(id)
    done = step if step.name is StepName.DONE else await browser.log_in(id)
    response = await browser.get(done.continue_to)
    is_page = response.headers["location"].startswith(http.LOGIN)
    return await finish(browser, request_in(response)) if is_page else response


async def test_concurrent_sign_ins_of_a_new_browser_succeed(authz: AuthzService) -> None:
    """Three tabs get cookies, the last one stays, and every tab returns with its own state."""
    tabs = [authz.browser() for _ in range(3)]
    ids = await asyncio.gather(*(tab.begin(state=f"tab-{number}") for number, tab in enumerate(tabs)))
    browser = tabs[-1]
    arrived = [Landing(await finish(browser, id)).query["state"] for id in ids]

    assert arrived == ["tab-0", "tab-1", "tab-2"]


@pytest.mark.parametrize("handle", ["another", "", "x", "00" + "A" * 43])
async def test_form_of_another_browser_restarts(authz: AuthzService, browser: FakeBrowser, handle: str) -> None:
    """Its submission is ignored, and the request stays with its own browser (LG-11)."""
    id = await browser.begin(state="st-7", login_hint="bob")
    shown = await browser.name(id)
    stranger = authz.browser()
    await stranger.begin()
    stranger.handle = stranger.handle if handle == "another" else handle
    proved = list(authz.peers.proved)
    step = await stranger.answer(id, shown, password=PASSWORD)
    restarted = request_in(await stranger.get(step.continue_to))
    begun = await stranger.ask(restarted)
    landing = Landing(await stranger.get((await stranger.log_in(restarted)).continue_to))
    own = Landing(await browser.get((await browser.answer(id, shown, password=PASSWORD)).continue_to))

    assert (step.name, step.continue_to, step.csrf) == (StepName.DONE, resume_of(id), "")
    assert authz.peers.proved[: len(proved)] == proved
    assert (restarted != id, begun.name, begun.login_name) == (True, StepName.LOGIN_NAME, "bob")
    assert (landing.query["state"], own.query["state"]) == ("st-7", "st-7")


async def test_older_session_does_not_satisfy_prompt_login(authz: AuthzService, browser: FakeBrowser) -> None:
    """The restarted request requires a new authentication, so a link cannot reuse an earlier one."""
    id = await browser.begin(prompt="login")
    victim = authz.browser()
    await victim.sign_in("bob")
    restarted = request_in(await victim.get((await victim.ask(id)).continue_to))

    assert (await victim.ask(restarted)).name is not StepName.DONE


async def test_missing_cookie_page_is_shown_only_after_a_retry(authz: AuthzService, browser: FakeBrowser) -> None:
    """A browser without a cookie gets one, and the page about cookies follows only if it does not come back."""
    id = await browser.begin()
    blocking = authz.browser()
    first = await blocking.get(resume_of(id))
    blocking.handle = ""
    second = await blocking.get(resume_of(request_in(first)))
    blocking.handle = ""
    gone = await blocking.get(resume_of("00" + "A" * 43))

    assert "set-cookie" in first.headers
    assert (second.status_code, "AUTHZ-034" in second.text, "sent no cookie" in second.text) == (400, True, True)
    assert (gone.status_code, "cookie" in gone.text) == (404, False)
