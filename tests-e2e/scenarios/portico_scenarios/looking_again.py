"""Reopens a page until it shows an element, for asynchronous writes."""

from __future__ import annotations

from playwright.async_api import Page, expect

_TIMES = 40
_PAUSE_MS = 250


async def look_until(page: Page, address: str, selector: str) -> None:
    """Reopens the URL until an element is present; fails with a description of the page."""
    for _ in range(_TIMES):
        await page.goto(address)
        if await page.locator(selector).count():
            return
        await page.wait_for_timeout(_PAUSE_MS)  # allow fixed-wait: between two looks
    await expect(page.locator(selector).first).to_be_visible()
