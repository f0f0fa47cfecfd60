from __future__ import annotations

import time
from typing import Any

import httpx
import jwt
import pytest
from playwright.async_api import Page
from portico_scenarios.id_token import at_hash, checked_claims, key_for
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages, requests_to
from portico_scenarios.participants import ALICE, APPS, CLAIMS_OF_ALICE, PROJECT_ID
from portico_scenarios.programs import API, KEYED_API
from portico_scenarios.relying_party import begin, userinfo
from portico_scenarios.world import World, code_in

pytestmark = pytest.mark.e2e

AUDIENCE = {f"e2e-{name}" for name in APPS} | {API.client.client_id, KEYED_API.client.client_id, PROJECT_ID}
ID_TOKEN_CLAIMS = {
    "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "azp", "sid", "at_hash",
}  # fmt: skip


async def _sign_in(tab: Page, world: World, name: str) -> dict[str, Any]:
    pages = RelyingPartyPages(tab, world.rp_url(name))
    await pages.begin()
    await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()
    return await pages.session()


async def test_id_token_claims(tab: Page, world: World) -> None:
    """The id_token has exactly the expected claims with correct values (OIDC Core §2, TK-20)."""
    authorize = requests_to(tab.context, "/oauth/v2/authorize")
    before = int(time.time())
    token = (await _sign_in(tab, world, "basic"))["token"]
    claims = await checked_claims(world.http, world.metadata, token["id_token"], "e2e-basic")

    assert set(claims) == ID_TOKEN_CLAIMS
    assert claims["iss"] == world.issuer
    assert claims["sub"] == ALICE.id
    assert claims["aud"] == ["e2e-basic"]
    assert before <= claims["auth_time"] <= claims["iat"] <= time.time()
    assert claims["exp"] == claims["iat"] + 3600
    assert claims["nonce"] == httpx.URL(authorize[0]).params["nonce"]
    assert claims["acr"] == "urn:portico:acr:pwd"
    assert claims["amr"] == ["pwd"]
    assert claims["azp"] == "e2e-basic"
    assert len(claims["sid"]) >= 22
    assert claims["at_hash"] == at_hash(token["access_token"])


async def test_key_set_has_public_keys_only(world: World) -> None:
    """The signing key is in the key set with kid, use and alg, without private members (IR-15)."""
    token = (await world.tokens_of(ALICE, "basic"))["id_token"]
    key = await key_for(world.http, world.metadata, token)
    published = (await world.http.get(world.metadata["jwks_uri"])).json()["keys"]

    assert jwt.get_unverified_header(token) == {"alg": "RS256", "kid": key.key_id, "typ": "JWT"}
    public = {"RSA": {"n", "e"}, "EC": {"crv", "x", "y"}, "OKP": {"crv", "x"}}
    assert all(set(jwk) == {"kty", "kid", "use", "alg"} | public[jwk["kty"]] for jwk in published)
    assert len({jwk["kid"] for jwk in published}) == len(published)


async def test_token_response_has_exactly_the_requested_members(world: World) -> None:
    """The response is not cacheable and has no refresh_token unless requested (TK-20, TK-21)."""
    begun, code = await world.code_of(ALICE, "basic", scope="openid email unknown:scope")
    answer = await world.redeem("basic", code, code_verifier=begun.verifier)
    tokens = answer.json()

    assert set(tokens) == {"access_token", "token_type", "expires_in", "id_token", "scope"}
    assert tokens["token_type"] == "Bearer"
    assert tokens["expires_in"] == 3600
    assert tokens["scope"].split() == ["openid", "email"]
    assert "no-store" in answer.headers["cache-control"]


@pytest.mark.parametrize("name", ["post", "public", "jwt"])
async def test_every_kind_of_application_signs_in(tab: Page, world: World, name: str) -> None:
    """Applications with secret in header or body, with PKCE only, with opaque or JWT access tokens sign Alice in."""
    session = await _sign_in(tab, world, name)

    assert session["claims"]["sub"] == ALICE.id
    assert session["claims"]["azp"] == f"e2e-{name}"
    assert session["userinfo"]["sub"] == ALICE.id
    assert session["userinfo"]["name"] == "Alice Liddell"
    assert session["userinfo"]["email_verified"] is True
    assert (session["token"]["access_token"].count(".") == 2) == (name == "jwt")


