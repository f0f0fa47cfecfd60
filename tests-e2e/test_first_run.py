"""The first run: an installation without an administrator, and the one-time link that creates the first one."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.async_api import Browser, Page, expect
from portico_contracts.users import EXPORT, Export
from portico_harness.portico_command import portico
from portico_scenarios.accessibility import violations
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages
from portico_scenarios.virtual_key import plug_in
from portico_scenarios.world import World
from portico_stack.assembly.stack import Stack
from portico_stack.running.operator_bus import operator_bus
from portico_users.credentials.totp.time_codes import code_at

pytestmark = pytest.mark.e2e

PASSWORD = "nine small sparrows"


@dataclass
class Installation:
    stack: Stack
    secrets: list[str] = field(default_factory=list, repr=False)

    def planted(self, link: str) -> str:
        self.secrets += parse_qs(urlsplit(link).query)["code"]
        return link

    async def recovery_link(self) -> str:
        """Returns another link, although an administrator exists."""
        status, output = await portico("first-run", "--recover", "--data", self.stack.options.data)
        assert status == 0, output
        return self.planted(next(line for line in output.splitlines() if "code=" in line))

    async def owners(self) -> list[str]:
        """Returns the user names of the organization's administrators, from `portico export`."""
        shared = self.stack.layout.shared
        async with operator_bus(shared.bus_url, shared.bus_passwords["operator"]) as bus:
            exported = (await bus.call(EXPORT, Export(org_id="demo-organization"), seconds=30)).document
        people = [human for org in exported.organizations for human in org.humans or ()]
        return [human.username or "" for human in people if "IAM_OWNER" in (human.roles or ())]


@pytest.fixture(scope="module")
async def installation(secure: World) -> Installation:
    return Installation(secure.stack)


async def fill(tab: Page, mail: str) -> None:
    await tab.locator("#first-run-email").fill(mail)
    await tab.locator("#first-run-firstname").fill("Ada")
    await tab.locator("#first-run-lastname").fill("First")


async def arrive_at_the_console(tab: Page) -> None:
    """Follows the only link of the last page: no other page of a sign-in is shown."""
    await tab.locator("#first-run-onward").click()
    await expect(tab.locator("#org-heading")).to_be_visible()


async def secret_on(tab: Page) -> bytes:
    typed = (await tab.locator("#totp-secret").inner_text()).replace(" ", "")
    return base64.b32decode(typed)


@contextmanager
def quiet(tab: Page) -> Iterator[None]:
    """Checks that the browser's console has no error, such as a policy violation."""
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    yield
    assert said == []


async def test_first_administrator_with_a_passkey(secure_tab: Page, installation: Installation) -> None:
    """The link works once and ends signed in at the first steps, where a test email is one click; no other link is
    issued while this administrator can sign in.
    """
    tab = secure_tab
    link, data = installation.planted(installation.stack.first_run_link), installation.stack.options.data
    before = await installation.owners()
    await plug_in(tab)
    with quiet(tab):
        await tab.goto(link)
        found = await violations(tab)
        await fill(tab, "ada@mail.example.test")
        await tab.locator("#first-run-passkey").click()
        await expect(tab.locator("#webauthn-start")).to_be_enabled()
        found += await violations(tab)
        await tab.locator("#webauthn-start").click()
        await expect(tab.locator("#first-run-done-page")).to_be_visible()
        found += await violations(tab)
        await arrive_at_the_console(tab)
        await tab.locator("#first-steps #send-test-email").click()
        await expect(tab.locator("#notice")).to_have_text("A test email was sent to ada@mail.example.test.")
        await expect(tab.locator("[data-done] #step-mail")).to_be_visible()
        await tab.context.clear_cookies()
        pages = RelyingPartyPages(tab, installation.stack.layout.demo_url)
        await pages.begin()
        await tab.locator("#passkey-start").click()
        await tab.locator("#webauthn-start").click()
        await pages.expect_signed_in()
    claims = (await pages.session())["claims"]
    await tab.goto(link)
    refused = await portico("first-run", "--data", data)

    assert (before, found) == ([], [])
    assert claims["amr"] == ["hwk", "user", "mfa"]
    assert await installation.owners() == ["ada@mail.example.test"]
    await expect(tab.locator("#error-fact")).to_have_text("USER-942")
    assert refused[0] == 1
    assert "--recover" in refused[1]


