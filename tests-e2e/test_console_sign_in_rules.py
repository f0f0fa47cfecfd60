"""Sign-in rules in the console: switches in place, and who is affected before anything is saved."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

ORG = "/ui/console/orgs/demo-organization"


class Clicks:
    """A page whose clicks are counted; each leads to another page unless it is a switch."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    async def press(self, selector: str) -> None:
        self.count += 1
        async with self.page.expect_navigation():
            await self.page.locator(selector).click()

    async def switch(self, selector: str) -> None:
        self.count += 1
        await self.page.locator(selector).click()


@pytest.fixture
async def console(admin_tab: Page, world: World) -> Page:
    await admin_tab.goto(f"{world.issuer}{ORG}")
    await expect(admin_tab.locator("#org-heading")).to_be_visible()
    return admin_tab


async def test_second_factor_is_required_after_a_look_at_who_lacks_one(console: Page) -> None:
    """Four clicks from the organization's start page: rules, switch, save, confirm; two more to reset it."""
    clicks = Clicks(console)
    await clicks.press(f'nav a[href="{ORG}/rules/login"]')
    await expect(console.locator("#login-badge")).to_have_text("Inherited")
    await clicks.switch("#forceMfa")
    await clicks.press("#save-login")
    await expect(console.locator("#effects")).to_contain_text("no second factor")
    await clicks.press("#confirm-save")
    await expect(console.locator("#notice")).to_contain_text("The rules for Demo were saved.")
    await expect(console.locator("#login-badge")).to_have_text("Overridden")
    await expect(console.locator("#forceMfa")).to_be_checked()
    assert clicks.count == 4

    await clicks.press("#login-reset")
    await clicks.press("#confirm-submit")
    await expect(console.locator("#login-badge")).to_have_text("Inherited")
    await expect(console.locator("#forceMfa")).not_to_be_checked()
    assert clicks.count == 6


@pytest.mark.long
async def test_harmless_rule_is_saved_by_one_click(console: Page) -> None:
    """A wrong number is refused at its field with what was typed; the other cards stay inherited."""
    await console.goto(console.url.partition("?")[0] + "/rules/login")
    clicks = Clicks(console)
    await console.locator("#minLength").fill("7")
    await clicks.press("#save-password")
    await expect(console.locator("#minLength")).to_have_attribute("aria-invalid", "true")
    await expect(console.locator("#minLength")).to_have_value("7")
    await console.locator("#minLength").fill("12")
    await clicks.press("#save-password")
    await expect(console.locator("#password-badge")).to_have_text("Overridden")
    await expect(console.locator("#lockout-badge")).to_have_text("Inherited")
    assert clicks.count == 2
    await clicks.press("#password-reset")
    await clicks.press("#confirm-submit")
