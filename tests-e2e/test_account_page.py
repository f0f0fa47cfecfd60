from __future__ import annotations

import base64
import json
import re
from collections.abc import AsyncIterator
from typing import Literal
from urllib.parse import unquote

import pytest
from playwright.async_api import Browser, Page, expect
from portico_contracts.apply import (
    Document,
    Email,
    EndUser,
    LabelPolicy,
    Organization,
    PrivacyPolicy,
    Profile,
)
from portico_harness.eventually import eventually
from portico_scenarios.accessibility import OF_COLOURS, violations
from portico_scenarios.login_pages import LoginPages
from portico_scenarios.mailbox import mails_to
from portico_scenarios.old_sign_ins import grow_old
from portico_scenarios.participants import KnownUser
from portico_scenarios.second_factor_user import PASSWORD, SecondFactorUser, second_factor_user
from portico_scenarios.signed_in import signed_in
from portico_scenarios.virtual_key import plug_in
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

NEW_PASSWORD = "another whistle in the wood"


@pytest.fixture
async def lee(world: World) -> SecondFactorUser:
    return await second_factor_user(world, "lee")


@pytest.fixture
async def tab(browser: Browser, world: World, lee: SecondFactorUser, scripts: bool) -> AsyncIterator[Page]:
    cookies = await signed_in(world, "/ui/account", lee.id, PASSWORD)
    context = await browser.new_context(java_script_enabled=scripts, storage_state=cookies)
    page = await context.new_page()
    await page.goto(f"{world.issuer}/ui/account")
    yield page
    await context.close()


async def sign_in(page: Page, world: World, lee: SecondFactorUser, password: str) -> None:
    await page.goto(f"{world.issuer}/ui/account")
    await LoginPages(page).sign_in(lee.id, password)
    await expect(page.locator("#account-heading")).to_contain_text("Lee")


async def last_code(world: World, address: str) -> str:
    body = (await mails_to(world.mails, address))[-1].get_body(("plain",))
    assert body is not None
    [code] = re.findall(r"^ {4}([0-9A-Z]{6,8})\r?$", body.get_content(), re.MULTILINE)
    return str(code)


async def test_profile_and_email_are_changed(tab: Page, world: World, lee: SecondFactorUser) -> None:
    """A new email address replaces the present one only after the correct emailed code was entered."""
    await tab.goto(f"{world.issuer}/ui/account/profile")
    await tab.locator("#first_name").fill("Leonie")
    await tab.locator("#language").select_option("de")
    await tab.locator("#names-save").click()
    await expect(tab.locator("[role=status]")).to_be_visible()
    await expect(tab.locator("#first_name")).to_have_value("Leonie")
    new = f"new-{lee.mail}"
    await tab.locator("#email-change").click()
    await tab.locator("#email").fill(new)
    await tab.locator("#email-save").click()
    await expect(tab.locator("#email-pending")).to_have_text(new)
    await expect(tab.locator("#email-current")).to_have_text(lee.mail)
    await tab.locator("#code").fill("000000")
    await tab.locator("#email-verify").click()
    await expect(tab.locator("#email-code-problem")).to_be_visible()
    await tab.locator("#code").fill(await last_code(world, new))
    await tab.locator("#email-verify").click()
    await expect(tab.locator("#email-verify")).to_have_count(0)
    await expect(tab.locator("#email-current")).to_have_text(new)


