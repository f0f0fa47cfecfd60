"""While the session is valid no password is requested, unless the application demands it."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect
from portico_scenarios.agent import Page as Landing
from portico_scenarios.id_token import checked_claims
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages, requests_to
from portico_scenarios.participants import ALICE
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World, code_in

pytestmark = pytest.mark.e2e


async def _claims(world: World, page: Landing, verifier: str) -> dict[str, object]:
    answer = await world.redeem("basic", code_in(page), code_verifier=verifier)
    assert answer.status_code == 200, answer.text
    return await checked_claims(world.http, world.metadata, answer.json()["id_token"], "e2e-basic")


@pytest.mark.long
async def test_second_sign_in_shows_no_page(tab: Page, world: World) -> None:
    """A second sign-in in the same browser shows no page and keeps auth_time and sid."""
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()
    first = (await pages.session())["claims"]
    login = requests_to(tab.context, "/ui/login")
    await pages.begin("ui_locales=de")
    await pages.expect_signed_in()
    second = (await pages.session())["claims"]

    assert login == []
    assert second["nonce"] != first["nonce"]
    assert second["auth_time"] == first["auth_time"]
    assert second["sid"] == first["sid"]


async def test_second_application_shows_no_page(tab: Page, world: World) -> None:
    """One sign-in serves all applications of the browser."""
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()
    first = (await pages.session())["claims"]
    other = RelyingPartyPages(tab, world.rp_url("jwt"))
    await other.begin()
    await other.expect_signed_in()
    second = (await other.session())["claims"]

    assert (second["sub"], second["sid"]) == (first["sub"], first["sid"])
    assert second["azp"] == "e2e-jwt"


@pytest.mark.long
async def test_prompt_login_requires_authentication(tab: Page, world: World) -> None:
    """prompt=login shows the login in spite of the session, and a new password entry updates auth_time."""
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()
    first = (await pages.session())["claims"]
    await pages.begin("prompt=login")
    await expect(tab.locator("#loginname, #password")).to_be_visible()
    if await tab.locator("#loginname").is_visible():
        await LoginPages(tab).enter_login_name(ALICE.login_name)
    await LoginPages(tab).enter_password(ALICE.password)
    await pages.expect_signed_in()
    second = (await pages.session())["claims"]

    assert second["nonce"] != first["nonce"]
    assert second["auth_time"] >= first["auth_time"]
    assert second["sub"] == first["sub"]


async def test_prompt_none_without_session_is_login_required(tab: Page, world: World) -> None:
    """prompt=none without a session shows no page and answers login_required."""
    login = requests_to(tab.context, "/ui/login")
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin("prompt=none")
    await pages.expect_error("login_required")

    assert login == []


async def test_prompt_none_with_session_is_silent(world: World) -> None:
    """prompt=none with a session answers without a page, for the same user and auth_time."""
    first, second = (begin(world.metadata, world.clients["basic"], prompt=prompt) for prompt in (None, "none"))
    async with world.agent() as agent:
        signed_in = await agent.sign_in(first.url, ALICE.login_name, ALICE.password)
        before = await _claims(world, signed_in, first.verifier)
        silent = await agent.open(second.url)
        after = await _claims(world, silent, second.verifier)

    assert (after["sub"], after["auth_time"]) == (before["sub"], before["auth_time"])


async def test_max_age_not_exceeded_shows_no_page(world: World) -> None:
    """A session younger than max_age is used, and the id_token has auth_time (AZ-14)."""
    first, second = (begin(world.metadata, world.clients["basic"], max_age=age) for age in (None, "10000"))
    async with world.agent() as agent:
        await agent.sign_in(first.url, ALICE.login_name, ALICE.password)
        again = await agent.open(second.url)
        claims = await _claims(world, again, second.verifier)

    assert "auth_time" in claims


async def test_login_hint_is_prefilled(tab: Page, world: World) -> None:
    """login_hint prefills the login name, on the first page or the second."""
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin("login_hint=alice")
    await expect(tab.locator("#loginname")).to_have_value("alice")


async def test_another_browser_is_not_signed_in(world: World) -> None:
    """The session belongs to one browser, and a second one has to enter the password (P3)."""
    first, second = (begin(world.metadata, world.clients["basic"]) for _ in range(2))
    async with world.agent() as agent, world.agent() as stranger:
        await agent.sign_in(first.url, ALICE.login_name, ALICE.password)
        asked = await stranger.open(second.url)

    assert asked.shows("loginname")


async def test_login_cannot_continue_in_another_browser(world: World) -> None:
    """A login continues only in the browser that began it (P3, LG-11)."""
    begun = begin(world.metadata, world.clients["basic"])
    async with world.agent() as agent, world.agent() as stranger:
        page = await agent.open(begun.url)
        stolen = await stranger.open(str(page.response.url))
        await agent.press("loginname-submit", loginname=ALICE.login_name)
        signed_in = await agent.press("password-submit", password=ALICE.password)
        late = await stranger.open(str(page.response.url))

    assert stolen.shows("loginname")
    assert stolen.response.url != page.response.url
    assert (signed_in.returned or {})["state"] == begun.state
    assert (late.status, late.shows("loginname")) == (403, False)
