"""Email links that register a passkey in a browser without cookies of Portico, and invitations."""

from __future__ import annotations

import re
import secrets
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect
from portico_scenarios.administrator import Administrator
from portico_scenarios.login_pages import RelyingPartyPages
from portico_scenarios.mailbox import mails_to
from portico_scenarios.virtual_key import plug_in
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

USER = "portico.user.v2.UserService"
NEW = "a harbour in the early light"


class Newcomer:
    def __init__(self, world: World, admin: Administrator) -> None:
        self.world = world
        self.admin = admin
        self.id = f"new-{secrets.token_hex(4)}"
        self.mail = f"{self.id}@mail.example.test"

    async def add(self, **email: Any) -> None:
        body = self.admin.human(self.id, userId=self.id, email={"email": self.mail, **email})
        del body["password"]
        assert (await self.admin.json(f"{USER}.AddHumanUser", body)).code == 0

    async def call(self, method: str, body: Any, path: str) -> None:
        said = await self.admin.json(f"{USER}.{method}", body, path=f"/v2/users/{self.id}{path}")
        assert said.code == 0, said.body

    async def link(self) -> str:
        message = (await mails_to(self.world.mails, self.mail, 1))[-1]
        part = message.get_body(("plain",))
        [address] = re.findall(r"https?://\S+code=\S+", part.get_content() if part else "")
        return str(address)


@pytest.fixture
async def newcomer(world: World, admin: Administrator) -> Newcomer:
    return Newcomer(world, admin)


async def _register(tab: Page, link: str) -> None:
    await tab.goto(link)
    await tab.locator("#register-passkey-submit").click()
    await tab.locator("#webauthn-start").click()


async def test_passkey_is_registered_by_a_link_and_signs_in(tab: Page, world: World, newcomer: Newcomer) -> None:
    """A link registers a passkey on Portico's page, under its CSP and without a sign-in, and works once."""
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    await newcomer.add(isVerified=True)
    await newcomer.call("CreatePasskeyRegistrationLink", {"sendLink": {}}, "/passkeys/registration_link")
    link = await newcomer.link()
    assert link.startswith(f"{world.issuer}/ui/login/passkey/registration?")
    await plug_in(tab)
    await _register(tab, link)
    await expect(tab.locator("#passkey-registered-page")).to_be_visible()
    assert newcomer.id not in tab.url
    await tab.goto(link)
    await expect(tab.locator("#link-ended-page")).to_be_visible()
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await tab.locator("#passkey-start").click()
    await tab.locator("#webauthn-start").click()
    await pages.expect_signed_in()
    claims = (await pages.session())["claims"]

    assert (claims["sub"], claims["amr"]) == (newcomer.id, ["hwk", "user", "mfa"])
    assert said == []


async def test_link_opened_twice_registers_one_passkey(tab: Page, browser: Browser, newcomer: Newcomer) -> None:
    """The first browser that uses the link registers the passkey, and the other one gets an error."""
    await newcomer.add(isVerified=True)
    await newcomer.call("CreatePasskeyRegistrationLink", {"sendLink": {}}, "/passkeys/registration_link")
    link = await newcomer.link()
    await plug_in(tab)
    await tab.goto(link)
    await tab.locator("#register-passkey-submit").click()
    await expect(tab.locator("#webauthn-start")).to_be_enabled()
    elsewhere = await browser.new_page()
    try:
        await plug_in(elsewhere)
        await _register(elsewhere, link)
        await expect(elsewhere.locator("#passkey-registered-page")).to_be_visible()
    finally:
        await elsewhere.close()
    await tab.locator("#webauthn-start").click()

    await expect(tab.locator("#login-problem")).to_be_visible()


async def test_passkey_link_without_scripts_explains_itself(browser: Browser, newcomer: Newcomer) -> None:
    """Without scripts the page explains the requirement, and the link stays valid for another browser."""
    await newcomer.add(isVerified=True)
    await newcomer.call("CreatePasskeyRegistrationLink", {"sendLink": {}}, "/passkeys/registration_link")
    link = await newcomer.link()
    context = await browser.new_context(java_script_enabled=False)
    try:
        tab = await context.new_page()
        await tab.goto(link)
        await tab.locator("#register-passkey-submit").click()
        await expect(tab.locator("#webauthn-script")).to_be_visible()
        await expect(tab.locator("#webauthn-start")).to_be_disabled()
    finally:
        await context.close()
    other = await browser.new_page()
    try:
        await plug_in(other)
        await _register(other, link)
        await expect(other.locator("#passkey-registered-page")).to_be_visible()
    finally:
        await other.close()


async def test_invitation_sets_a_password(tab: Page, world: World, newcomer: Newcomer) -> None:
    """One email verifies the address and sets a password, and then the browser is signed in (decision 0128)."""
    await newcomer.add(returnCode={})
    await newcomer.call("CreateInviteCode", {"sendCode": {"applicationName": "The Shop"}}, "/invite_code")
    await tab.goto(await newcomer.link())
    await tab.locator("#new-password").fill(NEW)
    await tab.locator("#set-password-submit").click()
    await expect(tab.locator("#password-set-page")).to_be_visible()
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await pages.expect_signed_in()

    assert (await pages.session())["userinfo"]["email_verified"] is True
