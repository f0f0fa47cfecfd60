"""A request in which nothing was proven starts again in the browser that opens it (decision 6.10, PC-31)."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from portico_contracts import http
from portico_contracts.login import StepName
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
    """Signs in where a page asks, and goes where a step leads, up to the application."""
    step = await browser.ask(id)
    done = step if step.name is StepName.DONE else await browser.log_in(id)
    response = await browser.get(done.continue_to)
    is_page = response.headers["location"].startswith(http.LOGIN)
    return await finish(browser, request_in(response)) if is_page else response


async def test_sign_ins_that_begin_at_once_all_go_on(authz: AuthzService) -> None:
    """A fresh browser opens three; each gets a cookie, the last one stays, and every tab arrives with its own state."""
    tabs = [authz.browser() for _ in range(3)]
    ids = await asyncio.gather(*(tab.begin(state=f"tab-{number}") for number, tab in enumerate(tabs)))
    browser = tabs[-1]
    arrived = [Landing(await finish(browser, id)).query["state"] for id in ids]

    assert arrived == ["tab-0", "tab-1", "tab-2"]


@pytest.mark.parametrize("handle", ["another", "", "x", "00" + "A" * 43])
async def test_a_form_of_another_browser_starts_again(authz: AuthzService, browser: FakeBrowser, handle: str) -> None:
    """What it sends is ignored, and the request stays that of its own browser (LG-11)."""
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


async def test_a_session_of_before_does_not_satisfy_prompt_login(authz: AuthzService, browser: FakeBrowser) -> None:
    """The restart is a request of now: who was led here by a link is asked again."""
    id = await browser.begin(prompt="login")
    victim = authz.browser()
    await victim.sign_in("bob")
    restarted = request_in(await victim.get((await victim.ask(id)).continue_to))

    assert (await victim.ask(restarted)).name is not StepName.DONE


async def test_a_missing_cookie_is_named_where_it_is_missing(authz: AuthzService, browser: FakeBrowser) -> None:
    """A browser that brings no cookie gets one; the page about cookies comes once that did not come back, no sooner."""
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
