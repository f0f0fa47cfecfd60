"""The issuer's home page: signed-in accounts of this browser, and a link to discovery."""

from __future__ import annotations

import httpx
import pytest
from portico_contracts.login import Account
from portico_fakes.fake_login_api import FakeLoginApi
from portico_fakes.over_httpx import OverHttpx
from portico_harness.rows import row
from portico_login_ui.app import create_app
from portico_login_ui.settings import Settings
from portico_oauth.errors import Kind, ServiceError

ADA = Account(id="a", login_name="ada@example.com", display_name="Ada <b>Lovelace</b>", signed_in=True)
BOB = Account(id="b", login_name="bob@example.com", signed_in=True)


async def test_page_without_a_session(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/")

    assert answer.status_code == 200
    assert 'id="home-page"' in answer.text
    assert "Applications send you here to sign in" in answer.text
    assert 'id="home-nobody"' in answer.text
    assert 'href="/.well-known/openid-configuration"' in answer.text
    assert 'id="home-account" href="/ui/account"' in answer.text
    assert 'id="home-console" href="/ui/console"' in answer.text
    assert "home-sign-out" not in answer.text


async def test_accounts_of_the_browser_are_shown(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    """The names are escaped, and there is a link to sign out."""
    api.accounts = (ADA, BOB)
    answer = await browser.get("/")

    assert "These 2 accounts are signed in in this browser:" in answer.text
    assert "Ada &lt;b&gt;Lovelace&lt;/b&gt;" in answer.text
    assert "bob<wbr>@example.com" in answer.text
    assert 'id="home-sign-out" href="/oidc/v1/end_session"' in answer.text
    assert "home-nobody" not in answer.text
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("cookie", ["", "other=1", "__Host-portico=7fOfAnotherBrowser00000000000000000"])
async def test_other_browsers_see_no_accounts(browser: httpx.AsyncClient, api: FakeLoginApi, cookie: str) -> None:
    api.accounts = (ADA,)
    answer = await browser.get("/", headers={"Cookie": cookie})

    assert answer.status_code == 200
    assert "Lovelace" not in answer.text
    assert 'id="home-nobody"' in answer.text


async def test_head_is_answered_like_get(browser: httpx.AsyncClient) -> None:
    answer = await browser.head("/")

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"


async def test_unknown_sessions_are_503(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    api.error = ServiceError(Kind.UNAVAILABLE, "PORT-004", "The service is temporarily unavailable.")
    answer = await browser.get("/")

    assert answer.status_code == 503
    assert 'id="error-page"' in answer.text
    assert answer.headers["retry-after"]


async def test_page_is_translated_completely(browser: httpx.AsyncClient, api: FakeLoginApi) -> None:
    for tag in ("de", "fr", "it", "es", "pt", "pl", "nl", "ja", "zh", "ar"):
        with row(tag):
            without = await browser.get("/", headers={"Accept-Language": tag})
            api.accounts = (ADA, BOB)
            shown = await browser.get("/", headers={"Accept-Language": tag})

            for answer in (without, shown):
                assert answer.headers["content-language"] == tag
                for words in ("Applications send", "signed in", "Sign out", "For developers"):
                    assert words not in answer.text


async def test_page_is_small_and_has_no_script(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/")

    assert len(answer.content) < 10_000
    assert "<script" not in answer.text


async def test_console_elsewhere_is_linked_there(api: FakeLoginApi) -> None:
    settings = Settings(issuer="https://id.example", console_url="https://console.example")
    app, _ = create_app(settings, http=OverHttpx(httpx.ASGITransport(api.app)))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="https://id.example") as browser:
        answer = await browser.get("/")

    assert 'id="home-console" href="https://console.example/ui/console"' in answer.text
