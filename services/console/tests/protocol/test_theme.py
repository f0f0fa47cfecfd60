from __future__ import annotations

import httpx
import pytest
from portico_fakes.console_service import ISSUER, ConsoleService

BRANDING = "portico.management.v1.CallerService/GetMyBranding"


async def choose(browser: httpx.AsyncClient, path: str, theme: str, back: str = "") -> httpx.Response:
    page = await browser.get(path)
    csrf = page.text.split('name="csrf" value="')[1].split('"')[0]
    root = "/".join(path.split("/")[:3])
    return await browser.post(
        f"{root}/theme", data={"csrf": csrf, "theme": theme, "back": back or path}, headers={"Origin": ISSUER}
    )


@pytest.mark.parametrize("path", ["/ui/console/orgs/o1", "/ui/account/profile"])
async def test_theme_is_chosen_without_a_script(console: ConsoleService, browser: httpx.AsyncClient, path: str) -> None:
    """The page is shown again in the theme; the system's theme is back when that is chosen."""
    await console.sign_in(browser, path)
    before = (await browser.get(path)).text
    chosen = await choose(browser, path, "dark")
    dark = (await browser.get(path)).text
    await choose(browser, path, "")
    after = (await browser.get(path)).text

    assert (chosen.status_code, chosen.headers["location"]) == (303, path)
    assert 'data-theme="dark"' in dark
    assert '<meta name="color-scheme" content="dark">' in dark
    assert "data-theme" not in before + after


async def test_theme_applies_to_the_organizations_colours(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """With a chosen theme the colours come from a stylesheet that does not follow the system."""
    looks = {"light": {"primary": "#7a1fa2"}, "dark": {}, "logoUrl": "/l", "logoUrlDark": "/d"}
    console.provider.answers[BRANDING] = lambda _fields, _request: httpx.Response(200, json=looks)
    await console.sign_in(browser, "/ui/account")
    await choose(browser, "/ui/account", "light")
    page = (await browser.get("/ui/account")).text
    address = page.split('id="branded-stylesheet" href="')[1].split('"')[0]
    css = await browser.get(address)

    assert 'class="preview-light"' in page
    assert css.status_code == 200
    assert ".preview-light{" in css.text
    assert "#7a1fa2" in css.text
    assert "prefers-color-scheme" not in css.text


async def test_theme_leads_back_to_own_pages_only(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """A form with another address, or with an unknown theme, changes nothing and leads to the first page."""
    await console.sign_in(browser, "/ui/account")
    chosen = await choose(browser, "/ui/account", "pink", back="https://evil.example/")

    assert chosen.headers["location"] == "/ui/account"
    assert "data-theme" not in (await browser.get("/ui/account")).text
