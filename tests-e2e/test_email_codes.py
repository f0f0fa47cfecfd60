"""Sign-in with an emailed code instead of a password (decision 0099), through the real gateway."""

from __future__ import annotations

import re
import secrets
from urllib.parse import urlencode

import pytest
from playwright.async_api import Browser, Page, expect
from portico_contracts.apply import Document, Email, EndUser, LoginPolicy, Organization, Profile
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages
from portico_scenarios.mailbox import mails_to
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e


@pytest.fixture
async def zoe(world: World) -> str:
    """A user without a password in an organization that allows emailed codes; returns the id."""
    id = f"zoe-{secrets.token_hex(4)}"
    email = Email(email=f"{id}@mail.example.test", is_verified=True)
    human = EndUser(id=id, username=id, profile=Profile(first_name="Zoe", last_name="Example"), email=email)
    policy = LoginPolicy(allow_email_code_sign_in=True)
    org = Organization(id=f"org-{id}", name=id, humans=(human,), login_policy=policy)
    await world.stack.apply(Document(organizations=(org,)))
    return id


async def request_code(world: World, tab: Page, zoe: str, name: str) -> None:
    scope = f"openid urn:portico:org:id:org-{zoe}"
    await RelyingPartyPages(tab, world.rp_url("basic")).begin(urlencode({"scope": scope}))
    await LoginPages(tab).enter_login_name(name)
    await tab.locator("#email-code-start").click()
    await expect(tab.locator("#email-code-page")).to_be_visible()


async def enter(tab: Page, code: str) -> None:
    await tab.locator("#email-code").fill(code)
    await tab.keyboard.press("Enter")


async def code_to(world: World, zoe: str, count: int = 1) -> str:
    body = (await mails_to(world.mails, f"{zoe}@mail.example.test", count))[-1].get_body(("plain",))
    [code] = re.findall(r"^ {4}([0-9]{8})\r?$", body.get_content() if body else "", re.MULTILINE)
    return str(code)


async def test_user_signs_in_with_an_emailed_code(world: World, either_tab: Page, browser: Browser, zoe: str) -> None:
    """The page is that of an unknown name, and the code works only in the browser that requested it."""
    await request_code(world, either_tab, zoe, "unknown")
    unknown = await either_tab.locator("#email-code-page p.lead").inner_text()
    await request_code(world, either_tab, zoe, f"{zoe}@mail.example.test")
    known = await either_tab.locator("#email-code-page p.lead").inner_text()
    code = await code_to(world, zoe)
    context = await browser.new_context(java_script_enabled=False)
    other = await context.new_page()
    await request_code(world, other, zoe, zoe)
    await enter(other, code)
    await expect(other.locator("#login-problem")).to_be_visible()
    await context.close()
    await enter(either_tab, "00000000")
    await expect(either_tab.locator("#login-problem")).to_be_visible()
    await enter(either_tab, f"{code[:4]} {code[4:]}")
    pages = RelyingPartyPages(either_tab, world.rp_url("basic"))
    await pages.expect_signed_in()
    claims = (await pages.session())["claims"]

    assert known == unknown
    assert (claims["sub"], claims["amr"], claims["acr"]) == (zoe, ["otp"], "urn:portico:acr:pwd")
