from __future__ import annotations

from playwright.async_api import Page


async def choose_action(page: Page, word: str) -> None:
    """Follows or sends an action in the header of an object's page; opens its menu by keyboard first."""
    action = page.locator(f".page-head #do-{word}")
    if not await action.is_visible():
        await page.locator("#more-actions summary").press("Enter")
    async with page.expect_navigation():
        await action.click()
