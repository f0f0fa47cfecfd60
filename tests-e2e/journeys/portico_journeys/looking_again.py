"""A page that is opened again until it shows something: what it shows is written after an answer was sent."""

from __future__ import annotations

from playwright.async_api import Page, expect

_TIMES = 40
_PAUSE_MS = 250


async def look_until(page: Page, address: str, selector: str) -> None:
    """Opens the address until an element is there; fails with what is missing."""
    for _ in range(_TIMES):
        await page.goto(address)
        if await page.locator(selector).count():
            return
        await page.wait_for_timeout(_PAUSE_MS)  # allow fixed-wait: between two looks
    await expect(page.locator(selector).first).to_be_visible()
