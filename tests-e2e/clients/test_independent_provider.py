"""Checks the independent provider without Portico, so that failures elsewhere are Portico's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jwt
import pytest
from authlib.integrations.httpx_client import AsyncOAuth2Client
from portico_scenarios import independent_provider
from portico_scenarios.independent_provider import CLIENT_ID, CLIENT_SECRET
from portico_stack.machine.ports import free_port

pytestmark = pytest.mark.e2e

CALLBACK = "http://127.0.0.1:9/callback"
# Authlib has no type annotations.
Authlib: Any = AsyncOAuth2Client


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
async def test_library_signs_in_at_independent_provider(tmp_path: Path, method: str) -> None:
    """Authlib gets an id_token of the login that was entered, and its claims from userinfo."""
    async with (
        independent_provider.running(tmp_path, free_port(), CALLBACK, method) as provider,
        Authlib(
            *(CLIENT_ID, CLIENT_SECRET, method),
            scope="openid email",
            redirect_uri=CALLBACK,
            code_challenge_method="S256",
            trust_env=False,
        ) as client,
    ):
        discovery = f"{provider.issuer}/.well-known/openid-configuration"
        metadata = (await client.request("GET", discovery, withhold_token=True)).json()
        url, _ = client.create_authorization_url(metadata["authorization_endpoint"], code_verifier="v" * 43)
        back = await provider.sign_in(url, "eve")
        tokens = await client.fetch_token(
            metadata["token_endpoint"], authorization_response=back, code_verifier="v" * 43
        )
        person = (await client.get(metadata["userinfo_endpoint"])).json()
        claims = jwt.decode(tokens["id_token"], options={"verify_signature": False})

    assert (claims["iss"], claims["sub"], person["sub"]) == (provider.issuer, "eve", "eve")
    assert (person["email"], person["email_verified"]) == ("eve@elsewhere.example", True)
