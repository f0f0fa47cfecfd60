"""Back-channel logout of the console and the account page (OpenID Connect Back-Channel Logout 1.0)."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.console_service import ISSUER, SUBJECT, ConsoleService
from portico_oauth.jose import SigningKey

EVENT = "http://schemas.openid.net/event/backchannel-logout"
SHOWING = {"/ui/console": "/ui/console/api", "/ui/account": "/ui/account/data"}
"""A page of each application that shows the user; the first makes no API call, whose token could be refused."""


def logout_token(
    console: ConsoleService, *, typ: str = "logout+jwt", key: SigningKey | None = None, **changed: Any
) -> str:
    """Returns a logout token of the provider; a claim that is None is omitted."""
    now = int(console.clock.now())
    claims = {
        "iss": ISSUER, "aud": "portico-console", "iat": now, "exp": now + 120, "jti": "j1", "events": {EVENT: {}},
        "sub": SUBJECT, "sid": "s1",
    } | changed  # fmt: skip
    kept = {name: value for name, value in claims.items() if value is not None}
    return (key or console.provider.key).sign(json.dumps(kept).encode(), typ=typ)


async def post(console: ConsoleService, path: str, token: str) -> httpx.Response:
    """Sends a form without a cookie, like authz."""
    async with console.browser() as authz:
        return await authz.post(f"{path}/backchannel-logout", data={"logout_token": token})


@pytest.mark.parametrize("path", ["/ui/console", "/ui/account"])
async def test_ended_provider_session_ends_here(console: ConsoleService, browser: httpx.AsyncClient, path: str) -> None:
    """Every browser of that session is signed out, whatever its access token (§2.7)."""
    client_id = f"portico-{path.rpartition('/')[2]}"
    await console.sign_in(browser, path)
    async with console.browser() as second, console.browser() as other:
        await console.sign_in(second, path)
        console.provider.claims = {"sid": "s2"}
        await console.sign_in(other, path)
        before = await browser.get(SHOWING[path])
        answer = await post(console, path, logout_token(console, aud=client_id))
        again = await post(console, path, logout_token(console, aud=[client_id]))
        after = [(await one.get(SHOWING[path])).status_code for one in (browser, second, other)]

    assert (before.status_code, "Ada" in before.text) == (200, True)
    assert (answer.status_code, answer.headers["cache-control"], again.status_code) == (200, "no-store", 200)
    assert after == [303, 303, 200]


async def test_other_application_needs_its_own_logout_token(
    console: ConsoleService, browser: httpx.AsyncClient
) -> None:
    """A logout token is for one client (§2.4)."""
    for path in SHOWING:
        await console.sign_in(browser, path)
    await post(console, "/ui/console", logout_token(console))

    assert [(await browser.get(page)).status_code for page in SHOWING.values()] == [303, 200]


@pytest.mark.parametrize(
    "changed",
    [
        {"iss": "https://evil.example"},
        {"aud": "portico-account"},
        {"aud": None},
        {"iat": None},
        {"iat": 99_999_999_999},
        {"exp": None},
        {"exp": 1},
        {"events": None},
        {"events": {}},
        {"events": {EVENT: "x"}},
        {"events": EVENT},
        {"nonce": "n"},
        {"sub": None},
        {"sid": None},
        {"sid": 7},
        {"typ": "JWT"},
        {"key": SigningKey.generate("k1", "ES256")},
        {"key": SigningKey.generate("unknown", "ES256")},
    ],
)
async def test_invalid_logout_token_ends_nothing(
    console: ConsoleService, browser: httpx.AsyncClient, changed: dict[str, Any]
) -> None:
    """Issuer, audience, times, event, nonce, subject, session, type and signature are verified (§2.6)."""
    await console.sign_in(browser, "/ui/console")
    answer = await post(console, "/ui/console", logout_token(console, **changed))
    page = await browser.get("/ui/console/api")

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")
    assert page.status_code == 200


@pytest.mark.parametrize(
    "sent",
    [
        {"other": "x"},
        {"logout_token": ""},
        {"logout_token": "x"},
        {"logout_token": "a.b.c"},
        {"logout_token": "x" * 20_000},
    ],
)
async def test_malformed_logout_token_is_refused(console: ConsoleService, sent: dict[str, str]) -> None:
    """The response is 400 with JSON (§2.8)."""
    async with console.browser() as authz:
        answer = await authz.post("/ui/account/backchannel-logout", data=sent)

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


async def test_id_token_is_not_a_logout_token(
    console: ConsoleService, browser: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """An ID token cannot be used to sign its user out (§2.4)."""
    console.provider.seconds = 3_000
    await console.sign_in(browser, "/ui/console")
    clock.tick(1_500)
    hint = dict(httpx.URL((await browser.get("/ui/console/api")).headers["location"]).params)["id_token_hint"]

    assert (await post(console, "/ui/console", hint)).status_code == 400
