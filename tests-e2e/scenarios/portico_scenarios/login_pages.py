"""Page objects of the login pages and the demo relying party, by stable element ids."""

from __future__ import annotations

import re
from typing import Any

from playwright.async_api import BrowserContext, Locator, Page, expect


class LoginPages:
    def __init__(self, page: Page) -> None:
        self.page = page

    async def enter_login_name(self, login_name: str) -> None:
        await self.page.locator("#loginname").fill(login_name)
        await self.page.locator("#loginname-submit").click()

    async def enter_password(self, password: str) -> None:
        await self.page.locator("#password").fill(password)
        await self.page.locator("#password-submit").click()

    async def sign_in(self, login_name: str, password: str) -> None:
        await self.enter_login_name(login_name)
        await self.enter_password(password)

    async def choose_account(self, number: int) -> None:
        await self.page.locator(f"#account-{number}").click()

    async def choose_another_account(self) -> None:
        await self.page.locator("#account-other").click()

    async def register(self, mail: str, password: str) -> None:
        """Fills in the registration page, for a user called Nora Newcomer; without a password if it is empty."""
        await self.page.locator("#register-email").fill(mail)
        await self.page.locator("#register-firstname").fill("Nora")
        await self.page.locator("#register-lastname").fill("Newcomer")
        if password:
            await self.page.locator("#register-password").fill(password)
        await self.page.locator("#register-submit").click()

    async def enter_mail_code(self, code: str) -> None:
        await self.page.locator("#mail-code").fill(code)
        await self.page.locator("#mail-code-submit").click()

    async def confirm_logout(self) -> None:
        await self.page.locator("#logout-confirm").click()

    async def cancel(self) -> None:
        await self.page.locator("#login-cancel").click()


class RelyingPartyPages:
    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url

    async def begin(self, query: str = "") -> None:
        """Follows the sign-in link, with additional parameters."""
        if query:
            await self.page.goto(f"{self.url}/login?{query}")
            return
        await self.page.goto(self.url)
        await self.page.locator("#rp-signin").click()

    async def expect_signed_in(self) -> None:
        await expect(self.page.locator("#rp-claims")).to_be_visible()

    async def sign_out_everywhere(self) -> None:
        await self.page.goto(self.url)
        await self.page.locator("#rp-logout-everywhere").click()

    async def expect_signed_out(self) -> None:
        """Waits until the provider has redirected back from a logout."""
        await expect(self.page.locator("#rp-signed-out")).to_be_visible()

    async def expect_error(self, code: str) -> None:
        await expect(self.page.locator("#rp-error-code")).to_have_text(code)

    def claim(self, name: str) -> Locator:
        return self.page.locator(f'#rp-claims td[data-claim="{name}"]')

    async def session(self) -> dict[str, Any]:
        answer = await self.page.request.get(f"{self.url}/session.json")
        assert answer.ok, await answer.text()
        session: dict[str, Any] = await answer.json()
        return session


def requests_to(context: BrowserContext, path: str) -> list[str]:
    seen: list[str] = []
    matches = re.compile(rf"https?://[^/]+{re.escape(path)}(\?|$)")
    context.on("request", lambda request: seen.append(request.url) if matches.match(request.url) else None)
    return seen
