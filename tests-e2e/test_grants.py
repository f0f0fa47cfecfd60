"""Every grant requested with Authlib and requests-oauthlib through the gateway."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from typing import Any

import pytest
from portico_harness.key_pairs import KeyPair
from portico_scenarios.agent import Agent
from portico_scenarios.id_token import at_hash, doubly_checked_claims
from portico_scenarios.libraries import Oauthlib, authlib_assertion_client, authlib_client
from portico_scenarios.participants import ALICE, PROJECT_ID
from portico_scenarios.programs import (
    API,
    AUDIENCE,
    FOREIGN_API,
    JWT_ROBOT,
    KEYED_API,
    KEYED_JWT_ROBOT,
    KEYED_ROBOT,
    READER,
    ROBOT,
    WRITER,
    Api,
    Program,
)
from portico_scenarios.relying_party import Client, begin
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
SCOPE = "openid email offline_access"
ROLES = "urn:portico:project:roles"
METHODS = {"client_secret_basic": "offline", "client_secret_post": "post", "none": "public", "private_key_jwt": "keyed"}
"""An application with refresh tokens for each authentication method."""

WITH_REFRESH = {"access_token", "token_type", "expires_in", "scope", "id_token", "refresh_token"}


@pytest.fixture(scope="module")
async def alice(world: World) -> AsyncIterator[Agent]:
    async with world.agent() as agent:
        await agent.sign_in(begin(world.metadata, world.clients["basic"]).url, ALICE.login_name, ALICE.password)
        yield agent


@pytest.fixture
def plain_http(monkeypatch: pytest.MonkeyPatch) -> None:
    """Oauthlib accepts http only with its test setting."""
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")


async def _introspected(world: World, token: str, api: Api = API) -> dict[str, Any]:
    answer = await world.ask("introspection_endpoint", api.client, token=token)
    assert answer.status_code == 200, answer.text
    said: dict[str, Any] = answer.json()
    return said


def _members(tokens: dict[str, Any]) -> set[str]:
    """Returns the members of the response, without those added by the library."""
    return set(tokens) - {"expires_at", "userinfo"}


@pytest.mark.parametrize("name", METHODS.values(), ids=METHODS.keys())
async def test_authlib_redeems_refreshes_introspects_and_revokes(world: World, alice: Agent, name: str) -> None:
    """Authlib completes the code flow with every authentication method (TK-16, TK-20)."""
    verifier, nonce = secrets.token_hex(32), secrets.token_hex(16)
    endpoints = world.metadata
    async with authlib_client(world.issuer, world.clients[name], SCOPE) as client:
        url, state = client.create_authorization_url(
            endpoints["authorization_endpoint"], code_verifier=verifier, nonce=nonce
        )
        page = await alice.open(url)
        first = dict(
            await client.fetch_token(
                endpoints["token_endpoint"],
                authorization_response=page.location,
                state=state,
                code_verifier=verifier,
            )
        )
        second = dict(await client.refresh_token(endpoints["token_endpoint"]))
        person = (await client.get(endpoints["userinfo_endpoint"])).json()
        revoked = await client.revoke_token(endpoints["revocation_endpoint"], second["refresh_token"])
    client_id = world.clients[name].client_id
    claims = [
        await doubly_checked_claims(world.http, endpoints, tokens["id_token"], client_id) for tokens in (first, second)
    ]
    after = [await _introspected(world, tokens["access_token"]) for tokens in (first, second)]

    assert _members(first) == _members(second) == WITH_REFRESH
    assert first["scope"] == second["scope"] == SCOPE
    assert first["refresh_token"] != second["refresh_token"]
    assert claims[0]["nonce"] == nonce
    assert "nonce" not in claims[1]
    assert [said["at_hash"] for said in claims] == [at_hash(tokens["access_token"]) for tokens in (first, second)]
    for same in ("sub", "sid", "auth_time", "amr", "azp", "aud"):
        assert claims[0][same] == claims[1][same]
    assert person["sub"] == ALICE.id
    assert person["email"] == "alice@mail.example.test"
    assert (revoked.status_code, revoked.content) == (200, b"")
    assert after == [{"active": False}] * 2


@pytest.mark.parametrize("name", METHODS.values(), ids=METHODS.keys())
async def test_requests_oauthlib_redeems_refreshes_and_revokes(
    world: World, alice: Agent, plain_http: None, name: str
) -> None:
    """requests-oauthlib completes the code flow, and revoking an access token ends only that one (IR-08)."""
    client = world.clients[name]
    library = Oauthlib(world.metadata, client, SCOPE)
    page = await alice.open(library.authorization_url())
    first = await asyncio.to_thread(library.redeem, page.location)
    second = await asyncio.to_thread(library.refresh)
    person = await asyncio.to_thread(library.userinfo)
    revoked = await asyncio.to_thread(library.revoke, second["access_token"])
    after = [(await _introspected(world, tokens["access_token"]))["active"] for tokens in (first, second)]
    third = await asyncio.to_thread(library.refresh)

    assert _members(first) == _members(second) == _members(third) == WITH_REFRESH
    assert person["sub"] == ALICE.id
    assert revoked == 200
    assert after == [True, False]


CLIENT_CREDENTIALS = {
    "opaque, basic": ROBOT.client,
    "opaque, post": ROBOT.in_body,
    "JWT, basic": JWT_ROBOT.client,
    "JWT, post": JWT_ROBOT.in_body,
}


@pytest.mark.parametrize("client", CLIENT_CREDENTIALS.values(), ids=CLIENT_CREDENTIALS.keys())
async def test_authlib_gets_client_credentials(world: World, client: Client) -> None:
    """Authlib gets an access token of the named project only, which userinfo refuses (TK-20, IR-09)."""
    async with authlib_client(world.issuer, client, f"openid {AUDIENCE}") as library:
        tokens = await library.fetch_token(world.metadata["token_endpoint"], grant_type="client_credentials")
        refused = await library.get(world.metadata["userinfo_endpoint"])
    said = await _introspected(world, tokens["access_token"])

    assert _members(tokens) == {"access_token", "token_type", "expires_in", "scope"}
    assert said["active"] is True
    assert {said["sub"], said["client_id"]} == {client.client_id}
    assert {PROJECT_ID, API.client.client_id} <= set(said["aud"])
    assert refused.status_code == 401
    assert 'error="invalid_token"' in refused.headers["www-authenticate"]


@pytest.mark.parametrize("client", CLIENT_CREDENTIALS.values(), ids=CLIENT_CREDENTIALS.keys())
async def test_requests_oauthlib_gets_client_credentials(world: World, plain_http: None, client: Client) -> None:
    """requests-oauthlib's backend client gets a token with the secret in the header or in the body."""
    tokens = await asyncio.to_thread(Oauthlib(world.metadata, client, AUDIENCE).client_credentials)

    assert _members(tokens) == {"access_token", "token_type", "expires_in", "scope"}
    assert (await _introspected(world, tokens["access_token"]))["active"] is True


