"""``GET /`` of the issuer: what this is, who is signed in in this browser, and where discovery is."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect
from portico_journeys.login_pages import LoginPages, RelyingPartyPages
from portico_journeys.participants import ALICE
from portico_journeys.world import World

pytestmark = pytest.mark.e2e


async def test_person_sees_the_own_accounts_and_signs_out_from_there(tab: Page, world: World) -> None:
    """No account, then Alice, then after the link and its confirmation no account again."""
    await tab.goto(f"{world.issuer}/")
    await expect(tab.locator("#home-nobody")).to_be_visible()
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()
    await tab.goto(f"{world.issuer}/")
    await expect(tab.locator("#home-accounts")).to_contain_text("Alice")
    await tab.locator("#home-sign-out").click()
    await tab.locator("#logout-confirm").click()
    await expect(tab.locator("#logged-out-page")).to_be_visible()
    await tab.goto(f"{world.issuer}/")

    await expect(tab.locator("#home-nobody")).to_be_visible()
    await expect(tab.locator("#home-accounts")).to_have_count(0)


async def test_page_leads_to_discovery(tab: Page, world: World) -> None:
    """The link opens the document, and the page fits a small screen without scrolling sideways."""
    await tab.set_viewport_size({"width": 320, "height": 600})
    await tab.goto(f"{world.issuer}/")
    fits = await tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    await tab.locator("#home-discovery").click()

    assert fits
    await expect(tab).to_have_url(f"{world.issuer}/.well-known/openid-configuration")


async def test_only_exactly_the_root_is_the_page(world: World) -> None:
    """GET and HEAD are answered, other methods are not, and every other unknown path is still 404 (HH-04)."""
    got = await world.http.get(f"{world.issuer}/")
    headed = await world.http.head(f"{world.issuer}/")
    posted = await world.http.post(f"{world.issuer}/", data={"a": "b"})
    elsewhere = [await world.http.get(f"{world.issuer}{path}") for path in ("/index.html", "/home", "/ui", "/.", "//x")]

    assert (got.status_code, headed.status_code, posted.status_code) == (200, 200, 405)
    assert 'id="home-page"' in got.text
    assert got.headers["cache-control"] == "no-store"
    assert "frame-ancestors 'none'" in got.headers["content-security-policy"]
    assert headed.content == b""
    assert [answer.status_code for answer in elsewhere if answer.url.path != "/"] == [404] * 4
