"""Addresses below /.well-known for browsers and password managers."""

from __future__ import annotations

import httpx
import pytest
from portico_fakes.fake_login_api import FakeLoginApi
from portico_fakes.over_httpx import OverHttpx
from portico_login_ui.app import create_app
from portico_login_ui.settings import Settings

ISSUER = "https://login.example.com"


@pytest.fixture
def settings() -> Settings:
    return Settings(issuer=ISSUER, passkey_origins="https://a.example, http://localhost:3000")


async def get(path: str, settings: Settings) -> httpx.Response:
    app, _ = create_app(settings, http=OverHttpx(httpx.ASGITransport(FakeLoginApi().app)))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=ISSUER) as client:
        return await client.get(path)


async def test_password_managers_find_the_page_of_the_password(settings: Settings) -> None:
    answer = await get("/.well-known/change-password", settings)

    assert (answer.status_code, answer.headers["location"]) == (303, f"{ISSUER}/ui/account/security#password")


async def test_password_managers_find_the_pages_of_passkeys(settings: Settings) -> None:
    answer = await get("/.well-known/passkey-endpoints", settings)

    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == {
        "enroll": f"{ISSUER}/ui/account/security/passkeys/new",
        "manage": f"{ISSUER}/ui/account/security",
    }


async def test_related_origins_are_listed(settings: Settings) -> None:
    """Browsers let their pages use the passkeys of this host (WebAuthn Level 3 section 5.11)."""
    answer = await get("/.well-known/webauthn", settings)

    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == {"origins": [ISSUER, "https://a.example", "http://localhost:3000"]}


@pytest.mark.parametrize("path", ["webauthn", "resource-that-should-not-exist-whose-status-code-should-not-be-200"])
async def test_other_addresses_do_not_exist(path: str) -> None:
    """Password managers request the second one to learn whether a server answers everything with 200."""
    answer = await get(f"/.well-known/{path}", Settings(issuer=ISSUER))

    assert (answer.status_code, answer.json()["error"]) == (404, "invalid_request")