async def test_password_change_requires_the_current_password(tab: Page, world: World, lee: SecondFactorUser) -> None:
    """A wrong current password or two different new ones change nothing; a new password signs in."""
    await tab.goto(f"{world.issuer}/ui/account/security")
    for current, new, repeated, changed in (
        ("wrong", NEW_PASSWORD, NEW_PASSWORD, False),
        (PASSWORD, NEW_PASSWORD, "different", False),
        (PASSWORD, NEW_PASSWORD, NEW_PASSWORD, True),
    ):
        if await tab.locator("#current").is_hidden():
            await tab.locator("#password-change").click()
        await tab.locator("#current").fill(current)
        await tab.locator("#new_password").fill(new)
        await tab.locator("#repeated").fill(repeated)
        await tab.locator("#password-save").click()
        await expect(tab.locator("#password-changed" if changed else "#password-problem")).to_be_visible()
        assert NEW_PASSWORD not in await tab.content()
    await tab.locator("#sign-in-again").click()
    await LoginPages(tab).sign_in(lee.id, NEW_PASSWORD)

    await expect(tab.locator("#account-heading")).to_contain_text("Lee")


async def test_totp_and_recovery_codes_are_set_up(tab: Page, world: World, lee: SecondFactorUser) -> None:
    """The secret is shown as QR code and text, recovery codes are shown once, and the next sign-in requires the app."""
    await tab.goto(f"{world.issuer}/ui/account/security/app/new")
    assert await tab.locator("#totp-qr").get_attribute("src")
    typed = (await tab.locator("#totp-secret").inner_text()).replace(" ", "")
    lee.secret = base64.b32decode(typed + "=" * (-len(typed) % 8))
    await tab.locator("#code").fill("000000")
    await tab.locator("#code-submit").click()
    await expect(tab.locator("#code-problem")).to_be_visible()
    await tab.locator("#code").fill(lee.next_code())
    await tab.locator("#code-submit").click()
    await expect(tab.locator("#notice")).to_be_visible()
    await expect(tab.locator("#recovery-codes li")).to_have_count(10)
    codes = await tab.locator("#recovery-codes li").all_inner_texts()
    file = await tab.locator("#recovery-codes-file").get_attribute("href")
    assert unquote(str(file)).partition(",")[2].split() == codes
    await tab.reload()
    await expect(tab.locator("#recovery-codes")).to_have_count(0)
    await tab.context.clear_cookies()
    await tab.goto(f"{world.issuer}/ui/account")
    await LoginPages(tab).sign_in(lee.id, PASSWORD)
    await tab.locator("#otp").fill(lee.next_code())
    await tab.locator("#otp-submit").click()

    await expect(tab.locator("#account-heading")).to_contain_text("Lee")
    assert len(codes) == 10


@pytest.mark.parametrize("kind", ["passkeys", pytest.param("keys", marks=pytest.mark.long)])
async def test_security_key_is_registered_and_removed(
    browser: Browser, world: World, lee: SecondFactorUser, kind: str
) -> None:
    """A security key is registered by the page's script, listed by name and removed; a device has one for a user."""
    context = await browser.new_context(storage_state=await signed_in(world, "/ui/account", lee.id, PASSWORD))
    try:
        page = await context.new_page()
        await plug_in(page)
        await page.goto(f"{world.issuer}/ui/account/security")
        await page.locator(f"#{kind}-new").click()
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
        for name in ("   ", "Blue key"):
            await page.locator("#name").fill(name)
            await page.locator("#webauthn-start").click()
        await page.locator("#recovery-codes").wait_for()
        await page.goto(f"{world.issuer}/ui/account/security")
        row = page.locator(f"#{kind} .way", has_text="Blue key")
        await expect(row).to_contain_text("never")
        assert len(sent) == 1, "a form that is not complete makes no key"
        await page.locator(f"#{kind}-new").click()
        await page.locator("#webauthn-start").click()
        await expect(page.locator("#webauthn-taken")).to_be_visible()
        await expect(page.locator("#webauthn-failed")).to_be_hidden()
        await page.goto(f"{world.issuer}/ui/account/security")
        await row.locator("summary").click()
        await row.locator("input:visible").fill("Red key")
        await row.get_by_role("button", name="Rename").click()
        row = page.locator(f"#{kind} .way", has_text="Red key")
        await row.locator("summary").click()
        await row.get_by_role("button", name="Remove").click()
        await expect(row).to_have_count(0)
    finally:
        await context.close()


