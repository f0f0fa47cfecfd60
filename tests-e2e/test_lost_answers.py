"""The answer to a sign-in form never arrives, or the button was pressed twice: the person ends signed in all the same."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

import httpx
import pytest
from playwright.async_api import Error, Page, Request, Route, expect
from portico_journeys.agent import Agent
from portico_journeys.login_pages import LoginPages, RelyingPartyPages
from portico_journeys.participants import ALICE
from portico_journeys.relying_party import begin
from portico_journeys.retrying_user import RetryingUser
from portico_journeys.world import World, code_in

pytestmark = pytest.mark.e2e

ANSWERS = (
    "GET /oauth/v2/authorize",
    "GET /ui/login",
    "POST /ui/login",
    "GET /ui/login",
    "POST /ui/login",
    "GET /oauth/v2/authorize/resume",
)
"""Of a whole sign-in, in their order."""


class Thief:
    """A proxy between Chromium and the gateway: sends the first form on, and withholds the answer.

    The browser sees a broken connection once the button was pressed again.
    """

    def __init__(self, world: World) -> None:
        self.arrived = asyncio.Event()
        self.pressed_again = asyncio.Event()
        self.statuses: list[int] = []
        self._world = world

    async def watch(self, tab: Page) -> None:
        """From now on."""
        await tab.route("**/ui/login?*", self._take)

    async def _take(self, route: Route, request: Request) -> None:
        if request.method != "POST" or self.arrived.is_set():
            await route.continue_()
            return
        answer = await self._world.http.post(
            request.url, content=request.post_data_buffer or b"", headers=await request.all_headers()
        )
        self.statuses.append(answer.status_code)
        self.arrived.set()
        await self.pressed_again.wait()
        with suppress(Error):  # the second press has ended this navigation already
            await route.abort("connectionreset")


def posts_in(tab: Page) -> list[str | None]:
    """The forms that are sent from now on."""
    seen: list[str | None] = []

    def look(request: Request) -> None:
        if request.method == "POST" and "/ui/login" in request.url:
            seen.append(request.post_data)

    tab.on("request", look)
    return seen


async def button(tab: Page, selector: str) -> Callable[[], Awaitable[None]]:
    """Presses a button as a mouse does: at once, whatever the tab is loading."""
    box = await tab.locator(selector).bounding_box()
    assert box is not None
    return partial(tab.mouse.click, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


async def test_double_click_on_sign_in_signs_in(tab: Page, world: World) -> None:
    """Two quick presses, the second while the first is under way: no page reports a form that was sent already."""
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await LoginPages(tab).enter_login_name(ALICE.login_name)
    await tab.locator("#password").fill(ALICE.password)
    posts = posts_in(tab)
    press = await button(tab, "#password-submit")
    async with tab.expect_request(lambda request: request.method == "POST"):
        await press()
    await press()
    await pages.expect_signed_in()

    assert len(posts) == 2
    assert posts[0] == posts[1]


async def test_second_press_signs_in_when_the_first_answer_is_lost(tab: Page, world: World) -> None:
    """The first press signed in at the provider; the browser has the cookie of before, and presses again."""
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


async def test_page_loaded_again_asks_for_the_password(tab: Page, world: World) -> None:
    """The connection broke under the answer: a user who reloads the page enters the password once more, no more."""
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
    """The n-th answer is lost on the way: the provider gave it, the browser learns nothing of it."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.lost = ""
        self._left = number

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Sends, and now and then does not receive."""
        response = await super().handle_async_request(request)
        self._left -= 1
        if self._left == 0:
            await response.aread()
            self.lost = f"{request.method} {request.url.path}"
            raise httpx.ReadError("lost", request=request)
        return response


async def test_whichever_answer_is_lost_the_person_gets_in(world: World) -> None:
    """Every answer of a sign-in in turn: the page is loaded again, and of the codes that came about one is good."""
    for number, lost in enumerate(ANSWERS, 1):
        begun = begin(world.metadata, world.clients["basic"])
        transport = Losing(number)
        async with Agent(world.issuer, httpx.AsyncClient(transport=transport)) as agent:
            page = await RetryingUser(agent, ALICE).sign_in(begun.url)
        answer = await world.redeem("basic", code_in(page), code_verifier=begun.verifier)

        assert transport.lost == lost
        assert answer.status_code == 200, lost


async def test_lost_redirect_is_had_again(world: World) -> None:
    """The code never arrived: the page, loaded again, gives another; the first is worth nothing, the second once."""
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