async def test_jwt_access_token_follows_rfc_9068(world: World) -> None:
    """A JWT access token is at+jwt with client, audience and scope, without claims of the user (RFC 9068)."""
    token = (await world.tokens_of(ALICE, "jwt"))["access_token"]
    claims = await checked_claims(world.http, world.metadata, token, "e2e-jwt")

    assert jwt.get_unverified_header(token)["typ"] == "at+jwt"
    assert set(claims) == {"iss", "sub", "aud", "exp", "iat", "nbf", "client_id", "jti", "scope"}
    assert claims["sub"] == ALICE.id
    assert claims["client_id"] == "e2e-jwt"
    assert set(claims["aud"]) == AUDIENCE
    assert claims["scope"].split() == ["openid", "profile", "email"]


async def test_userinfo_returns_the_claims_of_the_scopes(world: World) -> None:
    """Userinfo by GET, by POST with header and by POST with body returns the claims of all four scopes."""
    tokens = await world.tokens_of(ALICE, "basic", scope="openid profile email phone address")
    url, token = world.metadata["userinfo_endpoint"], tokens["access_token"]
    answers = [
        await userinfo(world.http, world.metadata, token),
        await world.http.post(url, headers={"Authorization": f"bearer {token}"}),
        await world.http.post(url, data={"access_token": token}),
    ]
    said = [answer.json() for answer in answers]
    updated_at = said[0].pop("updated_at")

    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert isinstance(updated_at, int)
    assert said[0] == {"sub": ALICE.id, **{k: v for claims in CLAIMS_OF_ALICE.values() for k, v in claims.items()}}
    assert said[1] == said[2] == {**said[0], "updated_at": updated_at}


async def test_userinfo_returns_no_claims_of_other_scopes(world: World) -> None:
    """One scope gives exactly its claims (OIDC Core §5.4)."""
    told = {}
    async with world.agent() as agent:
        await agent.sign_in(begin(world.metadata, world.clients["basic"]).url, ALICE.login_name, ALICE.password)
        for scope in CLAIMS_OF_ALICE:
            tokens = await world.silent_tokens(agent, "basic", scope=f"openid {scope}")
            told[scope] = (await userinfo(world.http, world.metadata, tokens["access_token"])).json()
            told[scope].pop("updated_at", None)

    assert told == {scope: {"sub": ALICE.id, **claims} for scope, claims in CLAIMS_OF_ALICE.items()}


async def test_id_token_has_user_claims_if_configured(world: World) -> None:
    """With idTokenUserinfoAssertion the claims of the scopes are in the id_token too (TK-20)."""
    tokens = await world.tokens_of(ALICE, "told", scope="openid email")
    claims = await checked_claims(world.http, world.metadata, tokens["id_token"], "e2e-told")

    assert set(claims) == ID_TOKEN_CLAIMS | {"email", "email_verified"}


async def test_special_characters_in_basic_credentials(world: World) -> None:
    """Basic credentials are form-decoded, so any secret works (RFC 6749 §2.3.1, TK-17)."""
    tokens = await world.tokens_of(ALICE, "odd")

    assert tokens["token_type"] == "Bearer"


async def test_every_login_identifier_works(world: World) -> None:
    """User name in any case, user name with domain, and verified email address sign in the same user."""
    for login_name in ("ALICE", "alice@e2e.localhost", "alice@mail.example.test"):
        begun = begin(world.metadata, world.clients["basic"])
        async with world.agent() as agent:
            page = await agent.sign_in(begun.url, login_name, ALICE.password)
        tokens = (await world.redeem("basic", code_in(page), code_verifier=begun.verifier)).json()
        claims = await checked_claims(world.http, world.metadata, tokens["id_token"], "e2e-basic")

        assert claims["sub"] == ALICE.id, login_name
