"""Adding an identity provider in the console: its redirect URI, a test that fails, one that works, and its button."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect
from portico_harness.ldap_server import PEOPLE_DN, SEARCH_DN
from portico_scenarios import independent_provider
from portico_scenarios.accessibility import violations_in_both_schemes
from portico_scenarios.federated import Federated
from portico_scenarios.independent_provider import CLIENT_ID, CLIENT_SECRET
from portico_scenarios.signed_in import signed_in

pytestmark = pytest.mark.e2e

ORG = "/ui/console/orgs/demo-organization"


class Clicks:
    """Counts what a user clicks."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    async def on(self, selector: str) -> None:
        self.count += 1
        async with self.page.expect_navigation():
            await self.page.locator(selector).first.click()


async def accessible(page: Page) -> None:
    """axe-core finds no violation in light and dark, and the page is not wider than 320 px."""
    found = await violations_in_both_schemes(page)
    await page.set_viewport_size({"width": 320, "height": 640})
    width = await page.evaluate("document.documentElement.scrollWidth")
    await page.set_viewport_size({"width": 1280, "height": 800})

    assert (found, width) == ([], 320)


@pytest.fixture
async def console(browser: Browser, federated: Federated, scripts: bool) -> AsyncIterator[Page]:
    world, path = federated.world, f"{ORG}/idps"
    cookies = await signed_in(world, path, "admin", world.stack.installation.admin_password)
    context = await browser.new_context(java_script_enabled=scripts, storage_state=cookies)
    page = await context.new_page()
    await page.goto(world.issuer + path)
    await expect(page.locator("#list-heading")).to_be_visible()
    yield page
    await context.close()


async def test_provider_from_redirect_uri_to_its_button(
    console: Page, federated: Federated, tmp_path: Path, scripts: bool
) -> None:
    """A wrong secret is explained, the claims are shown, nothing is created, and six clicks lead to the button."""
    name, clicks = f"Elsewhere {secrets.token_hex(3)}", Clicks(console)
    await clicks.on("#do-new")
    # A named preset, and the generic one.
    await clicks.on("#preset-keycloak" if scripts else "#preset-oidc")
    uri = await console.locator("#redirect-uri").inner_text()
    async with independent_provider.running(tmp_path, federated.openid_port, uri) as provider:
        await console.locator("#f-name").fill(name)
        await console.locator("#f-issuer").fill(provider.issuer)
        await console.locator("#f-clientId").fill(CLIENT_ID)
        await console.locator("#f-clientSecret").fill("a wrong secret")
        await clicks.on("#provider-save")
        await expect(console.locator("#redirect-uri")).to_have_text(uri)
        await console.locator("#test").click()
        await provider.sign_in_with(console, "ada")
        await expect(console.locator("#test-failed")).to_contain_text("Copy the secret again")
        await expect(console.locator("#test-failed")).to_contain_text("invalid_client")
        if scripts:
            await accessible(console)

        await console.locator("#edit").click()
        await console.locator("#f-clientSecret").fill(CLIENT_SECRET)
        await console.locator("#provider-save").click()
        clicks.count += 1
        await console.locator("#test").click()  # the provider remembers its session
        await expect(console.locator("#test-result")).to_contain_text("An account would be created at once.")
        await expect(console.locator(".claims").last).to_contain_text("ada@elsewhere.example")
        assert await console.get_by_text(CLIENT_SECRET).count() == 0
        if scripts:
            await accessible(console)
        await clicks.on("#to-provider")
        if scripts:
            await accessible(console)
        await expect(console.locator("#last-test .state.good")).to_be_visible()
        await expect(console.locator("#usage")).to_contain_text("0")
        await clicks.on("#button-set")
        await expect(console.locator("#button .state.good")).to_be_visible()

    assert clicks.count == 6


async def test_directory_is_tested_with_a_password(console: Page, federated: Federated) -> None:
    """The attributes of the entry are shown, and a wrong password is explained."""
    directory, uid = federated.directory, f"ada-{secrets.token_hex(3)}"
    directory.add(f"cn={uid}", uid=uid, sn="Byron", mail=f"{uid}@elsewhere.example", userPassword="one two three four")
    await console.locator("#do-new").click()
    await console.locator("#preset-ldap").click()
    await expect(console.locator("#redirect-uri")).to_have_count(0)
    await console.locator("#f-name").fill(f"Directory {uid}")
    await console.locator("#f-servers").fill(directory.ldaps)
    await console.locator("#f-baseDn").fill(PEOPLE_DN)
    await console.locator("#f-bindDn").fill(SEARCH_DN)
    await console.locator("#f-bindPassword").fill(directory.password)
    await console.locator(".more summary").click()
    await console.locator("#f-rootCa").fill(directory.authority)
    await console.locator("#provider-save").click()
    for password, shown in (("wrong", "#test-failed"), ("one two three four", "#test-result")):
        if password == "wrong":
            await console.locator("#test").click()
        await console.locator("#username").fill(uid)
        await console.locator("#password").fill(password)
        await console.locator("#test").click()
        await expect(console.locator(shown)).to_be_visible()
    await expect(console.locator(".claims")).to_contain_text(f"{uid}@elsewhere.example")