async def test_service_user_jwt_is_verified_offline(world: World) -> None:
    """PyJWT and joserfc verify a service user's JWT: audience, at+jwt and roles by scope."""
    tokens = await world.grant(JWT_ROBOT.client, "client_credentials", scope=f"openid {AUDIENCE} {ROLES}")
    claims = await doubly_checked_claims(world.http, world.metadata, tokens["access_token"], PROJECT_ID)

    assert claims["sub"] == claims["client_id"] == JWT_ROBOT.user_id
    assert claims["scope"] == f"openid {AUDIENCE} {ROLES}"
    assert claims[f"urn:portico:project:{PROJECT_ID}:roles"] == {WRITER: {"e2e-org": ALICE.domain}}
    assert not {"name", "email", "email_verified", "phone_number", "address"} & set(claims)


@pytest.mark.parametrize("robot", [KEYED_ROBOT, KEYED_JWT_ROBOT], ids=["RS256, opaque", "ES256, JWT"])
@pytest.mark.parametrize("audience", ["issuer", "token_endpoint"])
async def test_authlib_sends_an_assertion(world: World, robot: Program, audience: str) -> None:
    """The JWT profile gives an access token and an id_token of the service user, and userinfo works (TK-20)."""
    scope = f"openid profile {AUDIENCE}"
    async with authlib_assertion_client(
        world.metadata, robot.user_id, robot.keys[0], world.metadata[audience], scope
    ) as library:
        person = (await library.get(world.metadata["userinfo_endpoint"])).json()
        tokens = library.token
    claims = await doubly_checked_claims(world.http, world.metadata, tokens["id_token"], robot.user_id)
    said = await _introspected(world, tokens["access_token"])

    assert _members(tokens) == {"access_token", "token_type", "expires_in", "scope", "id_token"}
    assert claims["sub"] == claims["azp"] == person["sub"] == said["sub"] == robot.user_id
    assert person["preferred_username"] == said["username"] == f"{robot.name}@{ALICE.domain}"
    assert "sid" not in claims


