from __future__ import annotations

from typing import Any

import httpx
import pytest
from portico_fakes.console_service import ConsoleService

BRANDING = "portico.management.v1.CallerService/GetMyBranding"
LOOKS: dict[str, Any] = {
    "light": {"primary": "#7a1fa2"},
    "dark": {},
    "logoUrl": "/ui/branding/logos/abc",
    "logoText": "<Shop>",
    "tosLink": "https://shop.example/terms",
    "supportEmail": "help@shop.example",
}


async def page(console: ConsoleService, path: str) -> str:
    """Returns a page for a user who signs in for it."""
    async with console.browser() as browser:
        await console.sign_in(browser, path)
        return (await browser.get(path)).text


async def test_account_page_has_the_organizations_branding(console: ConsoleService) -> None:
    """Colours, logo and links are applied, and the logo has its alternative text."""
    console.provider.answers[BRANDING] = lambda _fields, _request: httpx.Response(200, json=LOOKS)
    text = await page(console, "/ui/account")

    assert 'id="branded-stylesheet" href="/ui/login/branding/7a1fa2-0-0-0-0-0-0-0-system.css?v=' in text
    assert 'src="/ui/branding/logos/abc" alt="&lt;Shop&gt;"' in text
    assert 'id="org-tos" href="https://shop.example/terms"' in text
    assert 'href="mailto:help@shop.example"' in text


async def test_console_has_its_own_branding(console: ConsoleService) -> None:
    """An administrator may manage many organizations, so the console does not request a branding."""
    console.provider.answers[BRANDING] = lambda _fields, _request: httpx.Response(200, json=LOOKS)
    text = await page(console, "/ui/console")

    assert "branded-stylesheet" not in text
    assert BRANDING not in [method for method, _fields in console.provider.calls]


@pytest.mark.parametrize(
    "answer",
    [httpx.Response(503), httpx.Response(200, json={"fontFamily": "of a newer release"}), httpx.Response(200, json={})],
)
async def test_unavailable_branding_shows_the_default(console: ConsoleService, answer: httpx.Response) -> None:
    console.provider.answers[BRANDING] = lambda _fields, _request: answer

    assert "branded-stylesheet" not in await page(console, "/ui/account")
