"""The pages work without scripts and carry security headers."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, Page, Response
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages
from portico_scenarios.participants import ALICE
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

FIRST_VIEW = 30_000
"""Bytes of the first view, style sheet included."""


async def test_login_works_without_scripts(browser: Browser, world: World) -> None:
    """With JavaScript switched off the whole password login works."""
    context = await browser.new_context(java_script_enabled=False)
    try:
        tab = await context.new_page()
        pages = RelyingPartyPages(tab, world.rp_url("basic"))
        await pages.begin()
        await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
        await pages.expect_signed_in()
    finally:
        await context.close()


async def test_first_view_is_small_and_same_origin(tab: Page, world: World) -> None:
    """The login page and its resources stay below 30 kB and come from the issuer alone (AZ-17)."""
    loaded: list[Response] = []
    tab.on("response", lambda response: loaded.append(response))  # noqa: PLW0108 - it cannot wrap a builtin
    await tab.goto(begin(world.metadata, world.clients["basic"]).url, wait_until="networkidle")
    size = sum([len(await response.body()) for response in loaded if response.status == 200])

    assert loaded
    assert all(response.url.startswith(f"{world.issuer}/") for response in loaded if "data:" not in response.url)
    assert size <= FIRST_VIEW


async def test_pages_cause_no_console_messages(tab: Page, world: World) -> None:
    """The pages of a sign-in cause no warning in the browser's console, such as a CSP violation (AZ-08)."""
    said: list[str] = []
    # Blocked requests are logged as errors; an autofocus notice is harmless.
    tab.on("console", lambda message: said.append(message.text) if message.type in {"error", "warning"} else None)
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()

    assert said == []


async def test_every_page_has_security_headers(world: World) -> None:
    """All pages allow only their own scripts, and no frames, caching or referrer (AZ-08, AZ-17)."""
    begun = begin(world.metadata, world.clients["basic"])
    async with world.agent() as agent:
        pages = [
            await agent.open(begun.url),
            await agent.press("loginname-submit", loginname=ALICE.login_name),
            await agent.open(begin(world.metadata, world.clients["basic"], redirect_uri="https://x.test").url),
            await agent.open(f"{world.issuer}/ui/login/logged-out"),
            await agent.open(f"{world.issuer}/ui/login/nothing-here"),
        ]

    assert [page.status for page in pages] == [200, 200, 400, 200, 404]
    assert pages[3].shows("logged-out-page")
    for page in pages:
        headers = page.response.headers
        policy = headers["content-security-policy"]
        scripts = re.findall(r"<script.*?>", page.response.text)
        allowed = re.findall(r"script-src ([^;]*);", policy)
        assert [f'<script src="{urlsplit(source).path}' for source in allowed] == [
            one.partition("?")[0] for one in scripts
        ]
        assert all(source.startswith(f"{world.issuer}/ui/login/static/") for source in allowed)
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert all(part in policy for part in ("object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"))
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "same-origin"
        assert "access-control-allow-origin" not in headers


async def test_form_action_is_limited_to_the_issuer(world: World) -> None:
    """form-action allows the issuer only, because a page instead of a redirect leads back (decision 0126)."""
    async with world.agent() as agent:
        page = await agent.open(begin(world.metadata, world.clients["basic"]).url)
    policy = page.response.headers["content-security-policy"]
    form_action = next(part.strip() for part in policy.split(";") if part.strip().startswith("form-action"))

    assert form_action == "form-action 'self'"


async def test_fields_have_autocomplete_values(tab: Page, world: World) -> None:
    """The fields have the autocomplete values that password managers use, and a label each."""
    found = []
    await tab.goto(begin(world.metadata, world.clients["basic"]).url)
    for id in ("loginname", "password"):
        if id == "password":
            await LoginPages(tab).enter_login_name(ALICE.login_name)
        words = (await tab.locator(f"#{id}").get_attribute("autocomplete") or "").split()
        found.append((words, await tab.locator(f"label[for={id}]").count()))

    assert found == [(["username", "webauthn"], 1), (["current-password"], 1)]
