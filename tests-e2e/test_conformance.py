"""Checks of the conformance suite that no other scenario has (docs/conformance.md)."""

from __future__ import annotations

import itertools
import json
from typing import Any, Final

import pytest
from portico_scenarios.agent import Agent
from portico_scenarios.id_token import checked_claims
from portico_scenarios.participants import ALICE
from portico_scenarios.relying_party import begin, userinfo
from portico_scenarios.world import World, code_in

pytestmark = pytest.mark.e2e

REGISTERED: Final = {
    "issuer", "authorization_endpoint", "token_endpoint", "userinfo_endpoint", "introspection_endpoint",
    "revocation_endpoint", "end_session_endpoint", "jwks_uri", "scopes_supported", "response_types_supported",
    "response_modes_supported", "grant_types_supported", "acr_values_supported", "subject_types_supported",
    "id_token_signing_alg_values_supported", "token_endpoint_auth_methods_supported",
    "token_endpoint_auth_signing_alg_values_supported", "introspection_endpoint_auth_methods_supported",
    "introspection_endpoint_auth_signing_alg_values_supported", "revocation_endpoint_auth_methods_supported",
    "revocation_endpoint_auth_signing_alg_values_supported", "code_challenge_methods_supported",
    "claim_types_supported", "claims_supported", "claims_parameter_supported", "prompt_values_supported",
    "ui_locales_supported", "request_parameter_supported", "request_uri_parameter_supported",
    "backchannel_logout_supported", "backchannel_logout_session_supported",
    "authorization_response_iss_parameter_supported",
}  # fmt: skip
"""From the IANA registry of authorization server metadata and the logout specifications."""


async def _signed_in(world: World, agent: Agent, name: str = "basic", **changes: str | None) -> dict[str, Any]:
    begun = begin(world.metadata, world.clients[name], **changes)
    page = await agent.sign_in(begun.url, ALICE.login_name, ALICE.password)
    verifier = {} if changes.get("code_challenge", "") is None else {"code_verifier": begun.verifier}
    answer = await world.redeem(name, code_in(page), **verifier)
    assert answer.status_code == 200, answer.text
    return {**answer.json(), "returned": page.returned}


def test_discovery_satisfies_the_suite(world: World) -> None:
    """Discovery has registered names, endpoints below the issuer, RS256, S256, string arrays and booleans only."""
    metadata = world.metadata
    endpoints = {name: url for name, url in metadata.items() if name.endswith("_endpoint") or name == "jwks_uri"}
    lists = [value for value in metadata.values() if not isinstance(value, str | bool)]

    assert set(metadata) <= REGISTERED
    assert all(url.startswith(f"{world.issuer}/") for url in endpoints.values())
    assert {"authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"} <= set(endpoints)
    assert metadata["response_types_supported"] == ["code", "id_token", "id_token token"]
    assert "RS256" in metadata["id_token_signing_alg_values_supported"]
    assert "S256" in metadata["code_challenge_methods_supported"]
    assert {"authorization_code", "implicit", "refresh_token"} <= set(metadata["grant_types_supported"])
    assert {"openid", "profile", "email", "address", "phone"} <= set(metadata["scopes_supported"])
    assert all(isinstance(value, list) and value for value in lists)
    assert all(isinstance(item, str) for item in itertools.chain(*lists))


WISHES: tuple[dict[str, str], ...] = (
    {"display": "page"}, {"display": "popup"}, {"display": "nonsense"}, {"ui_locales": "se"}, {"claims_locales": "se"}, {"acr_values": "1 2"}, {"extra": "foobar"},
)  # fmt: skip


async def test_optional_parameters_with_any_value_are_tolerated(world: World) -> None:
    """An unsupported value of an optional parameter causes no error (oidcc-display-page and similar)."""
    async with world.agent() as agent:
        await _signed_in(world, agent, login_hint="bob@nowhere.example.test")
        for wish in WISHES:
            begun, code = await world.silent_code(agent, "basic", **wish)
            answer = await world.redeem("basic", code, code_verifier=begun.verifier)

            assert "id_token" in answer.json(), wish


