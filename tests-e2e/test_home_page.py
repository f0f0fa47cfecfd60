"""``GET /`` of the issuer shows the product, the accounts of this browser and a link to discovery."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages
from portico_scenarios.participants import ALICE
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e


async def test_home_page_shows_accounts_and_signs_out(tab: Page, world: World) -> None:
    """The page shows no account, then Alice, and after a confirmed logout no account again."""
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


async def test_home_page_links_to_discovery(tab: Page, world: World) -> None:
    """The link opens the discovery document, and the page fits a small screen."""
    await tab.set_viewport_size({"width": 320, "height": 600})
    await tab.goto(f"{world.issuer}/")
    fits = await tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    await tab.locator("#home-discovery").click()

    assert fits
    await expect(tab).to_have_url(f"{world.issuer}/.well-known/openid-configuration")


async def test_home_page_is_at_the_root_only(world: World) -> None:
    """GET and HEAD of the root are answered, other methods are not, and unknown paths are still 404 (HH-04)."""
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
