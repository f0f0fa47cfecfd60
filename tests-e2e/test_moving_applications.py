"""An export of a real Keycloak: convert, apply, import; then the old application signs in with its old secret."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.async_api import Browser
from portico_scenarios.login_pages import LoginPages
from portico_scenarios.world import World

pytestmark = [pytest.mark.e2e, pytest.mark.long]

EXPORTS: Final = Path(__file__).parent / "exports"
REDIRECT: Final = "http://localhost:3900/callback"
SECRET: Final = "an-old-secret-of-the-shop-0123456789"


async def portico(world: World, folder: Path, *words: str, status: int = 0) -> str:
    command = Path(__file__).parents[1] / ".venv/bin/portico"
    environment = {**os.environ, "PORTICO_STACK_DATA": str(world.stack.options.data)}
    process = await asyncio.create_subprocess_exec(
        command, *words, cwd=folder, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    output, _ = await process.communicate()
    assert process.returncode == status, output.decode()
    return output.decode()


async def code_in_browser(browser: Browser, world: World, login_name: str, password: str) -> str:
    """Returns the code that the old application's callback receives."""
    asked = {
        "response_type": "code", "client_id": "shop", "redirect_uri": REDIRECT, "scope": "openid email offline_access",
        "state": secrets.token_hex(8),
    }  # fmt: skip
    context = await browser.new_context()
    page = await context.new_page()
    await page.route("http://localhost:3900/**", lambda route: route.fulfill(body="signed in"))
    await page.goto(f"{world.metadata['authorization_endpoint']}?{urlencode(asked)}")
    await LoginPages(page).sign_in(login_name, password)
    await page.wait_for_url(f"{REDIRECT}?**")
    answer = parse_qs(urlsplit(page.url).query)
    await context.close()
    assert answer["state"] == [asked["state"]]
    return answer["code"][0]


async def introspected(browser: Browser, world: World, login_name: str, password: str) -> dict[str, Any]:
    """Signs in, redeems the code with the old secret, and introspects the access token."""
    code = await code_in_browser(browser, world, login_name, password)
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT}
    redeemed = await world.http.post(world.metadata["token_endpoint"], data=form, auth=("shop", SECRET))
    assert redeemed.status_code == 200, redeemed.text
    asked = {"token": redeemed.json()["access_token"]}
    answer = await world.http.post(world.metadata["introspection_endpoint"], data=asked, auth=("shop", SECRET))
    claims: dict[str, Any] = answer.json()
    return claims


async def test_old_application_signs_in_with_its_old_secret(browser: Browser, world: World, tmp_path: Path) -> None:
    """Client id, secret, redirect URI, password, roles of composites and groups, and the job's secret are retained."""
    for name in ("keycloak-26-realm.json", "keycloak-26-events.json"):
        shutil.copy(EXPORTS / name, tmp_path)
    realm = json.loads((EXPORTS / "keycloak-26-realm.json").read_text())
    [disabled] = [user["id"] for user in realm["users"] if not user["enabled"]]
    convert = ["convert", "--from", "keycloak", "keycloak-26-realm.json"]
    log = ["--events", "keycloak-26-events.json"]
    told = await portico(world, tmp_path, *convert, *log, "--output", "portico.yaml")
    before = await portico(world, tmp_path, *convert, "--check")
    applied = await portico(world, tmp_path, "apply", "portico.yaml")
    users = ["user", "convert", "--from", "keycloak", "keycloak-26-realm.json", "--output", "people.jsonl"]
    await portico(world, tmp_path, *users)
    await portico(world, tmp_path, "user", "import", "people.jsonl", "--organization", "workshop")
    await portico(world, tmp_path, *convert, "--grants", "--output", "grants.yaml")
    granted = await portico(world, tmp_path, "apply", "grants.yaml")

    shadow = await portico(world, tmp_path, *convert, *log, "--check", status=1)
    seen = await introspected(browser, world, "mia", "Nine lamps at the mill 9")
    by_group = await introspected(browser, world, "tom", "Two herons on the weir 2")
    job = {"grant_type": "client_credentials", "scope": "openid"}
    nightly = await world.http.post(
        world.metadata["token_endpoint"], data=job, auth=("nightly", "the-secret-of-the-nightly-job-0123")
    )

    assert seen["roles"] == ["buyer", "chief", "editor", "shop:editor"]
    assert by_group["roles"] == ["buyer", "cashier"]
    assert nightly.status_code == 200
    assert "2 updated" in granted
    assert "No objects would be refused." in before
    assert [line.partition(" x would fail: ")[2] for line in shadow.splitlines() if " x would fail" in line] == [
        "client shop, grant password: unsupported_grant_type: Unknown grant_type.",
        "client nightly, grant client_credentials: scope: client credentials need the scope openid here.",
        f"user {disabled}: The user is not here, or not active.",
    ]
    assert SECRET not in told + applied + granted + shadow