async def test_request_object_error_uses_the_outer_redirect_uri(world: World) -> None:
    """Request objects are refused with an error at the redirect URI, because ignoring one could lose its state."""
    objects = {"request": "eyJhbGciOiJub25lIn0.e30.", "request_uri": "https://rp.example.test/request.jwt"}
    for name, value in objects.items():
        for response_type in ("code", "id_token token"):
            begun = begin(world.metadata, world.clients["spa"], response_type=response_type, **{name: value})
            async with world.agent() as agent:
                page = await agent.open(begun.url)

            assert page.returned is not None, (name, response_type)
            assert set(page.returned) == {"error", "error_description", "state", "iss"}, (name, response_type)
            assert page.returned["error"] == f"{name}_not_supported"
            assert ("#" in page.location) == (response_type != "code"), name


async def test_essential_claim_is_at_userinfo_only(world: World) -> None:
    """An essential name claim is returned by userinfo and not in the id_token (oidcc-claims-essential)."""
    asked = json.dumps({"userinfo": {"name": {"essential": True}}})
    async with world.agent() as agent:
        tokens = await _signed_in(world, agent, scope="openid", claims=asked)
    claims = await checked_claims(world.http, world.metadata, tokens["id_token"], "e2e-basic")
    said = (await userinfo(world.http, world.metadata, tokens["access_token"])).json()

    assert said == {"sub": ALICE.id, "name": "Alice Liddell"}
    assert "name" not in claims


async def test_long_state_and_nonce_are_preserved(world: World) -> None:
    """A state of 128 and a nonce of 384 unreserved characters are returned unchanged, together with iss."""
    state, nonce = ("aZ09-._~" * 16), ("aZ09-._~" * 48)
    async with world.agent() as agent:
        tokens = await _signed_in(world, agent, state=state, nonce=nonce)
    claims = await checked_claims(world.http, world.metadata, tokens["id_token"], "e2e-basic")

    assert set(tokens["returned"]) == {"code", "state", "iss"}
    assert tokens["returned"]["state"] == state
    assert tokens["returned"]["iss"] == world.issuer
    assert claims["nonce"] == nonce


async def test_confidential_client_may_omit_pkce(world: World) -> None:
    """A client with a secret may omit both PKCE and the nonce (conformance 3.2)."""
    async with world.agent() as agent:
        tokens = await _signed_in(world, agent, nonce=None, code_challenge=None, code_challenge_method=None)
    claims = await checked_claims(world.http, world.metadata, tokens["id_token"], "e2e-basic")

    assert "nonce" not in claims


async def test_acr_is_one_of_the_published_values(world: World) -> None:
    """Of several requested acr values one is returned (oidcc-ensure-request-with-acr-values-succeeds)."""
    published = world.metadata["acr_values_supported"]
    async with world.agent() as agent:
        tokens = await _signed_in(world, agent, acr_values=" ".join(published))
    claims = await checked_claims(world.http, world.metadata, tokens["id_token"], "e2e-basic")

    assert claims["acr"] in published


async def test_codes_have_256_bits(world: World) -> None:
    """Codes have 43 base64url characters, which are 256 bits, and a dozen codes share no more than a prefix (AZ-07)."""
    async with world.agent() as agent:
        await _signed_in(world, agent)
        codes = [(await world.silent_code(agent, "basic"))[1] for _ in range(12)]

    assert len(set(codes)) == len(codes)
    assert all(len(code) >= 43 for code in codes)
    assert len({code[-22:] for code in codes}) == len(codes)


async def test_offline_access_with_consent_gives_refresh_token(world: World) -> None:
    """offline_access with prompt=consent, as in oidcc-refresh-token, gives a refresh token."""
    async with world.agent() as agent:
        tokens = await _signed_in(world, agent, "offline", scope="openid offline_access", prompt="consent")

    assert tokens["refresh_token"]
    assert "offline_access" in tokens["scope"].split()
