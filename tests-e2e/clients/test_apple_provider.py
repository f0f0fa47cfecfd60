"""Checks the imitated Apple provider without Portico."""

from __future__ import annotations

import json
import time
from typing import Any
from urllib.parse import urlencode

import httpx
import jwt
import pytest
from jwt import PyJWK
from playwright.async_api import Browser
from portico_harness.key_pairs import key_pair
from portico_harness.plain_http import plain_http
from portico_scenarios import apple_provider
from portico_scenarios.apple_provider import CLIENT_ID, KEY_ID, MOST_SECONDS, TEAM_ID, Apple
from portico_scenarios.upstream_page import listening

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("pages without a stack")]

CALLBACK = "http://127.0.0.1:9/callback"


def url_of(provider: Apple, **changes: str) -> str:
    query = {
        "client_id": CLIENT_ID,
        "redirect_uri": CALLBACK,
        "response_type": "code",
        "response_mode": "form_post",
        "scope": "openid name email",
        "state": "s",
        "nonce": "n",
        **changes,
    }
    return f"{provider.address}/auth/authorize?{urlencode(query)}"


def secret_of(provider: Apple, kid: str = KEY_ID, key: str = "", **changes: Any) -> str:
    """Returns a client secret as Apple documents it, with the given claims changed; an ellipsis removes a claim."""
    now = int(time.time())
    claims = {
        "iss": TEAM_ID,
        "iat": now,
        "exp": now + 300,
        "aud": provider.address,
        "sub": CLIENT_ID,
        **changes,
    }
    sent = {name: value for name, value in claims.items() if value is not ...}
    return jwt.encode(sent, key or provider.private_key, "ES256", headers={"kid": kid})


async def exchange(provider: Apple, code: str, secret: str) -> httpx.Response:
    form = {
        "grant_type": "authorization_code",
        "client_id": CLIENT_ID,
        "client_secret": secret,
        "redirect_uri": CALLBACK,
        "code": code,
    }
    async with plain_http() as http:
        return await http.post(f"{provider.address}/auth/token", data=form)


async def test_name_is_posted_once_and_unsigned() -> None:
    """The response is posted across sites, with the name at the first sign-in only and string booleans."""
    async with apple_provider.running(listening(), CALLBACK) as provider, plain_http() as http:
        first = await provider.person.sign_in(url_of(provider), "eve")
        second = await provider.person.sign_in(url_of(provider), "eve")
        tokens = (await exchange(provider, first.parameters["code"], secret_of(provider))).json()
        (key,) = (await http.get(f"{provider.address}/auth/keys")).json()["keys"]
        claims = jwt.decode(tokens["id_token"], PyJWK(key), ["RS256"], audience=CLIENT_ID, issuer=provider.address)

    assert (first.url, first.form is not None, first.parameters["state"]) == (CALLBACK, True, "s")
    assert json.loads(first.parameters["user"]) == {
        "name": {"firstName": "Eve", "lastName": "Elsewhere"},
        "email": "eve@elsewhere.example",
    }
    assert set(second.parameters) == {"code", "state"}
    assert (claims["email"], claims["email_verified"], claims["nonce"]) == ("eve@elsewhere.example", "true", "n")
    assert "name" not in claims


async def test_client_secret_is_a_jwt_of_the_team() -> None:
    """A client secret needs the team's key, team, application, audience, key id and at most six months."""
    async with apple_provider.running(listening(), CALLBACK) as provider:
        other = key_pair("e2e-other-key").private_pem
        secrets = [
            secret_of(provider, key=other),
            secret_of(provider, kid="OTHER"),
            *(secret_of(provider, **{name: "other"}) for name in ("iss", "aud", "sub")),
            secret_of(provider, exp=int(time.time()) + MOST_SECONDS + 60),
            secret_of(provider, exp=...),
            "no JWT",
        ]
        code = (await provider.person.sign_in(url_of(provider), "eve")).parameters["code"]
        refused = [await exchange(provider, code, secret) for secret in secrets]
        good = await exchange(provider, code, secret_of(provider))
        again = await exchange(provider, code, secret_of(provider))

    assert {(answer.status_code, answer.json()["error"]) for answer in refused} == {(400, "invalid_client")}
    assert (good.status_code, again.json()["error"]) == (200, "invalid_grant")


async def test_name_and_email_scopes_require_form_post() -> None:
    """The scopes name and email require response_mode=form_post; openid alone does not."""
    async with apple_provider.running(listening(), CALLBACK) as provider, plain_http() as http:
        refused = await http.get(url_of(provider, response_mode="query"))
        sent = await provider.person.sign_in(url_of(provider, response_mode="query", scope="openid"), "eve")

    assert (refused.status_code, "form_post" in refused.text) == (403, True)
    assert (sent.form, set(sent.parameters)) == (None, {"code", "state"})


async def test_page_posts_itself_in_a_browser(browser: Browser) -> None:
    """In Chromium the response is posted by script, with the code in the body and not in the URL."""
    async with apple_provider.running(listening(), "http://localhost:9/callback") as provider:
        context = await browser.new_context()
        tab = await context.new_page()
        try:
            await tab.goto(url_of(provider, redirect_uri=provider.redirect_uri))
            async with tab.expect_request(provider.redirect_uri) as posted:
                await provider.person.sign_in_with(tab, "eve")
            request = await posted.value
        finally:
            await context.close()

    assert (request.method, request.url) == ("POST", provider.redirect_uri)
    assert "code=" in (request.post_data or "")
