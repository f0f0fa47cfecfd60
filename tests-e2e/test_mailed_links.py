"""Links in emails verify an address and set a password, in a browser without cookies of Portico."""

from __future__ import annotations

import re
import secrets

import pytest
from playwright.async_api import Browser, Page, expect
from portico_scenarios.administrator import PASSWORD, Administrator
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages
from portico_scenarios.mailbox import mails_to
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

USER = "portico.user.v2.UserService"
NEW = "a harbour in the early light"


async def _link(world: World, mail: str, count: int) -> str:
    message = (await mails_to(world.mails, mail, count))[-1]
    part = message.get_body(("plain",))
    text = part.get_content() if part else ""
    [address] = re.findall(r"https?://\S+code=\S+", text)
    link: str = address
    return link


@pytest.mark.parametrize(
    "scripts",
    [
        pytest.param(True, id="with scripts", marks=pytest.mark.long),
        pytest.param(False, id="without scripts"),
    ],
)
async def test_created_user_verifies_email_and_sets_password(
    either_tab: Page, world: World, admin: Administrator
) -> None:
    """A created user verifies the email address, then sets a password by a second email, and signs in."""
    name = f"made-{secrets.token_hex(4)}"
    body = admin.human(name, email={"email": f"{name}@mail.example.test"})
    del body["password"]
    made = await admin.json(f"{USER}.AddHumanUser", body)
    assert made.code == 0, made.body
    link = await _link(world, body["email"]["email"], 1)
    assert link.startswith(f"{world.issuer}/ui/login/mail/verification?")
    await either_tab.goto(link)
    await either_tab.locator("#confirm-mail-submit").click()
    await either_tab.locator("#password-forgot").click()
    await either_tab.locator("#loginname").fill(body["username"])
    await either_tab.locator("#forgot-password-submit").click()
    await expect(either_tab.locator("#password-link-sent-page")).to_be_visible()
    await either_tab.goto(await _link(world, body["email"]["email"], 2))
    await either_tab.locator("#new-password").fill(NEW)
    await either_tab.locator("#set-password-submit").click()
    await expect(either_tab.locator("#password-set-page")).to_be_visible()
    pages = RelyingPartyPages(either_tab, world.rp_url("basic"))
    await pages.begin()
    await LoginPages(either_tab).sign_in(body["username"], NEW)
    await pages.expect_signed_in()
    session = await pages.session()

    assert session["userinfo"]["email_verified"] is True


@pytest.mark.long
async def test_forgotten_password_is_reset_by_code(tab: Page, world: World, admin: Administrator) -> None:
    """The login name is prefilled, and the emailed code continues the sign-in to the application."""
    body = admin.human(f"code-{secrets.token_hex(4)}")
    assert (await admin.json(f"{USER}.AddHumanUser", body)).code == 0
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await tab.locator("#loginname").fill(body["username"])
    await tab.locator("#loginname-submit").click()
    await tab.locator("#password-forgot").click()
    await expect(tab.locator("#loginname")).to_have_value(body["username"])
    await tab.locator("#forgot-password-submit").click()
    code = (await _link(world, body["email"]["email"], 1)).partition("code=")[2].partition("&")[0]
    await tab.locator("#password-code").fill(code)
    await tab.locator("#new-password").fill(NEW)
    await tab.locator("#new-password-show").click()
    await expect(tab.locator("#new-password")).to_have_attribute("type", "text")
    await tab.locator("#set-password-submit").click()

    await pages.expect_signed_in()


async def test_forgotten_password_is_reset_by_link(
    tab: Page, browser: Browser, world: World, admin: Administrator
) -> None:
    """After a reset in another browser, the sign-in accepts the new password and refuses the old one."""
    body = admin.human(f"lost-{secrets.token_hex(4)}")
    assert (await admin.json(f"{USER}.AddHumanUser", body)).code == 0
    pages = RelyingPartyPages(tab, world.rp_url("basic"))
    await pages.begin()
    await tab.locator("#loginname").fill(body["username"])
    await tab.locator("#loginname-submit").click()
    await tab.locator("#password-forgot").click()
    await tab.locator("#loginname").fill(body["email"]["email"])
    await tab.locator("#forgot-password-submit").click()
    elsewhere = await browser.new_page()
    try:
        await elsewhere.goto(await _link(world, body["email"]["email"], 1))
        await expect(elsewhere.locator("#password-rules li")).to_have_count(1)
        await elsewhere.locator("#new-password").fill("password1")
        await elsewhere.locator("#set-password-submit").click()
        await expect(elsewhere.locator("#login-problem")).to_be_visible()
        await elsewhere.locator("#new-password").fill(NEW)
        await elsewhere.locator("#set-password-submit").click()
        await expect(elsewhere.locator("#password-set-page")).to_be_visible()
    finally:
        await elsewhere.close()
    await tab.locator("#login-back").click()
    for password in (PASSWORD, NEW):
        await tab.locator("#password").fill(password)
        await tab.locator("#password-submit").click()
        if password == PASSWORD:
            await expect(tab.locator("#login-problem")).to_be_visible()

    await pages.expect_signed_in()


@pytest.mark.parametrize(
    "scripts",
    [
        pytest.param(True, id="with scripts", marks=pytest.mark.long),
        pytest.param(False, id="without scripts"),
    ],
)
async def test_notice_link_ends_all_sessions_and_resets_password(
    either_tab: Page, tab: Page, world: World, admin: Administrator
) -> None:
    """The link in a notice of a password change ends all sessions and sets a new password."""
    body = admin.human(f"robbed-{secrets.token_hex(4)}")
    added = await admin.json(f"{USER}.AddHumanUser", body)
    assert added.code == 0, added.body
    stolen = {"newPassword": {"password": "the password of a thief"}}
    changed = await admin.json(f"{USER}.SetPassword", stolen, path=f"/v2/users/{added.body['userId']}/password")
    assert changed.code == 0, changed.body
    thief = RelyingPartyPages(tab, world.rp_url("basic"))
    await thief.begin()
    await LoginPages(tab).sign_in(body["username"], "the password of a thief")
    await thief.expect_signed_in()
    mail = body["email"]["email"]
    link = await _link(world, mail, 1)
    assert link.startswith(f"{world.issuer}/ui/login/recovery?code=")
    await either_tab.goto(link)
    await either_tab.goto(link)
    await either_tab.locator("#recover-account-submit").click()
    await expect(either_tab.locator("#recovery-code-page")).to_be_visible()
    message = (await mails_to(world.mails, mail, 2))[-1]
    part = message.get_body(("plain",))
    [code] = re.findall(r"^    ([A-Z2-9]{6})\s*$", part.get_content() if part else "", re.MULTILINE)
    await either_tab.locator("#password-code").fill(code)
    await either_tab.locator("#new-password").fill(NEW)
    await either_tab.locator("#set-password-submit").click()
    await expect(either_tab.locator("#password-set-page")).to_be_visible()
    await either_tab.goto(link)
    await either_tab.locator("#recover-account-submit").click()
    await expect(either_tab.locator("#recovery-ended-page #login-problem")).to_be_visible()
    await thief.begin()
    await LoginPages(tab).sign_in(body["username"], NEW)

    await thief.expect_signed_in()