async def test_application_access_is_revoked(tab: Page, world: World, lee: SecondFactorUser) -> None:
    """After revocation the application's refresh token is refused, and the account page continues to work."""
    person = KnownUser(lee.id, lee.id, PASSWORD)
    tokens = await world.tokens_of(person, "offline", scope="openid offline_access", prompt="consent")
    await tab.goto(f"{world.issuer}/ui/account/access")
    await expect(tab.locator("#access .state")).to_have_count(1)
    await expect(tab.locator("#access > li")).to_have_count(2)
    await tab.locator("#access").get_by_role("button", name="Revoke access").click()
    await expect(tab.locator("#access > li")).to_have_count(1)

    form = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    refused = await world.ask("token_endpoint", world.clients["offline"], **form)
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")
    await tab.goto(f"{world.issuer}/ui/account/profile")
    await expect(tab.locator("#account-heading")).to_be_visible()


@pytest.mark.long
async def test_another_session_is_ended(tab: Page, browser: Browser, world: World, lee: SecondFactorUser) -> None:
    """The other browser must sign in again; the current session is marked and has no end button."""
    other = await (await browser.new_context()).new_page()
    try:
        await sign_in(other, world, lee, PASSWORD)
        await tab.goto(f"{world.issuer}/ui/account/sessions")
        await expect(tab.locator("#sessions > li")).to_have_count(2)
        await expect(tab.locator("#sessions .state")).to_have_count(1)
        await expect(tab.locator("#sessions")).to_contain_text("Chrome, Linux")
        await tab.locator("#end-others").click()
        await expect(tab.locator("#sessions > li")).to_have_count(1)
        await other.goto(f"{world.issuer}/ui/account/profile")
        await expect(other.locator("#loginname")).to_be_visible()
    finally:
        await other.context.close()


async def test_form_is_carried_out_after_the_user_has_confirmed(tab: Page, world: World, lee: SecondFactorUser) -> None:
    """A form that needs a recent sign-in continues after it, with its notice and without a second submission (7.10)."""
    await grow_old(world, lee.id)
    await tab.context.clear_cookies(name=re.compile("portico-account"))
    await tab.goto(f"{world.issuer}/ui/account/profile")
    await tab.locator("#email-change").click()
    await tab.locator("#email").fill("lee@new.example")
    await tab.locator("#email-save").click()
    await expect(tab.get_by_role("heading", level=1)).to_have_text("Confirm it is you")
    await tab.locator("#password").fill(PASSWORD)
    await tab.locator("#password-submit").click()
    await expect(tab.locator("#notice")).to_have_text("We sent a code to lee@new.example.")
    await expect(tab.locator("#email-pending")).to_have_text("lee@new.example")
    await tab.reload()
    await expect(tab.locator("#email-pending")).to_have_text("lee@new.example")


async def test_logout_at_an_application_ends_the_page_session(tab: Page, world: World, lee: SecondFactorUser) -> None:
    """A logout at any application ends the page's session, because its access token ends with the SSO session."""
    await tab.goto(f"{world.issuer}/oidc/v1/end_session")
    await LoginPages(tab).confirm_logout()
    await tab.goto(f"{world.issuer}/ui/account/profile")

    await expect(tab.locator("#loginname")).to_be_visible()


@pytest.mark.long
async def test_logout_ends_a_page_without_api_calls(tab: Page, world: World, lee: SecondFactorUser) -> None:
    """The console learns of a logout by notification, so that pages without API calls also end."""
    index = f"{world.issuer}/ui/console/api"
    await tab.goto(index)
    await expect(tab.locator("#person-menu")).to_contain_text("Lee")
    await tab.goto(f"{world.issuer}/oidc/v1/end_session")
    await LoginPages(tab).confirm_logout()

    async def opened() -> str:
        await tab.goto(index)
        return tab.url

    assert "/ui/login" in await eventually(opened, lambda url: url != index)


