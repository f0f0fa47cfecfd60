"""Emails on the mail catcher's page and in its API."""

from __future__ import annotations

import re
import secrets

import pytest
from playwright.async_api import Browser, Page, expect
from portico_harness.eventually import eventually
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e


async def test_new_user_finds_the_code_on_the_catchers_page(browser: Browser, world: World, tab: Page) -> None:
    """The registration code is on the catcher's page and in its API without any setup."""
    catcher, mail = world.stack.layout.mail.page, f"nora-{secrets.token_hex(6)}@mail.example.test"
    pages, login = RelyingPartyPages(tab, world.rp_url("basic")), LoginPages(tab)
    await pages.begin("prompt=create")
    await login.register(mail, "a lighthouse in the fog")
    await expect(tab.locator("#mail-shown")).to_have_text(mail)

    async def listed() -> list[dict[str, str]]:
        answer = await world.http.get(f"{catcher}/api/mails", params={"to": mail})
        found: list[dict[str, str]] = answer.json()["mails"]
        return found

    [heading] = await eventually(listed, bool)
    text = (await world.http.get(f"{catcher}/api/mails/{heading['id']}")).json()["text"]
    [code] = re.findall(r"^\s*([0-9A-Z]{6})\s*$", text, re.MULTILINE)
    reader = await browser.new_page()
    try:
        await reader.goto(f"{catcher}/?to={mail}")
        await reader.get_by_role("link", name=heading["subject"]).click()
        await expect(reader.locator("#mail-text")).to_contain_text(code)
        await expect(reader.frame_locator("#mail-html").locator("body")).to_contain_text(code)
    finally:
        await reader.close()
    await login.enter_mail_code(code)

    await pages.expect_signed_in()
    assert (await pages.session())["userinfo"]["email"] == mail
