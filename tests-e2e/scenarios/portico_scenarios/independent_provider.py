"""A third-party OpenID provider (node-oidc-provider) as a process, and a browser that signs in there."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

import httpx
from playwright.async_api import Page
from portico_harness.plain_http import plain_http

from portico_scenarios import third_party_app

PROGRAM: Final = Path(__file__).parents[2] / "clients" / "provider" / "provider.mjs"
CLIENT_ID: Final = "portico"
CLIENT_SECRET: Final = "e2e-secret-at-the-independent-provider"
_FORM: Final = re.compile(r'<form[^>]* action="([^"]+)"')
_MOST_HOPS: Final = 10


@dataclass(frozen=True, slots=True)
class IndependentProvider:
    """The running provider; the entered login is the subject.

    A login ``name+unverified`` has an unverified email address.

    Attributes:
        issuer: without a trailing slash.
    """

    issuer: str

    async def sign_in(self, url: str, login: str) -> str:
        """Signs in without script; returns the redirect URL with its code."""
        async with plain_http() as browser:
            answer = await browser.get(url)
            for _ in range(_MOST_HOPS):
                if answer.has_redirect_location:
                    location = urljoin(str(answer.url), answer.headers["location"])
                    if not location.startswith(f"{self.issuer}/"):
                        return location
                    answer = await browser.get(location)
                else:
                    answer = await self._enter(browser, answer, login)
        raise AssertionError(f"{url} never leads back")

    async def sign_in_with(self, tab: Page, login: str) -> None:
        await tab.fill("input[name=login]", login)
        await tab.fill("input[name=password]", "whatever is entered")
        await tab.click("button[type=submit]")

    async def _enter(self, browser: httpx.AsyncClient, page: httpx.Response, login: str) -> httpx.Response:
        form = _FORM.search(page.text)
        assert form is not None, f"{page.status_code} {page.text[:500]}"
        fields = {"prompt": "login", "login": login, "password": "whatever is entered"}
        return await browser.post(urljoin(str(page.url), form.group(1)), data=fields)


@asynccontextmanager
async def running(
    folder: Path, port: int, redirect_uri: str, auth_method: str = "client_secret_basic"
) -> AsyncIterator[IndependentProvider]:
    """Runs the provider with Portico as its only client.

    Args:
        folder: for its log.
        port: on loopback; the stack must allow it (``PORTICO_OUTBOUND_ALLOW``).
        redirect_uri: Portico's callback URL for this provider.
        auth_method: Portico's authentication method.
    """
    issuer = f"http://127.0.0.1:{port}"
    environment = {
        "URL": issuer,
        "CLIENT_ID": CLIENT_ID,
        "CLIENT_SECRET": CLIENT_SECRET,
        "AUTH_METHOD": auth_method,
        "REDIRECT_URI": redirect_uri,
    }
    async with third_party_app.running(("node", PROGRAM), folder, issuer, environment):
        yield IndependentProvider(issuer)
