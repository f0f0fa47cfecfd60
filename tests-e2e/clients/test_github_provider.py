"""Checks the imitated GitHub provider without Portico, using Authlib."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlencode

import httpx
import pytest
from authlib.integrations.httpx_client import AsyncOAuth2Client
from portico_harness.plain_http import plain_http
from portico_scenarios import github_provider
from portico_scenarios.github_provider import CLIENT_ID, CLIENT_SECRET, GitHub, user_id
from portico_scenarios.upstream_page import listening

pytestmark = pytest.mark.e2e

CALLBACK = "http://127.0.0.1:9/callback"
# Authlib has no type annotations.
Authlib: Any = AsyncOAuth2Client


async def code_of(provider: GitHub, **changes: str) -> str:
    query = {"client_id": CLIENT_ID, "scope": "read:user user:email", "state": "s", **changes}
    sent = await provider.person.sign_in(f"{provider.address}/login/oauth/authorize?{urlencode(query)}", "eve")
    return sent.parameters["code"]


async def exchange(provider: GitHub, accept: str = "", **changes: str) -> httpx.Response:
    form = {"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET, "redirect_uri": CALLBACK, **changes}
    async with plain_http() as http:
        headers = {"Accept": accept} if accept else {}
        return await http.post(f"{provider.address}/login/oauth/access_token", data=form, headers=headers)


async def test_library_signs_in_at_imitated_github() -> None:
    """Authlib gets a token with PKCE, the user's numeric id and the email addresses."""
    async with (
        github_provider.running(listening(), CALLBACK) as provider,
        Authlib(
            *(CLIENT_ID, CLIENT_SECRET, "client_secret_post"),
            scope="read:user user:email",
            redirect_uri=CALLBACK,
            code_challenge_method="S256",
            trust_env=False,
        ) as client,
    ):
        url, state = client.create_authorization_url(
            f"{provider.address}/login/oauth/authorize", code_verifier="v" * 43
        )
        back = await provider.person.sign_in(url, "eve")
        await client.fetch_token(
            f"{provider.address}/login/oauth/access_token",
            authorization_response=back.url,
            code_verifier="v" * 43,
            headers={"Accept": "application/json"},
        )
        user = (await client.get(f"{provider.address}/api/v3/user")).json()
        emails = (await client.get(f"{provider.address}/api/v3/user/emails")).json()

    assert back.parameters["state"] == state
    assert (user["id"], user["login"], user["email"]) == (user_id("eve"), "eve", None)
    assert [(mail["email"], mail["primary"], mail["verified"]) for mail in emails] == [
        ("eve@elsewhere.example", True, True)
    ]


async def test_token_errors_have_status_200() -> None:
    """Token errors have status 200, as a form or as JSON; a code works once, with its verifier and redirect URI."""
    async with github_provider.running(listening(), CALLBACK) as provider:
        code = await code_of(provider)
        token = dict(parse_qsl((await exchange(provider, code=code)).text))
        used = await exchange(provider, "application/json", code=code)
        bound = await code_of(provider, code_challenge="c" * 43, code_challenge_method="S256")
        unproven = await exchange(provider, "application/json", code=bound, code_verifier="v" * 43)
        elsewhere = await exchange(provider, "application/json", code=await code_of(provider), redirect_uri="http://x/")
        stranger = await exchange(provider, client_secret="wrong")

    assert (token["token_type"], token["scope"]) == ("bearer", "read:user,user:email")
    assert {answer.status_code for answer in (used, unproven, elsewhere, stranger)} == {200}
    assert used.json()["error"] == unproven.json()["error"] == "bad_verification_code"
    assert elsewhere.json()["error"] == "redirect_uri_mismatch"
    assert dict(parse_qsl(stranger.text))["error"] == "incorrect_client_credentials"


async def test_api_refuses_incomplete_requests() -> None:
    """The API refuses a missing or unknown token, a missing User-Agent and a missing email scope."""
    async with github_provider.running(listening(), CALLBACK) as provider, plain_http() as http:
        user, emails = f"{provider.address}/user", f"{provider.address}/user/emails"
        scoped = await exchange(provider, "application/json", code=await code_of(provider, scope="read:user"))
        headers = {"Authorization": f"Bearer {scoped.json()['access_token']}"}
        statuses = [
            (await http.get(user)).status_code,
            (await http.get(user, headers={"Authorization": "Bearer gho_unknown"})).status_code,
            (await http.get(user, headers={**headers, "User-Agent": ""})).status_code,
            (await http.get(emails, headers=headers)).status_code,
            (await http.get(user, headers=headers)).status_code,
        ]

    assert statuses == [401, 401, 403, 404, 200]


async def test_denied_access_redirects_with_error() -> None:
    """A user who cancels is sent back with an error and the state, without a code."""
    async with github_provider.running(listening(), CALLBACK) as provider:
        url = f"{provider.address}/login/oauth/authorize?{urlencode({'client_id': CLIENT_ID, 'state': 's'})}"
        sent = await provider.person.sign_in(url, "eve", "cancel")

    assert sent.url.startswith(f"{CALLBACK}?")
    assert (sent.parameters["error"], sent.parameters["state"]) == ("access_denied", "s")