@pytest.mark.parametrize("key", KEYED_ROBOT.keys, ids=lambda key: key.alg)
async def test_every_key_of_a_service_user_signs(world: World, key: KeyPair) -> None:
    """The kid selects the key, and the key determines the algorithm (JW-02)."""
    form = {"assertion": key.assertion(KEYED_ROBOT.user_id, world.issuer), "scope": "openid"}
    tokens = await world.grant(Client(KEYED_ROBOT.user_id, "", auth_method="none"), JWT_BEARER, **form)

    assert set(tokens) == {"access_token", "token_type", "expires_in", "scope", "id_token"}


async def test_requests_oauthlib_sends_an_assertion(world: World, plain_http: None) -> None:
    """An assertion without a jti is accepted if its kid is set (JW-12)."""
    library = Oauthlib(world.metadata, Client(KEYED_ROBOT.user_id, ""), "openid")
    tokens = await asyncio.to_thread(library.jwt_profile, KEYED_ROBOT.keys[0])
    claims = await doubly_checked_claims(world.http, world.metadata, tokens["id_token"], KEYED_ROBOT.user_id)

    assert _members(tokens) == {"access_token", "token_type", "expires_in", "scope", "id_token"}
    assert claims["sub"] == KEYED_ROBOT.user_id


async def test_introspection_is_limited_to_the_audience(world: World, alice: Agent) -> None:
    """Both APIs of the project may introspect, another project's API and a service user get no information (IR-01)."""
    token = (await world.silent_tokens(alice, "roles", scope=f"openid email {ROLES}"))["access_token"]
    told = [await _introspected(world, token, api) for api in (API, KEYED_API)]
    foreign = await world.ask("introspection_endpoint", FOREIGN_API.client, token=token)
    robot = await world.ask("introspection_endpoint", ROBOT.client, token=token)

    assert told[0] == told[1]
    assert told[0]["active"] is True
    assert told[0]["username"] == f"alice@{ALICE.domain}"
    assert told[0]["email"] == "alice@mail.example.test"
    assert told[0][ROLES] == {READER: {"e2e-org": ALICE.domain}}
    assert told[0]["exp"] - told[0]["iat"] == 3_600
    assert foreign.content == robot.content == b'{"active":false}'


async def test_authlib_introspects_for_apis(world: World, alice: Agent) -> None:
    """APIs with a secret or a key introspect opaque tokens and JWTs with Authlib."""
    tokens = [(await world.silent_tokens(alice, name))["access_token"] for name in ("basic", "jwt")]
    said = []
    for api in (API, KEYED_API):
        async with authlib_client(world.issuer, api.client, "openid") as library:
            for token in tokens:
                answer = await library.introspect_token(world.metadata["introspection_endpoint"], token)
                said.append(answer.json())

    assert [one["active"] for one in said] == [True] * 4
    assert {one["sub"] for one in said} == {ALICE.id}
    assert [one["client_id"] for one in said] == ["e2e-basic", "e2e-jwt"] * 2


@pytest.mark.parametrize(("name", "alg"), [("jwt", "RS256"), ("roles", "ES256"), ("keyed", "RS256")])
async def test_jwts_are_signed_with_the_applications_algorithm(world: World, alice: Agent, name: str, alg: str) -> None:
    """id_token and JWT access token have the application's algorithm, and pass PyJWT and joserfc (JW-02)."""
    tokens = await world.silent_tokens(alice, name)
    client_id = world.clients[name].client_id
    claims = [
        await doubly_checked_claims(world.http, world.metadata, tokens[kind], client_id, alg)
        for kind in ("access_token", "id_token")
    ]

    assert [said["sub"] for said in claims] == [ALICE.id] * 2
    assert set(claims[1]["aud"]) == {client_id} < set(claims[0]["aud"])
    assert (ROLES in claims[0]) == (ROLES in claims[1]) == (name == "roles")
    assert not {"name", "email", "phone_number", "address"} & (set(claims[0]) | set(claims[1]))
