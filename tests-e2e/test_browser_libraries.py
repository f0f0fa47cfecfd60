"""Browser-only applications with third-party libraries in Chromium, on another origin than the issuer.

oidc-client 1.11.5 is the last certified browser library with the implicit flow; its successor oidc-client-ts
supports the code flow with PKCE only.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from playwright.async_api import Page, expect
from portico_scenarios.id_token import at_hash, checked_claims
from portico_scenarios.login_pages import LoginPages, requests_to
from portico_scenarios.participants import ALICE
from portico_scenarios.programs import API
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

USED = {
    "implicit with access token": ("oidc-client", "id_token token"),
    "implicit": ("oidc-client", "id_token"),
    "code": ("oidc-client", "code"),
    "code, today's library": ("oidc-client-ts", "code"),
}
SHORT = ("implicit with access token", "code, today's library")
"""The others belong to `make test-all`."""

LIBRARIES = pytest.mark.parametrize("library", [pytest.param("oidc-client", marks=pytest.mark.long), "oidc-client-ts"])


@pytest.fixture
async def quiet(tab: Page) -> AsyncIterator[Page]:
    """A tab that must end with an empty console: no policy violation, no failed request."""
    said: list[str] = []
    # Blocked requests are logged as errors; an autofocus notice is harmless.
    tab.on("console", lambda message: said.append(message.text) if message.type in {"error", "warning"} else None)
    yield tab
    assert said == []


class BrowserApp:
    def __init__(self, tab: Page, world: World, library: str, response_type: str) -> None:
        self.tab = tab
        self.url = world.rp_url("spa")
        self._query = urlencode({"library": library, "response_type": response_type})

    async def sign_in(self) -> dict[str, Any]:
        """Presses the button, signs Alice in, and returns the library's result."""
        await self.tab.goto(f"{self.url}/?{self._query}")
        await self.tab.locator("#rp-signin").click()
        await LoginPages(self.tab).sign_in(ALICE.login_name, ALICE.password)
        return await self.shown()

    async def shown(self) -> dict[str, Any]:
        await expect(self.tab.locator("#rp-user, #rp-error").filter(has_text="{")).to_be_visible()
        assert await self.tab.locator("#rp-error").text_content() == ""
        user: dict[str, Any] = json.loads(await self.tab.locator("#rp-user").text_content() or "")
        return user


@pytest.mark.parametrize(
    ("library", "response_type"),
    [pytest.param(*pair, id=name, marks=() if name in SHORT else pytest.mark.long) for name, pair in USED.items()],
)
async def test_page_signs_in_with_third_party_library(
    quiet: Page, world: World, library: str, response_type: str
) -> None:
    """The library validates state, nonce, signature and at_hash, and reads the required documents by CORS."""
    user = await BrowserApp(quiet, world, library, response_type).sign_in()
    claims = await checked_claims(world.http, world.metadata, user["id_token"], "e2e-spa")

    assert claims["sub"] == user["profile"]["sub"] == ALICE.id
    assert user["profile"]["name"] == "Alice Liddell"
    assert user["state"] == "kept"
    assert (user["access_token"] is None) == (response_type == "id_token")
    assert claims.get("at_hash") == (at_hash(user["access_token"]) if user["access_token"] else None)
    assert user["refresh_token"] is None


@pytest.mark.parametrize("response_type", ["id_token token", pytest.param("id_token", marks=pytest.mark.long)])
async def test_front_channel_tokens_are_in_the_fragment(quiet: Page, world: World, response_type: str) -> None:
    """The response is in the fragment, which no server sees, and has only the requested values (AZ-13)."""
    answers: list[str] = []
    quiet.on("framenavigated", lambda frame: answers.append(frame.url))
    seen = requests_to(quiet.context, "/callback")
    app = BrowserApp(quiet, world, "oidc-client", response_type)
    await app.sign_in()
    [answer] = [httpx.URL(url) for url in answers if url.startswith(f"{app.url}/callback")]
    fields = dict(httpx.QueryParams(answer.fragment))
    tokens = {"access_token", "token_type", "expires_in", "scope"} if "token" in response_type.split() else set()

    assert seen
    assert not any("token" in url.partition("#")[0] for url in seen)
    assert answer.query == b""
    assert set(fields) == {"id_token", "state", "iss", *tokens}
    assert fields["iss"] == world.issuer


@LIBRARIES
async def test_page_renews_tokens_silently(quiet: Page, world: World, library: str) -> None:
    """prompt=none in a hidden frame gives new tokens for the same user and sign-in."""
    app = BrowserApp(quiet, world, library, "id_token token" if library == "oidc-client" else "code")
    first = await app.sign_in()
    await quiet.locator("#rp-silent").click()
    await expect(quiet.locator("#rp-user")).not_to_contain_text(first["id_token"])
    second = await app.shown()
    old, new = [
        await checked_claims(world.http, world.metadata, user["id_token"], "e2e-spa") for user in (first, second)
    ]

    assert (new["sub"], new["sid"], new["auth_time"]) == (old["sub"], old["sid"], old["auth_time"])
    assert second["access_token"] != first["access_token"]


@LIBRARIES
async def test_page_logs_out_everywhere(quiet: Page, world: World, library: str) -> None:
    """The library's logout returns with its state, and its tokens are then inactive (IR-08)."""
    app = BrowserApp(quiet, world, library, "id_token token" if library == "oidc-client" else "code")
    token = (await app.sign_in())["access_token"]
    before = (await world.ask("introspection_endpoint", API.client, token=token)).json()
    await quiet.locator("#rp-logout").click()
    await expect(quiet.locator("#rp-user")).to_have_text('"signed out"')
    after = (await world.ask("introspection_endpoint", API.client, token=token)).json()

    assert before["active"] is True
    assert after == {"active": False}
