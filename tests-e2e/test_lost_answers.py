"""The response to a sign-in form is lost, or the button is pressed twice: the user still ends signed in."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

import httpx
import pytest
from playwright.async_api import Error, Page, Request, Route, expect
from portico_scenarios.agent import Agent
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages
from portico_scenarios.participants import ALICE
from portico_scenarios.relying_party import begin
from portico_scenarios.retrying_user import RetryingUser
from portico_scenarios.world import World, code_in

pytestmark = pytest.mark.e2e

ANSWERS = (
    "GET /oauth/v2/authorize",
    "GET /ui/login",
    "POST /ui/login",
    "POST /ui/login",
)
"""The responses of a complete sign-in, in order; the last one has the code, or leads to `RESUME` in another mode."""

RESUME = "GET /oauth/v2/authorize/resume"


class Thief:
    """A proxy between Chromium and the gateway that forwards the first form and withholds the response.

    The browser sees a broken connection once the button was pressed again.
    """

    def __init__(self, world: World) -> None:
        self.began = asyncio.Event()
        self.arrived = asyncio.Event()
        self.pressed_again = asyncio.Event()
        self.statuses: list[int] = []
        self._world = world

    async def watch(self, tab: Page) -> None:
        await tab.route("**/ui/login?*", self._take)

    async def _take(self, route: Route, request: Request) -> None:
        if request.method != "POST" or self.began.is_set():
            await route.continue_()
            return
        self.began.set()
        answer = await self._world.http.post(
            request.url, content=request.post_data_buffer or b"", headers=await request.all_headers()
        )
        self.statuses.append(answer.status_code)
        self.arrived.set()
        await self.pressed_again.wait()
        with suppress(Error):  # the second press has ended this navigation already
            await route.abort("connectionreset")


def posts_in(tab: Page) -> list[str | None]:
    seen: list[str | None] = []

    def look(request: Request) -> None:
        if request.method == "POST" and "/ui/login" in request.url:
            seen.append(request.post_data)

    tab.on("request", look)
    return seen


async def button(tab: Page, selector: str) -> Callable[[], Awaitable[None]]:
    """Presses a button as a mouse does: immediately, even while the tab is loading."""
    box = await tab.locator(selector).bounding_box()
    assert box is not None
    return partial(tab.mouse.click, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


async def test_double_click_signs_in(tab: Page, world: World) -> None:
    """A second press during the first request shows no error about a form that was already sent."""
    pages, thief = RelyingPartyPages(tab, world.rp_url("basic")), Thief(world)
    await pages.begin()
    await LoginPages(tab).enter_login_name(ALICE.login_name)
    await tab.locator("#password").fill(ALICE.password)
    posts = posts_in(tab)
    await thief.watch(tab)
    press = await button(tab, "#password-submit")
    await press()
    await thief.began.wait()
    await press()
    thief.pressed_again.set()
    await pages.expect_signed_in()
    await thief.arrived.wait()

    assert len(posts) == 2
    assert posts[0] == posts[1]


async def test_second_press_signs_in_after_a_lost_response(tab: Page, world: World) -> None:
    """After a lost response the browser still has the old cookie, and a second press signs in."""
    pages, thief = RelyingPartyPages(tab, world.rp_url("basic")), Thief(world)
    await pages.begin()
    await LoginPages(tab).enter_login_name(ALICE.login_name)
    await tab.locator("#password").fill(ALICE.password)
    posts = posts_in(tab)
    await thief.watch(tab)
    press = await button(tab, "#password-submit")
    await press()
    await thief.arrived.wait()
    await press()
    thief.pressed_again.set()
    await pages.expect_signed_in()

    assert thief.statuses == [200]
    assert len(posts) == 2
    assert posts[0] == posts[1]


async def test_reload_after_a_lost_response_asks_for_the_password(tab: Page, world: World) -> None:
    """A user who reloads after a lost response enters the password exactly once more."""
    pages, thief = RelyingPartyPages(tab, world.rp_url("basic")), Thief(world)
    await pages.begin()
    login = LoginPages(tab)
    await login.enter_login_name(ALICE.login_name)
    await expect(tab.locator("#password")).to_be_visible()
    address = tab.url
    thief.pressed_again.set()
    await thief.watch(tab)
    await login.enter_password(ALICE.password)
    await thief.arrived.wait()
    await tab.wait_for_url("chrome-error:**")
    await tab.goto(address)
    await expect(tab.locator("#login-shown")).to_have_text(ALICE.login_name)
    await login.enter_password(ALICE.password)
    await pages.expect_signed_in()

    assert thief.statuses == [200]


class Losing(httpx.AsyncHTTPTransport):
    """Loses the n-th response after the provider has sent it."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.lost = ""
        self._left = number

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await super().handle_async_request(request)
        self._left -= 1
        if self._left == 0:
            await response.aread()
            self.lost = f"{request.method} {request.url.path}"
            raise httpx.ReadError("lost", request=request)
        return response


async def test_any_lost_response_is_recovered(world: World) -> None:
    """After the loss of any response of a sign-in, reloading signs in, and exactly one of the issued codes works."""
    queries = [("query", number, lost) for number, lost in enumerate(ANSWERS, 1)]
    for mode, number, lost in (*queries, ("fragment", 4, ANSWERS[3]), ("fragment", 5, RESUME)):
        begun = begin(world.metadata, world.clients["basic"], response_mode=mode)
        transport = Losing(number)
        async with Agent(world.issuer, httpx.AsyncClient(transport=transport)) as agent:
            page = await RetryingUser(agent, ALICE).sign_in(begun.url)
        answer = await world.redeem("basic", code_in(page), code_verifier=begun.verifier)

        assert transport.lost == lost
        assert answer.status_code == 200, lost


async def test_lost_redirect_is_repeated(world: World) -> None:
    """After a lost redirect the reloaded page issues another code, which works once, and the first code is invalid."""
    begun = begin(world.metadata, world.clients["basic"])
    async with world.agent() as agent:
        await agent.open(begun.url)
        form = await agent.press("loginname-submit", loginname=ALICE.login_name)
        lost = code_in(await agent.press("password-submit", password=ALICE.password))
        code = code_in(await agent.open(str(form.response.url)))
        answers = [await world.redeem("basic", one, code_verifier=begun.verifier) for one in (lost, code)]
        over = await agent.open(str(form.response.url))

    assert [answer.status_code for answer in answers] == [400, 200]
    assert (over.status, over.shows("error-page")) == (404, True)
