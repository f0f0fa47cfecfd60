"""Forms of the console: errors at their fields, and users are deleted several at a time."""

from __future__ import annotations

import secrets

import pytest
from playwright.async_api import Locator, Page, expect
from portico_scenarios.accessibility import violations_in_both_schemes
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e


@pytest.fixture
def walk(admin_tab: Page, world: World) -> Walk:
    return Walk(admin_tab, f"{world.issuer}/ui/console/orgs/demo-organization")


class Walk:
    """A page whose clicks are counted; typing and ticking are not."""

    def __init__(self, page: Page, base: str) -> None:
        self.page = page
        self.base = base
        self.clicks = 0

    async def open(self, path: str) -> None:
        await self.page.goto(self.base + path)

    async def press(self, what: str) -> None:
        self.clicks += 1
        async with self.page.expect_navigation():
            await self.page.locator(what).first.click()

    def __getitem__(self, selector: str) -> Locator:
        return self.page.locator(selector)


async def test_error_is_focused_at_its_field(walk: Walk) -> None:
    """The first wrong field has the focus, and its label links to it from the list above."""
    await walk.open("/webhooks/do/new")
    await walk["#f-name"].fill("Sink")
    await walk["#f-url"].fill("http://sink.example/")
    await walk["#f-eventTypes input[type=checkbox]"].first.check()
    await walk.press("#form-submit")

    await expect(walk["#form-problem a"]).to_have_text("Address")
    await expect(walk["#f-url"]).to_be_focused()
    await expect(walk["#f-url"]).to_have_attribute("aria-describedby", "f-url-hint f-url-problem")
    assert walk.clicks == 1
    assert await unusable(walk.page) == []


async def unusable(page: Page) -> list[str]:
    """Returns what axe-core, which needs timers, finds in light and dark, and whether the page is wider than 320 px."""
    found: list[str] = []
    if not await page.evaluate("matchMedia('(scripting: enabled)').matches"):
        return found
    await page.set_viewport_size({"width": 320, "height": 640})
    if await page.evaluate("document.documentElement.scrollWidth") > 320:
        found.append("wider than 320 px")
    found += await violations_in_both_schemes(page)
    await page.set_viewport_size({"width": 1280, "height": 800})
    return found


async def test_several_users_are_deleted(walk: Walk) -> None:
    """The confirmation has names and addresses and needs the number, and the results have names."""
    tag = secrets.token_hex(4)
    for number in range(3):
        await walk.open("/users/do/new")
        await walk["#f-profile-firstName"].fill("Grace")
        await walk["#f-profile-lastName"].fill(f"Number{number}")
        await walk["#f-email-email"].fill(f"gone-{tag}-{number}@demo.localhost")
        await walk.press("#form-submit")
    await walk.open(f"/users?q=gone-{tag}")
    for box in await walk["table tbody input[type=checkbox]"].all():
        await box.check()
    await walk["#more-actions summary"].click()
    await walk.press("button[formaction*='/users/do/remove']")
    await expect(walk["h1"]).to_have_text("Delete 3 users")
    await expect(walk["#confirm-names"]).to_contain_text(f"gone-{tag}-2@demo.localhost")
    assert await unusable(walk.page) == []
    await walk["#typed_name"].fill("3")
    await walk.press("#confirm-submit")

    await expect(walk["#results .state.good"]).to_have_count(3)
    await expect(walk["#results"]).to_contain_text("Grace Number1")
    await walk.open(f"/users?q=gone-{tag}")
    await expect(walk["#list-empty"]).to_be_visible()
