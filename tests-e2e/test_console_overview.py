"""The figures on the first page of an organization in a browser."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect
from portico_harness.eventually import eventually
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

HOME = "/ui/console/orgs/demo-organization"


@pytest.fixture
async def console(admin_tab: Page, world: World) -> Page:
    await admin_tab.goto(f"{world.issuer}{HOME}")
    return admin_tab


async def test_sign_in_appears_in_figures_chart_and_table(console: Page) -> None:
    """The sign-in of the administrator reaches the first page through the bus; one click opens its events."""

    async def number() -> int:
        await console.reload()
        return int(await console.locator("#figure-sign-ins strong").inner_text())

    await eventually(number, bool)
    await expect(console.locator(".chart rect.ok").last).to_be_visible()
    await console.locator("#numbers summary").click()
    await expect(console.locator("#numbers tbody tr")).to_have_count(30)
    async with console.expect_navigation():
        await console.locator("#figure-sign-ins a").click()
    await expect(console.locator(".event").first).to_be_visible()
