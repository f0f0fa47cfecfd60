"""From an empty installation to an administrator, a running application, its first sign-in and a revoked session.

Once with scripts and once without, each on a separate stack without an administrator.
"""

from __future__ import annotations

import base64
import secrets
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect
from portico_scenarios import third_party_app
from portico_scenarios.agent import Agent
from portico_scenarios.looking_again import look_until
from portico_scenarios.world import http_client
from portico_stack.assembly.layout import StackOptions
from portico_stack.assembly.stack import Stack
from portico_stack.machine.ports import free_port
from portico_users.credentials.totp.time_codes import code_at

pytestmark = [pytest.mark.e2e, pytest.mark.long]

ADA = "ada@mail.example.test"
PASSWORD = "nine small sparrows"
EVES_PASSWORD = "an owl on the old tower"
ORG = "/ui/console/orgs/demo-organization"


@pytest.fixture
async def empty(tmp_path: Path) -> AsyncIterator[Stack]:
    stack = Stack(StackOptions(tmp_path / "data", port=0, first_run=True))
    try:
        await stack.start()
        yield stack
    finally:
        await stack.stop()


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
async def page(request: pytest.FixtureRequest, browser: Browser) -> AsyncIterator[Page]:
    context = await browser.new_context(java_script_enabled=request.param)
    yield await context.new_page()
    await context.close()


async def first_run(page: Page, stack: Stack) -> None:
    """Uses the one-time link to create an account with password and app, and continues to the console."""
    await page.goto(stack.first_run_link)
    await page.locator("#first-run-email").fill(ADA)
    await page.locator("#first-run-firstname").fill("Ada")
    await page.locator("#first-run-lastname").fill("First")
    await page.locator("#first-run-totp").click()
    secret = base64.b32decode((await page.locator("#totp-secret").inner_text()).replace(" ", ""))
    await page.locator("#first-run-password").fill(PASSWORD)
    await page.locator("#otp").fill(code_at(secret, time.time()))
    await page.locator("#first-run-submit").click()
    await page.locator("#first-run-onward").click()
    await expect(page.locator("#org-heading")).to_be_visible()
    await page.locator("#send-test-email").click()
    await expect(page.locator("#notice")).to_have_text(f"A test email was sent to {ADA}.")
    await expect(page.locator("[data-done] #step-mail")).to_be_visible()


async def new_application(page: Page, redirect_uri: str, folder: Path) -> tuple[str, str]:
    """Creates a web application and downloads its configuration; returns its page's URL and its secret."""
    await page.locator("#new-app").click()
    await page.locator("#kind-web").click()
    await page.locator("#f-name").fill("Shop")
    await page.locator("#framework").select_option("flask")
    await page.locator("#f-redirectUris").fill(redirect_uri)
    await page.locator("#new-app-create").click()
    await expect(page.locator("#app-heading")).to_have_text("Shop")
    (folder / "app.py").write_text(await page.locator("#file-1 code").inner_text())
    return page.url, await page.locator("#client-secret").inner_text()


async def new_user(page: Page, stack: Stack, name: str) -> str:
    """Creates a user with a password; returns the URL of their page."""
    await page.goto(f"{stack.issuer}{ORG}/users/do/new")
    await page.locator("#new-more summary").click()
    await page.locator("#f-username").fill(name)
    await page.locator("#f-profile-firstName").fill("Eve")
    await page.locator("#f-profile-lastName").fill("Second")
    await page.locator("#f-email-email").fill(f"{name}@mail.example.test")
    await page.locator("#how-password").check()
    await page.locator("#f-password-password").fill(EVES_PASSWORD)
    await page.locator("#f-password-changeRequired").uncheck()
    await page.locator("#form-submit").click()
    await expect(page.locator("#object-heading")).to_contain_text("Eve")
    return page.url.partition("?")[0]


async def test_empty_installation_to_revoked_session(page: Page, empty: Stack, tmp_path: Path) -> None:
    """An application runs with the console's configuration, and a wrong secret is explained."""
    eve = f"eve-{secrets.token_hex(3)}"
    url = f"http://localhost:{free_port()}"
    command = (sys.executable, "app.py")
    await first_run(page, empty)
    start, secret = await new_application(page, f"{url}/cb", tmp_path)
    user = await new_user(page, empty, eve)

    wrong = {"CLIENT_SECRET": f"{secret[:-1]}{'B' if secret.endswith('A') else 'A'}"}
    async with (
        third_party_app.running(command, tmp_path, url, wrong) as app,
        Agent(empty.issuer, http_client(empty.issuer, empty.layout.gateway.ca_file)) as agent,
    ):
        await app.refused(agent, eve, EVES_PASSWORD)
    await look_until(page, start, "#waiting .state.bad")
    await page.locator("#waiting a", has_text="check").first.click()
    await expect(page.locator("#trace-fix")).to_be_visible()
    await expect(page.locator("#checks")).to_contain_text("secret")

    async with (
        third_party_app.running(command, tmp_path, url, {"CLIENT_SECRET": secret}) as app,
        Agent(empty.issuer, http_client(empty.issuer, empty.layout.gateway.ca_file)) as agent,
    ):
        hello = await app.sign_in(agent, eve, EVES_PASSWORD)
        await look_until(page, start, "#first-sign-in")
        signed_in_still = await agent.open(await app.leads_to("/login"))
        await page.goto(f"{user}/sessions")
        await page.locator("#do-end-all").click()
        await page.locator("#confirm-submit").click()
        await expect(page.locator("#no-sessions")).to_be_visible()
        asked_again = await agent.open(await app.leads_to("/login"))

    assert hello == "Hello Eve Second"
    assert signed_in_still.returned is not None
    assert "loginname" in asked_again.response.text
