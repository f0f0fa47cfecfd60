"""The account page on a phone: a passkey, recovery codes, sessions and the confirmation of who it is."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Final

import pytest
from playwright.async_api import Browser, Locator, Page, expect
from portico_scenarios.accessibility import violations_in_both_schemes
from portico_scenarios.login_pages import LoginPages
from portico_scenarios.old_sign_ins import grow_old
from portico_scenarios.second_factor_user import PASSWORD, SecondFactorUser, second_factor_user
from portico_scenarios.virtual_key import plug_in
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

APPLE_PASSWORDS: Final = "fbfc3007154e4ecc8c0b6e020557d7bd"
"""An AAGUID of the list; that of the virtual authenticator has no name."""


class Phone:
    """A tab of 390 px with touch, which counts taps."""

    def __init__(self, tab: Page) -> None:
        self.tab = tab
        self.taps = 0

    async def tap(self, target: str | Locator) -> None:
        place = self.tab.locator(target) if isinstance(target, str) else target
        await place.tap()
        self.taps += 1

    def taken(self) -> int:
        """Returns the taps since the last call."""
        taps, self.taps = self.taps, 0
        return taps

    async def open(self, page: str) -> None:
        await self.tap(".to-nav")
        await self.tap(f"#nav a[href$='/{page}']")
        await expect(self.tab.locator("#account-heading")).to_be_visible()


@pytest.fixture
async def lee(world: World) -> SecondFactorUser:
    return await second_factor_user(world, "lee")


@pytest.fixture
async def phone(browser: Browser, world: World, lee: SecondFactorUser) -> AsyncIterator[Phone]:
    context = await browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    tab = await context.new_page()
    await plug_in(tab, transport="internal", aaguid=APPLE_PASSWORDS)
    await sign_in(tab, world, lee)
    yield Phone(tab)
    await context.close()


async def sign_in(tab: Page, world: World, lee: SecondFactorUser) -> None:
    await tab.goto(f"{world.issuer}/ui/account")
    await LoginPages(tab).sign_in(lee.id, PASSWORD)
    await expect(tab.locator("#account-heading")).to_contain_text("Lee")


async def test_account_page_on_a_phone(phone: Phone, browser: Browser, world: World, lee: SecondFactorUser) -> None:
    """Another session ends, an old sign-in is confirmed, a passkey has its maker's name and brings codes."""
    tab = phone.tab
    other = await (await browser.new_context()).new_page()
    try:
        await sign_in(other, world, lee)
        await phone.open("sessions")
        await phone.tap(tab.get_by_role("button", name="End session"))
        await expect(tab.locator("#sessions > li")).to_have_count(1)
        await other.goto(f"{world.issuer}/ui/account/profile")
        await expect(other.locator("#loginname")).to_be_visible()
    finally:
        await other.context.close()
    assert phone.taken() == 3

    await grow_old(world, lee.id)
    await tab.context.clear_cookies(name=re.compile("portico-account"))
    await tab.goto(f"{world.issuer}/ui/account/security")
    await phone.tap("#passkeys-new")
    await expect(tab.get_by_role("heading", level=1)).to_have_text("Confirm it is you")
    await expect(tab.locator("#loginname")).to_have_count(0)
    await tab.locator("#password").fill(PASSWORD)
    await phone.tap("#password-submit")
    await phone.tap("#webauthn-start")
    await expect(tab.locator("#notice")).to_have_text("Apple Passwords was added.")
    await expect(tab.locator("#recovery-codes li")).to_have_count(10)
    await phone.tap(tab.get_by_role("link", name="Back to security"))
    await expect(tab.locator("#codes")).to_contain_text("10 codes are left.")
    passkey = tab.locator("#passkeys .way", has_text="Apple Passwords")
    await phone.tap(passkey.locator("summary"))
    await passkey.locator("input:visible").fill("My phone")
    await phone.tap(passkey.get_by_role("button", name="Rename"))
    await expect(tab.locator("#passkeys .way", has_text="My phone")).to_contain_text("Apple Passwords · added")
    assert phone.taken() == 6
    assert await violations(tab, world) == []


async def violations(tab: Page, world: World) -> list[str]:
    """Returns those on the pages with rows."""
    found: list[str] = []
    for place in ("security", "sessions", "access", "history"):
        await tab.goto(f"{world.issuer}/ui/account/{place}")
        found += [f"{place}: {one}" for one in await violations_in_both_schemes(tab)]
    return found
