"""Login pages with two tabs, the back button and bookmarks, and attacks on them."""

from __future__ import annotations

import httpx
import pytest
from playwright.async_api import Page, expect
from portico_harness.eventually import eventually
from portico_scenarios.agent import Agent, redirect_from
from portico_scenarios.agent import Page as Landing
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages, requests_to
from portico_scenarios.participants import ALICE, DAVE, OTHER_REDIRECT
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World, code_in

pytestmark = pytest.mark.e2e

SLOWED = "Too many attempts"


def _handles(agent: Agent) -> list[str]:
    return [cookie.value or "" for cookie in agent.http.cookies.jar]


async def test_second_tab_is_not_lost(tab: Page, world: World) -> None:
    """With two tabs at the login page of two applications, signing in at one does not break the other."""
    second = await tab.context.new_page()
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    others = RelyingPartyPages(second, world.rp_url("jwt"))
    await pages.begin()
    await others.begin()
    await expect(second.locator("#loginname")).to_be_visible()
    await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()
    await LoginPages(second).enter_login_name(ALICE.login_name)
    await expect(second.locator("#password, #rp-claims")).to_be_visible()
    if await second.locator("#password").is_visible():
        await LoginPages(second).enter_password(ALICE.password)
    await others.expect_signed_in()


async def test_reload_and_back_are_harmless(tab: Page, world: World) -> None:
    """Reloading the password page and going back to the name page send no form again, and end in the same sign-in."""
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    login = LoginPages(tab)
    await pages.begin()
    script_ran = tab.locator("#password-show")  # a reload before it, which no person is fast enough for, sends the form
    await login.enter_login_name("somebody")
    await expect(script_ran).to_be_visible()
    sent: list[str] = []
    tab.on("request", lambda request: sent.append(request.method))
    await tab.reload()
    await expect(tab.locator("#password")).to_be_visible()
    await login.enter_password("a wrong one")
    await expect(tab.locator("#login-problem")).to_be_visible()
    await expect(script_ran).to_be_visible()
    await tab.reload()
    await expect(tab.locator("#password")).to_be_visible()
    await tab.go_back()
    assert sent.count("POST") == 1
    await expect(tab.locator("#loginname, #password")).to_be_visible()
    if not await tab.locator("#loginname").is_visible():
        await pages.begin()
    await login.sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()


async def test_login_page_after_completion_explains_itself(world: World) -> None:
    """Going back after the code was used shows an explaining page, without an internal error or a second code."""
    begun = begin(world.metadata, world.clients["basic"])
    async with world.agent() as agent:
        await agent.open(begun.url)
        login = await agent.press("loginname-submit", loginname=ALICE.login_name)
        form = login.document.form_with("password-submit")
        assert form is not None
        code = code_in(await agent.press("password-submit", password=ALICE.password))
        await world.redeem("basic", code, code_verifier=begun.verifier)
        seen_again = await agent.open(str(login.response.url))
        sent_again = await agent.http.post(
            login.response.url.join(form.action or str(login.response.url)),
            data=form.filled("password-submit", {"password": ALICE.password}),
            headers={"Origin": world.issuer},
        )

    assert seen_again.returned is None
    assert 400 <= seen_again.status < 500
    assert seen_again.shows("error-page")
    assert sent_again.status_code < 500
    assert "code=" not in redirect_from(sent_again)


async def test_bookmarked_login_page_explains_itself(world: World) -> None:
    """The login page without a login in progress is a 4xx error page with the request id."""
    for query in ("", "?request=", "?request=nothing", "?request=" + "x" * 5000, "?request=a&request=b"):
        answer = await world.http.get(f"{world.issuer}/ui/login{query}")

        assert 400 <= answer.status_code < 500, query
        assert 'id="error-page"' in answer.text, query
        assert answer.headers["x-request-id"] in answer.text, query