async def test_logout_here_ends_the_provider_session(tab: Page, world: World) -> None:
    """Logout at the account page ends the session at the provider, so that other applications require a new sign-in."""
    await tab.locator("#person-menu summary").click()
    await tab.locator("#sign-out").click()
    await expect(tab.locator("#signed-out-heading")).to_be_visible()
    await tab.goto(f"{world.issuer}/ui/console")

    await expect(tab.locator("#loginname")).to_be_visible()


async def test_data_export_is_complete_without_secrets(tab: Page, world: World, lee: SecondFactorUser) -> None:
    """The downloaded file has all stored data of the user and no secret."""
    await tab.goto(f"{world.issuer}/ui/account/data")
    address = await tab.locator("#data-download").get_attribute("href")
    file = await tab.request.get(f"{world.issuer}{address}")
    text = await file.text()

    assert file.headers["content-disposition"].startswith("attachment")
    assert json.loads(text)["user"]["userId"] == lee.id
    assert len(json.loads(text)["sessions"]) == 1
    assert "argon2" not in text


async def test_account_is_deleted_by_its_owner(tab: Page, world: World, lee: SecondFactorUser) -> None:
    """Self-deletion requires the organization's permission and the typed login name, and ends sign-in."""
    await tab.goto(f"{world.issuer}/ui/account/data")
    await expect(tab.locator("#may-not-delete")).to_be_visible()
    await expect(tab.locator("#account-delete")).to_have_count(0)
    human = EndUser(id=lee.id, username=lee.id, profile=Profile(first_name="Lee", last_name="Example"),
                  email=Email(email=lee.mail, is_verified=True), roles=("ORG_USER_SELF_MANAGER",))  # fmt: skip
    organization = Organization(id=f"org-{lee.id}", name=lee.id, humans=(human,))
    await world.stack.apply(Document(organizations=(organization,)))
    await tab.reload()
    await tab.locator("#login_name").fill("another")
    await tab.locator("#account-delete").click()
    await expect(tab.locator("#delete-problem")).to_be_visible()
    label = await tab.locator("label[for=login_name]").inner_text()
    await tab.locator("#login_name").fill(label.split()[1])
    await tab.locator("#account-delete").click()
    await expect(tab.locator("#account-deleted")).to_be_visible()
    await tab.locator("#sign-in-again").click()
    await LoginPages(tab).sign_in(lee.id, PASSWORD)

    await expect(tab.locator("#login-problem")).to_be_visible()


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.long), "dark"])
async def test_account_page_uses_organization_branding(
    browser: Browser, world: World, lee: SecondFactorUser, scheme: Literal["light", "dark"]
) -> None:
    """Account pages have the organization's colours and links, and enough contrast."""
    looks = LabelPolicy(
        primary_color="#7b1fa2", background_color="#fff8e1", font_color="#3e2723", warn_color="#b00020",
        primary_color_dark="#ffd54f", background_color_dark="#1a1033", font_color_dark="#ede7f6", warn_color_dark="#ff8a80",
    )  # fmt: skip
    links = PrivacyPolicy(tos_link="https://acme.example/terms", support_email="help@acme.example")
    org = Organization(id=f"org-{lee.id}", name=lee.id, label_policy=looks, privacy_policy=links)
    await world.stack.apply(Document(organizations=(org,)))
    cookies = await signed_in(world, "/ui/account", lee.id, PASSWORD)
    context = await browser.new_context(color_scheme=scheme, storage_state=cookies)
    try:
        page = await context.new_page()
        for path in ("", "/profile", "/security", "/sessions"):
            await page.goto(f"{world.issuer}/ui/account{path}")
            await expect(page.locator("#org-tos")).to_be_visible()
            ink = await page.evaluate("getComputedStyle(document.querySelector('h1')).color")
            assert ink == {"light": "rgb(62, 39, 35)", "dark": "rgb(237, 231, 246)"}[scheme]
            assert await violations(page, OF_COLOURS) == [], path
    finally:
        await context.close()
