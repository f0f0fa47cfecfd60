"""The pages are plain HTML: they work without scripts, and carry the headers that keep them safe."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, Page, Response
from portico_journeys.login_pages import LoginPages, RelyingPartyPages
from portico_journeys.participants import ALICE
from portico_journeys.relying_party import begin
from portico_journeys.world import World

pytestmark = pytest.mark.e2e

FIRST_VIEW = 30_000
"""Bytes of the first view, style sheet included."""


async def test_whole_login_works_without_scripts(browser: Browser, world: World) -> None:
    """With JavaScript switched off the password login works from end to end."""
    context = await browser.new_context(java_script_enabled=False)
    try:
        tab = await context.new_page()
        pages = RelyingPartyPages(tab, world.rp_url("basic"))
        await pages.begin()
        await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
        await pages.expect_signed_in()
    finally:
        await context.close()


async def test_first_view_is_small_and_all_our_own(tab: Page, world: World) -> None:
    """The login page and all it loads stay below 30 kB and come from the issuer alone (AZ-17)."""
    loaded: list[Response] = []
    tab.on("response", lambda response: loaded.append(response))  # noqa: PLW0108 - it cannot wrap a builtin
    await tab.goto(begin(world.metadata, world.clients["basic"]).url, wait_until="networkidle")
    size = sum([len(await response.body()) for response in loaded if response.status == 200])

    assert loaded
    assert all(response.url.startswith(f"{world.issuer}/") for response in loaded if "data:" not in response.url)
    assert size <= FIRST_VIEW


async def test_console_stays_clean(tab: Page, world: World) -> None:
    """Nothing on the way violates the pages' own policy: the console of the browser warns of nothing (AZ-08)."""
    said: list[str] = []
    # What is blocked is an error; that a field had the focus before the page requested it is only a note.
    tab.on("console", lambda message: said.append(message.text) if message.type in {"error", "warning"} else None)
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()

    assert said == []


async def test_every_page_carries_the_protecting_headers(world: World) -> None:
    """Login, password, error and signed-out page: no script but a file of ours, no frame, cache, referrer (AZ-08, AZ-17)."""
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


async def test_form_leads_to_the_issuer_only(world: World) -> None:
    """form-action names the issuer itself: a page leads back to the application, and no redirect (decision 6.8)."""
    async with world.agent() as agent:
        page = await agent.open(begin(world.metadata, world.clients["basic"]).url)
    policy = page.response.headers["content-security-policy"]
    form_action = next(part.strip() for part in policy.split(";") if part.strip().startswith("form-action"))

    assert form_action == "form-action 'self'"


async def test_password_managers_know_the_fields(tab: Page, world: World) -> None:
    """The fields carry the autocomplete values password managers look for, and a label each."""
    found = []
    await tab.goto(begin(world.metadata, world.clients["basic"]).url)
    for id in ("loginname", "password"):
        if id == "password":
            await LoginPages(tab).enter_login_name(ALICE.login_name)
        words = (await tab.locator(f"#{id}").get_attribute("autocomplete") or "").split()
        found.append((words, await tab.locator(f"label[for={id}]").count()))

    assert found == [(["username", "webauthn"], 1), (["current-password"], 1)]
