"""The pages as a person meets them in a browser: found by the element ids that are fixed."""

from __future__ import annotations

import re
from typing import Any

from playwright.async_api import BrowserContext, Locator, Page, expect


class LoginPages:
    """The provider's login in one tab."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def enter_login_name(self, login_name: str) -> None:
        """The first page."""
        await self.page.locator("#loginname").fill(login_name)
        await self.page.locator("#loginname-submit").click()

    async def enter_password(self, password: str) -> None:
        """The second page."""
        await self.page.locator("#password").fill(password)
        await self.page.locator("#password-submit").click()

    async def sign_in(self, login_name: str, password: str) -> None:
        """Both pages."""
        await self.enter_login_name(login_name)
        await self.enter_password(password)

    async def choose_account(self, number: int) -> None:
        """One of the accounts of this browser, counted from 1."""
        await self.page.locator(f"#account-{number}").click()

    async def choose_another_account(self) -> None:
        """None of those that are shown."""
        await self.page.locator("#account-other").click()

    async def register(self, mail: str, password: str) -> None:
        """The registration page, for a user called Nora Newcomer."""
        await self.page.locator("#register-email").fill(mail)
        await self.page.locator("#register-firstname").fill("Nora")
        await self.page.locator("#register-lastname").fill("Newcomer")
        await self.page.locator("#register-password").fill(password)
        await self.page.locator("#register-submit").click()

    async def enter_mail_code(self, code: str) -> None:
        """The page that waits for the emailed code."""
        await self.page.locator("#mail-code").fill(code)
        await self.page.locator("#mail-code-submit").click()

    async def confirm_logout(self) -> None:
        """The page that confirms a logout."""
        await self.page.locator("#logout-confirm").click()

    async def cancel(self) -> None:
        """Back to the application without signing in."""
        await self.page.locator("#login-cancel").click()


class RelyingPartyPages:
    """The demo relying party in one tab."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url

    async def begin(self, query: str = "") -> None:
        """Follows the sign-in link, with more parameters where a test needs them."""
        if query:
            await self.page.goto(f"{self.url}/login?{query}")
            return
        await self.page.goto(self.url)
        await self.page.locator("#rp-signin").click()

    async def expect_signed_in(self) -> None:
        """Waits until the claims are shown."""
        await expect(self.page.locator("#rp-claims")).to_be_visible()

    async def sign_out_everywhere(self) -> None:
        """Follows the link that signs out at the provider too."""
        await self.page.goto(self.url)
        await self.page.locator("#rp-logout-everywhere").click()

    async def expect_signed_out(self) -> None:
        """Waits until the provider sent the browser back from a logout."""
        await expect(self.page.locator("#rp-signed-out")).to_be_visible()

    async def expect_error(self, code: str) -> None:
        """Waits until the error page shows a code."""
        await expect(self.page.locator("#rp-error-code")).to_have_text(code)

    def claim(self, name: str) -> Locator:
        """The table cell of a claim of the id_token."""
        return self.page.locator(f'#rp-claims td[data-claim="{name}"]')

    async def session(self) -> dict[str, Any]:
        """The raw answers the relying party got."""
        answer = await self.page.request.get(f"{self.url}/session.json")
        assert answer.ok, await answer.text()
        session: dict[str, Any] = await answer.json()
        return session


def requests_to(context: BrowserContext, path: str) -> list[str]:
    """Collects the addresses of all requests to a path from now on."""
    seen: list[str] = []
    matches = re.compile(rf"https?://[^/]+{re.escape(path)}(\?|$)")
    context.on("request", lambda request: seen.append(request.url) if matches.match(request.url) else None)
    return seen
