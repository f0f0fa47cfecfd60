"""Enrolment through the real gateway: a required second factor is missing and is registered at sign-in (decision
0046).
"""

from __future__ import annotations

import base64
import re

import pytest
from playwright.async_api import Page, expect
from portico_contracts.apply import LoginPolicy
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages
from portico_scenarios.mailbox import mails_to
from portico_scenarios.second_factor_user import PASSWORD, SecondFactorUser, second_factor_user
from portico_scenarios.virtual_key import plug_in
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

OTP = ["pwd", "otp", "mfa"]


@pytest.fixture
async def kim(world: World) -> SecondFactorUser:
    """A new user without a second factor, in an organization that requires one."""
    return await second_factor_user(world, "kim", policy=LoginPolicy(force_mfa=True))


async def enter_emailed_code(world: World, tab: Page, kim: SecondFactorUser) -> None:
    await expect(tab.locator("#enrol-mail-page")).to_be_visible()
    assert kim.mail not in await tab.content()
    body = (await mails_to(world.mails, kim.mail))[-1].get_body(("plain",))
    assert body is not None
    [code] = re.findall(r"^ {4}([0-9]{8})\r?$", body.get_content(), re.MULTILINE)
    await tab.locator("#otp").fill(code)
    await tab.locator("#otp-submit").click()


async def set_up_app(tab: Page, kim: SecondFactorUser) -> list[str]:
    """Sets up an authenticator app; returns the recovery codes."""
    await tab.locator("#enrol-totp").click()
    await expect(tab.locator("#totp-qr")).to_be_visible()
    assert await tab.locator("#totp-qr").evaluate("image => image.naturalWidth") > 100
    typed = (await tab.locator("#totp-secret").inner_text()).replace(" ", "")
    kim.secret = base64.b32decode(typed + "=" * (-len(typed) % 8))
    await tab.locator("#otp").fill("000000")
    await tab.locator("#otp-submit").click()
    await expect(tab.locator("#login-problem")).to_be_visible()
    assert (await tab.locator("#totp-secret").inner_text()).replace(" ", "") == typed
    await tab.locator("#otp").fill(kim.next_code())
    await tab.locator("#otp-submit").click()
    await expect(tab.locator("#recovery-codes li")).to_have_count(10)  # a reload before it repeats the form before
    codes = await tab.locator("#recovery-codes li").all_inner_texts()
    await tab.reload()
    await expect(tab.locator("#recovery-codes li")).to_have_count(10)
    assert await tab.locator("#recovery-codes li").all_inner_texts() == codes
    await tab.locator("#recovery-codes-submit").click()
    return codes


@pytest.mark.parametrize(
    "scripts",
    [
        pytest.param(True, id="with scripts", marks=pytest.mark.long),
        pytest.param(False, id="without scripts"),
    ],
)
async def test_sign_in_includes_enrolment(either_tab: Page, world: World, kim: SecondFactorUser) -> None:
    """Sign-in sets up an app and recovery codes; the next one requires the app or a recovery code."""
    said: list[str] = []
    either_tab.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    pages = RelyingPartyPages(either_tab, world.rp_url("basic"))
    await pages.begin()
    await LoginPages(either_tab).sign_in(kim.id, PASSWORD)
    await enter_emailed_code(world, either_tab, kim)
    codes = await set_up_app(either_tab, kim)
    await pages.expect_signed_in()
    claims = (await pages.session())["claims"]
    async with world.agent() as agent:
        begun, page = await kim.begin(agent)
        assert page.shows("totp-page")
        by_app = await kim.claims_after(begun, await agent.press("otp-submit", otp=kim.next_code()))
    async with world.agent() as agent:
        begun, _ = await kim.begin(agent)
        await agent.press("factor-recovery-code")
        by_code = await kim.claims_after(begun, await agent.press("otp-submit", otp=codes[0]))

    assert (claims["sub"], claims["amr"]) == (kim.id, OTP)
    assert len(set(codes)) == 10
    assert by_app["amr"] == by_code["amr"] == OTP
    assert said == []


@pytest.mark.parametrize(
    ("button", "protocol"), [("enrol-passkey", "ctap2"), pytest.param("enrol-key", "u2f", marks=pytest.mark.long)]
)
async def test_security_key_is_registered_at_sign_in(
    world: World, tab: Page, kim: SecondFactorUser, button: str, protocol: str
) -> None:
    """A security key is registered after another method was offered, and the next sign-in requires the key."""
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    await plug_in(tab, protocol)
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await LoginPages(tab).sign_in(kim.id, PASSWORD)
    await enter_emailed_code(world, tab, kim)
    await tab.locator(f"#{button}").click()
    await tab.locator("#enrol-back").click()
    await tab.locator(f"#{button}").click()
    await tab.locator("#webauthn-start").click()
    await expect(tab.locator("#recovery-codes li")).to_have_count(10)
    await tab.locator("#recovery-codes-submit").click()
    await pages.expect_signed_in()
    claims = (await pages.session())["claims"]
    async with world.agent() as agent:
        _, page = await kim.begin(agent)

    assert (claims["sub"], claims["amr"]) == (kim.id, ["pwd", "hwk", "user", "mfa"])
    assert page.shows("security-key-page")
    assert said == []


async def test_enrolment_can_be_cancelled(world: World, tab: Page, kim: SecondFactorUser) -> None:
    """A cancelled enrolment returns to the application, and the next sign-in starts it again."""
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await LoginPages(tab).sign_in(kim.id, PASSWORD)
    await enter_emailed_code(world, tab, kim)
    await LoginPages(tab).cancel()
    await expect(tab.locator("#rp-error")).to_contain_text("access_denied")
    async with world.agent() as agent:
        _, page = await kim.begin(agent)

    assert page.shows("enrol-mail-page")
