"""The frame of console and account page in a browser: keyboard, theme, navigation on a phone, and what is remembered."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, Page, StorageState, expect
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

ORG = "/ui/console/orgs/demo-organization"
TABS = 5
"""Presses of the tab key at most to the first control of the content."""


@pytest.fixture
async def console(admin_tab: Page, world: World) -> Page:
    await admin_tab.goto(f"{world.issuer}{ORG}/users")
    return admin_tab


@pytest.mark.parametrize("path", [f"{ORG}/users", f"{ORG}/users/admin", "/ui/console/api", "/ui/account/security"])
async def test_content_is_within_five_tabs(
    browser: Browser, world: World, administrators_cookies: StorageState, path: str
) -> None:
    """The skip link comes first, and the fifth tab at the latest is inside the content."""
    context = await browser.new_context(storage_state=administrators_cookies)
    page = await context.new_page()
    await page.goto(world.issuer + path)
    found = []
    for _ in range(TABS):
        await page.keyboard.press("Tab")
        found.append(
            await page.evaluate("[document.activeElement.className, !!document.activeElement.closest('main')]")
        )
    await context.close()

    assert found[0] == ["skip", False]
    assert [inside for _, inside in found][-1]


async def test_theme_is_chosen_in_two_clicks(console: Page) -> None:
    """The choice is a cookie: it needs no script, and the next page has it from its first byte."""
    ground = "getComputedStyle(document.body.querySelector('header')).backgroundColor"
    light = await console.evaluate(ground)
    await console.locator("#person-menu > summary").click()
    await console.locator("#theme-dark").click()
    await expect(console.locator("html")).to_have_attribute("data-theme", "dark")
    dark = await console.evaluate(ground)
    await console.locator("#nav .entries a").first.click()
    await expect(console.locator("html")).to_have_attribute("data-theme", "dark")

    assert light != dark
    assert await console.evaluate(ground) == dark


async def test_script_closes_a_menu_that_the_focus_leaves(
    browser: Browser, world: World, administrators_cookies: StorageState
) -> None:
    """A menu that stays open covers the focused control below it; Escape closes it and keeps the focus."""
    context = await browser.new_context(storage_state=administrators_cookies)
    page = await context.new_page()
    await page.goto(f"{world.issuer}{ORG}/users")
    summary, menu = page.locator("#export-menu > summary"), page.locator("#export-menu")
    await summary.press("Enter")
    await page.keyboard.press("Escape")
    await expect(menu).not_to_have_attribute("open", "")
    await expect(summary).to_be_focused()
    await summary.press("Enter")
    await page.keyboard.press("Tab")
    await expect(page.locator("#export-csv")).to_be_focused()
    await expect(menu).to_have_attribute("open", "")
    await page.locator("#export-json").press("Tab")
    await expect(menu).not_to_have_attribute("open", "")
    await context.close()


async def test_navigation_opens_on_a_phone(console: Page) -> None:
    """The navigation is hidden until the link of the bar opens it, and leads on."""
    await console.set_viewport_size({"width": 390, "height": 800})
    await expect(console.locator("#nav")).to_be_hidden()
    await console.locator(".to-nav").click()
    await expect(console.locator("#nav")).to_be_visible()
    await console.locator("#nav .close").click()
    await expect(console.locator("#nav")).to_be_hidden()
    await console.locator(".to-nav").click()
    await console.locator("#nav").get_by_role("link", name="Service users").click()
    await expect(console.locator("#list-heading")).to_have_text("Service users")


@pytest.mark.long
async def test_other_organizations_and_the_instance_are_in_the_switcher(console: Page) -> None:
    """From an organization to the instance, to another organization and back to the list: two clicks each."""
    await console.locator("#current-org").click()
    await console.locator("#to-instance").click()
    await expect(console.locator("#instance-heading")).to_have_text("Instance")
    await console.locator("#current-org").click()
    await console.locator("#to-all").click()
    await console.locator("#orgs").get_by_role("link", name="E2E", exact=True).click()
    await expect(console.locator("#current-org")).to_contain_text("E2E")


async def test_script_remembers_organizations_and_closed_groups(
    browser: Browser, world: World, administrators_cookies: StorageState
) -> None:
    """The last organizations are in the switcher, a closed group stays closed, and "/" goes to the search until it is off."""
    context = await browser.new_context(storage_state=administrators_cookies)
    page = await context.new_page()
    await page.goto(world.issuer + ORG)
    await page.locator("[data-group=Branding] > summary").click()
    await page.goto(f"{world.issuer}/ui/console/instance/orgs")
    await page.locator("#current-org").click()
    await page.locator("#switcher").get_by_role("link", name="Demo").click()
    await expect(page.locator("#org-heading")).to_be_visible()
    await expect(page.locator("[data-group=Branding]")).not_to_have_attribute("open", "")
    await expect(page.locator("[data-group='Users and groups']")).to_have_attribute("open", "")
    await page.keyboard.press("/")
    await expect(page.locator("#find")).to_be_focused()
    await page.keyboard.type("a/b")
    await expect(page.locator("#find")).to_have_value("a/b")
    await page.locator("#person-menu summary").click()
    await page.locator("#shortcut input").uncheck()
    await page.reload()
    await page.keyboard.press("/")
    await expect(page.locator("#find")).not_to_be_focused()
    await expect(page.locator("#find")).not_to_have_attribute("aria-keyshortcuts", "/")
    await context.close()


async def test_updates_of_a_page_can_be_paused(
    browser: Browser, world: World, administrators_cookies: StorageState
) -> None:
    """The requests of an application are read every two seconds, and not while the switch is off (WCAG 2.2.2)."""
    context = await browser.new_context(storage_state=administrators_cookies)
    page = await context.new_page()
    await page.clock.install()
    await page.goto(f"{world.issuer}{ORG}/projects/demo-project/apps/demo-app")
    async with page.expect_request("**/waiting*"):
        await page.clock.run_for(2_100)
    await page.locator("#waiting-live").uncheck()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.clock.run_for(10_000)
    await page.locator("#waiting-live").check()
    async with page.expect_request("**/waiting*"):
        await page.clock.run_for(2_100)
    assert len(asked) == 1, asked

    await context.clear_cookies()  # signed out elsewhere: the page asks once more
    async with page.expect_response(lambda answer: answer.status == 401):
        await page.clock.run_for(2_100)
    await expect(page.locator("#waiting-live")).not_to_be_checked()
    await context.close()


async def test_unchanged_part_of_a_page_keeps_the_focus(
    browser: Browser, world: World, administrators_cookies: StorageState
) -> None:
    """The part is read every two seconds, and replaced only if it has changed (WCAG 2.4.3)."""
    refused = {"client_id": "demo", "redirect_uri": "https://elsewhere.example/", "response_type": "code"}
    await world.http.get(world.metadata["authorization_endpoint"], params=refused)
    context = await browser.new_context(storage_state=administrators_cookies)
    page = await context.new_page()
    await page.clock.install()
    await page.goto(f"{world.issuer}{ORG}/projects/demo-project/apps/demo-app")
    link = page.locator("#waiting li a").first
    while not await link.count():  # the refusal arrives by the bus
        async with page.expect_response("**/waiting*"):
            await page.clock.run_for(2_100)
    await link.focus()
    for _ in range(2):
        async with page.expect_response("**/waiting*"):
            await page.clock.run_for(2_100)
    await expect(link).to_be_focused()
    await context.close()