async def test_session_handle_changes_at_sign_in(world: World) -> None:
    """The cookie from before the sign-in is invalid afterwards (LG-11)."""
    begun, silent = (begin(world.metadata, world.clients["basic"], prompt=prompt) for prompt in (None, "none"))
    async with world.agent() as agent, world.agent() as thief:
        await agent.open(begun.url)
        before = dict(agent.http.cookies)
        await agent.press("loginname-submit", loginname=ALICE.login_name)
        code_in(await agent.press("password-submit", password=ALICE.password))
        after = dict(agent.http.cookies)
        thief.http.cookies.update(before)
        stolen = await thief.open(silent.url)
        mine = await agent.open(silent.url)

    assert set(before) == set(after)
    assert set(before.values()).isdisjoint(after.values())
    assert stolen.returned is not None
    assert stolen.returned["error"] == "login_required"
    assert mine.returned is not None
    assert "code" in mine.returned


async def _failures(world: World, login_name: str, password: str, times: int) -> list[Landing]:
    begun = begin(world.metadata, world.clients["basic"])
    async with world.agent() as agent:
        pages = [await agent.sign_in(begun.url, login_name, "surely not the password")]
        for _ in range(times - 1):
            pages.append(await agent.press("password-submit", password="surely not the password"))
        pages.append(await agent.press("password-submit", password=password))
    return pages


async def _slowed(world: World, login_names: list[str]) -> list[Landing]:
    """Returns the pages after five failures and the right password; repeats where a busy machine missed the
    first delay of one second.
    """
    for login_name in login_names:
        pages = await _failures(world, login_name, DAVE.password, 5)
        if SLOWED in pages[-1].response.text:
            break
    return pages


async def test_password_guessing_is_throttled(world: World) -> None:
    """After five failures even the right password is delayed, and an unknown name behaves the same (LG-05)."""
    known = await _slowed(world, [DAVE.login_name] * 3)
    unknown = await _slowed(world, [f"no-such-name-{number}" for number in range(3)])

    async def after_a_while() -> Landing:
        begun = begin(world.metadata, world.clients["basic"])
        async with world.agent() as agent:
            return await agent.sign_in(begun.url, DAVE.login_name, DAVE.password)

    assert all(page.returned is None and page.shows("password") for page in (*known, *unknown))
    assert [page.status for page in known] == [page.status for page in unknown]
    assert [SLOWED in page.response.text for page in known] == [False] * 5 + [True]
    assert [SLOWED in page.response.text for page in unknown] == [False] * 5 + [True]
    assert code_in(await eventually(after_a_while, lambda page: page.returned is not None))


async def test_redirect_keeps_the_query_of_the_redirect_uri(world: World) -> None:
    """Response parameters are added to the query of a registered redirect URI (RFC 6749 §3.1.2)."""
    begun = begin(world.metadata, world.clients["basic"], redirect_uri=OTHER_REDIRECT, prompt="none")
    async with world.agent() as agent:
        page = await agent.open(begun.url)

    assert page.returned is not None
    assert page.returned["keep"] == "this"
    assert page.returned["error"] == "login_required"


async def test_cross_site_post_to_authorize_finds_the_session(tab: Page, world: World) -> None:
    """A POST to authorize from another site carries no Lax cookie, but needs no second password."""
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()
    login = requests_to(tab.context, "/ui/login")
    wanted = httpx.URL(begin(world.metadata, world.clients["basic"], redirect_uri=OTHER_REDIRECT).url)
    inputs = "".join(f'<input type=hidden name="{name}" value="{value}">' for name, value in wanted.params.items())
    form = f'<form method=post action="{wanted.copy_with(query=None)}">{inputs}<button id=go>go</button></form>'
    await tab.route(
        "http://elsewhere.example.test/**", lambda route: route.fulfill(body=form, content_type="text/html")
    )
    await tab.route("https://rp.example.test/**", lambda route: route.fulfill(body="<p id=arrived>arrived</p>"))
    await tab.goto("http://elsewhere.example.test/")
    async with tab.expect_request("https://rp.example.test/**") as arrived:
        await tab.locator("#go").click()
    answer = httpx.URL((await arrived.value).url).params

    assert login == []
    assert "code" in answer
    assert answer["iss"] == world.issuer