async def test_first_administrator_without_scripts(browser: Browser, installation: Installation) -> None:
    """Without scripts a password and an app are set up, wrong input can be corrected, and it ends signed in."""
    before = await installation.owners()
    context = await browser.new_context(java_script_enabled=False, ignore_https_errors=True)
    tab = await context.new_page()
    await tab.goto(await installation.recovery_link())
    await fill(tab, "eve@mail.example.test")
    await tab.locator("#first-run-totp").click()
    secret = await secret_on(tab)
    await tab.locator("#first-run-password").fill(PASSWORD)
    await tab.locator("#otp").fill("000000")
    await tab.locator("#first-run-submit").click()
    await expect(tab.locator("#login-problem")).to_be_visible()
    again = await secret_on(tab)
    await tab.locator("#first-run-password").fill(PASSWORD)
    await tab.locator("#otp").fill(code_at(secret, time.time()))
    await tab.locator("#first-run-submit").click()
    await expect(tab.locator("#recovery-codes li")).to_have_count(10)
    codes = await tab.locator("#recovery-codes li").all_inner_texts()
    [handle] = [one["value"] for one in await context.cookies() if "portico-ua" in one["name"]]
    installation.secrets += [base64.b32encode(secret).decode(), PASSWORD, handle, *codes]
    await arrive_at_the_console(tab)
    await context.clear_cookies()
    pages = RelyingPartyPages(tab, installation.stack.layout.demo_url)
    await pages.begin()
    await LoginPages(tab).sign_in("eve@mail.example.test", PASSWORD)
    await tab.locator("#otp").fill(code_at(secret, time.time() + 30))
    await tab.locator("#otp-submit").click()
    await pages.expect_signed_in()
    await context.close()

    assert again == secret
    assert len(codes) == 10
    assert sorted(await installation.owners()) == sorted([*before, "eve@mail.example.test"])


@pytest.mark.long
async def test_first_run_link_in_two_browsers(secure_tab: Page, browser: Browser, installation: Installation) -> None:
    """The link is not bound to a browser: the first one to submit gets the account, the other one an error."""
    link = await installation.recovery_link()
    context = await browser.new_context(ignore_https_errors=True)
    other = await context.new_page()
    for page, mail in ((secure_tab, "kim@mail.example.test"), (other, "mallory@mail.example.test")):
        await page.goto(link)
        await fill(page, mail)
        await page.locator("#first-run-totp").click()
        await page.locator("#first-run-password").fill(PASSWORD)
        await page.locator("#otp").fill(code_at(await secret_on(page), time.time()))
    await asyncio.gather(*(page.locator("#first-run-submit").click() for page in (secure_tab, other)))
    for page in (secure_tab, other):
        await expect(page.locator("#first-run-done-page, #error-page")).to_be_visible()
    shown = [await page.locator("#first-run-done-page").count() for page in (secure_tab, other)]
    refused = secure_tab if shown[1] else other
    await expect(refused.locator("#error-fact")).to_have_text("USER-942")
    owners = [name for name in await installation.owners() if name.startswith(("kim", "mallory"))]
    await context.close()

    assert sorted(shown) == [0, 1]
    assert owners == ["kim@mail.example.test" if shown[0] else "mallory@mail.example.test"]


async def test_first_run_secrets_are_not_in_logs_or_files(installation: Installation) -> None:
    """Codes of links and credentials are in no log of gateway or services or file of Redis or NATS (IN-09)."""
    data = installation.stack.options.data
    files = [path for part in ("logs", "redis", "nats", "mail") for path in (data / part).rglob("*") if path.is_file()]
    texts = {str(path.relative_to(data)): path.read_text(errors="replace") for path in files}
    leaks = [place for place, text in texts.items() for secret in installation.secrets if secret in text]

    assert len(installation.secrets) >= 15
    assert any("POST /ui/login/first-run" in text or "/ui/login/first-run" in text for text in texts.values())
    assert leaks == []
