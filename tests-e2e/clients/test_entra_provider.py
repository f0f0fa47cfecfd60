"""Checks the imitated Entra provider without Portico, using Authlib and PyJWT."""

from __future__ import annotations

from typing import Any

import jwt
import pytest
from authlib.integrations.httpx_client import AsyncOAuth2Client
from jwt import PyJWK
from portico_scenarios import entra_provider
from portico_scenarios.entra_provider import CLIENT_ID, CLIENT_SECRET, PERSONAL_TENANT, TENANT, Entra
from portico_scenarios.upstream_page import Sent, listening

pytestmark = pytest.mark.e2e

CALLBACK = "http://127.0.0.1:9/callback"
# Authlib has no type annotations.
Authlib: Any = AsyncOAuth2Client


def library(method: str = "client_secret_post") -> Any:
    return Authlib(
        *(CLIENT_ID, CLIENT_SECRET, method),
        scope="openid profile email",
        redirect_uri=CALLBACK,
        code_challenge_method="S256",
        trust_env=False,
    )


async def metadata_of(client: Any, provider: Entra, tenant: str = "common") -> Any:
    url = f"{provider.issuer(tenant)}/.well-known/openid-configuration"
    return (await client.request("GET", url, withhold_token=True)).json()


async def signed_in(client: Any, provider: Entra, metadata: Any, **more: str) -> Sent:
    url, _ = client.create_authorization_url(
        metadata["authorization_endpoint"], code_verifier="v" * 43, nonce="n", **more
    )
    return await provider.person.sign_in(url, "eve")


async def claims_of(client: Any, metadata: Any, tokens: Any) -> Any:
    keys = (await client.request("GET", metadata["jwks_uri"], withhold_token=True)).json()["keys"]
    kid = jwt.get_unverified_header(tokens["id_token"])["kid"]
    (key,) = [key for key in keys if key["kid"] == kid]
    assert "alg" not in key
    return jwt.decode(tokens["id_token"], PyJWK(key, "RS256"), ["RS256"], audience=CLIENT_ID)


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
async def test_multitenant_issuer_is_a_template(method: str) -> None:
    """The multi-tenant issuer is a template filled by the token's tid, and email addresses are unverified."""
    async with entra_provider.running(listening(), CALLBACK) as provider, library(method) as client:
        metadata = await metadata_of(client, provider)
        back = await signed_in(client, provider, metadata)
        tokens = await client.fetch_token(
            metadata["token_endpoint"], authorization_response=back.url, code_verifier="v" * 43
        )
        claims = await claims_of(client, metadata, tokens)

    assert metadata["issuer"].endswith("/{tenantid}/v2.0")
    assert claims["iss"] == metadata["issuer"].replace("{tenantid}", claims["tid"])
    assert (claims["tid"], claims["nonce"], claims["ver"]) == (TENANT, "n", "2.0")
    assert (claims["email"], "xms_edov" in claims, "email_verified" in claims) == (
        "eve@elsewhere.example",
        False,
        False,
    )


async def test_single_tenant_has_its_own_issuer() -> None:
    """Discovery of one tenant names its issuer, and the issuer follows a changed tid claim."""
    async with entra_provider.running(listening(), CALLBACK) as provider, library() as client:
        provider.changes["eve"] = {"tid": PERSONAL_TENANT, "xms_edov": True, "oid": ...}
        metadata = await metadata_of(client, provider, TENANT)
        back = await signed_in(client, provider, metadata)
        tokens = await client.fetch_token(
            metadata["token_endpoint"], authorization_response=back.url, code_verifier="v" * 43
        )
        claims = await claims_of(client, metadata, tokens)

    assert metadata["issuer"] == provider.issuer(TENANT)
    assert (claims["iss"], claims["xms_edov"], "oid" in claims) == (provider.issuer(PERSONAL_TENANT), True, False)


async def test_token_errors_have_aadsts_numbers() -> None:
    """A used code, a wrong verifier and a wrong secret are refused with AADSTS numbers."""
    async with entra_provider.running(listening(), CALLBACK) as provider, library() as client:
        metadata = await metadata_of(client, provider)
        answers = []
        for secret, verifier in ((CLIENT_SECRET, "w" * 43), ("wrong", "v" * 43)):
            back = await signed_in(client, provider, metadata)
            form = {
                "grant_type": "authorization_code",
                "client_id": CLIENT_ID,
                "client_secret": secret,
                "redirect_uri": CALLBACK,
                "code": back.parameters["code"],
                "code_verifier": verifier,
            }
            url = metadata["token_endpoint"]
            answers.append(await client.request("POST", url, data=form, withhold_token=True))
            answers.append(await client.request("POST", url, data=form, withhold_token=True))

    assert [(answer.status_code, answer.json()["error_codes"]) for answer in answers] == [
        (400, [70008]),
        (400, [70008]),
        (401, [7000215]),
        (401, [7000215]),
    ]


async def test_form_post_response_mode() -> None:
    """With response_mode=form_post a page posts code and state across sites."""
    async with entra_provider.running(listening(), CALLBACK) as provider, library() as client:
        metadata = await metadata_of(client, provider)
        back = await signed_in(client, provider, metadata, response_mode="form_post")

    assert (back.url, back.form is not None) == (CALLBACK, True)
    assert {"code", "state", "session_state"} == set(back.parameters)
