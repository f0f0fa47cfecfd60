"""Registration without a password: an emailed code, then a passkey of Chromium's virtual authenticator."""

from __future__ import annotations

import secrets
from urllib.parse import urlencode

import pytest
from playwright.async_api import Page, expect
from portico_contracts.apply import Document, FirstFactorName, LoginPolicy, Organization
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages
from portico_scenarios.mailbox import mailed_code
from portico_scenarios.virtual_key import plug_in
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e


async def test_passkey_is_the_first_factor_of_a_new_account(world: World, tab: Page) -> None:
    """Where only passkeys are allowed, registration leads to one, and the next sign-in uses it."""
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    tag = secrets.token_hex(4)
    mail, policy = (
        f"nora-{tag}@mail.example.test",
        LoginPolicy(may_register=True, first_factors=(FirstFactorName.PASSKEY,)),
    )
    await world.stack.apply(Document(organizations=(Organization(id=f"org-{tag}", name=tag, login_policy=policy),)))
    await plug_in(tab)
    pages, login = RelyingPartyPages(tab, world.rp_url("basic")), LoginPages(tab)
    scope = f"openid profile email urn:portico:org:id:org-{tag}"
    await pages.begin(urlencode({"prompt": "create", "scope": scope}))
    await expect(tab.locator("#register-password")).to_have_count(0)
    await login.register(mail, "")
    await login.enter_mail_code(await mailed_code(world.mails, mail))
    await expect(tab.locator("#enrol-passkey-page")).to_be_visible()
    await expect(tab.locator("#enrol-skip")).to_have_count(0)
    await tab.locator("#webauthn-start").click()
    await tab.locator("#recovery-codes-submit").click()
    await pages.expect_signed_in()
    first = (await pages.session())["claims"]
    await pages.begin(urlencode({"prompt": "login", "scope": scope}))
    await tab.locator("#passkey-start").click()
    await tab.locator("#webauthn-start").click()
    await pages.expect_signed_in()
    again = (await pages.session())["claims"]

    assert again["sub"] == first["sub"]
    assert again["amr"] == ["hwk", "user", "mfa"]
    assert said == []
