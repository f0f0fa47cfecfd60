"""Access to introspection and revocation, their errors, and CORS."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from portico_contracts.http import DISCOVERY
from portico_harness.key_pairs import key_pair
from portico_scenarios.agent import Agent
from portico_scenarios.participants import ALICE
from portico_scenarios.programs import API, AUDIENCE, JWT_ROBOT, KEYED_API, ROBOT
from portico_scenarios.relying_party import Client, basic, begin
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

SCOPE = "openid offline_access"


@pytest.fixture(scope="module")
async def alice(world: World) -> AsyncIterator[Agent]:
    async with world.agent() as agent:
        await agent.sign_in(begin(world.metadata, world.clients["basic"]).url, ALICE.login_name, ALICE.password)
        yield agent


async def _active(world: World, token: str) -> bool:
    answer = await world.ask("introspection_endpoint", API.client, token=token)
    active: bool = answer.json()["active"]
    return active


def _refused(answer: httpx.Response, status: int, error: str) -> None:
    assert (answer.status_code, answer.json()["error"]) == (status, error), answer.text
    assert set(answer.json()) == {"error", "error_description"}
    assert answer.headers["cache-control"] == "no-store"
    basic_was_tried = "authorization" in answer.request.headers
    assert ("www-authenticate" in answer.headers) == (status == 401 and basic_was_tried)


KEYLESS = Client(KEYED_API.client.client_id, "", auth_method="private_key_jwt", key=key_pair("e2e-key-of-nobody"))
NOT_FOR_INTROSPECTION = {
    "wrong secret": Client(API.client.client_id, "", "x" * 24),
    "secret in the body": Client(API.client.client_id, "", API.client.secret, "client_secret_post"),
    "only the id": Client(API.client.client_id, "", auth_method="none"),
    "unknown client": Client("e2e-nobody", "", "x" * 24),
    "unknown key": KEYLESS,
}


async def test_introspection_requires_api_credentials(world: World) -> None:
    """Other authentication methods and applications get 401 invalid_client, whatever the token is (TK-16)."""
    token = (await world.grant(ROBOT.client, "client_credentials", scope=AUDIENCE))["access_token"]
    clients = [*NOT_FOR_INTROSPECTION.values(), world.clients["post"], world.clients["public"]]

    for client in clients:
        _refused(await world.ask("introspection_endpoint", client, token=token), 401, "invalid_client")


async def test_missing_credentials_and_missing_token(world: World) -> None:
    """A missing client is invalid_client, and a missing or empty token is invalid_request."""
    client = world.clients["offline"]
    for endpoint in ("introspection_endpoint", "revocation_endpoint"):
        nobody = await world.http.post(world.metadata[endpoint], data={"token": "x"})

        _refused(nobody, 401, "invalid_client")
        _refused(await world.ask(endpoint, client, token_type_hint="access_token"), 400, "invalid_request")
        _refused(await world.ask(endpoint, client, token=""), 400, "invalid_request")


async def test_other_tokens_are_inactive(world: World, alice: Agent) -> None:
    """Refresh tokens, id_tokens, codes and random strings get the same bytes (IR-01)."""
    tokens = await world.silent_tokens(alice, "offline", scope=SCOPE)
    _, code = await world.silent_code(alice, "offline")
    texts = [tokens["refresh_token"], tokens["id_token"], code, "x", "a.b.c", tokens["access_token"][:-1], "é"]
    answers = [await world.ask("introspection_endpoint", API.client, token=text) for text in texts]

    assert {(answer.status_code, answer.content) for answer in answers} == {(200, b'{"active":false}')}


@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
async def test_every_method_revokes(world: World, alice: Agent, kind: str) -> None:
    """An access token is revoked alone, a refresh token with its access token, whatever the hint (IR-08)."""
    for name in ("offline", "post", "public", "keyed"):
        client = world.clients[name]
        tokens = await world.silent_tokens(alice, name, scope=SCOPE)
        answer = await world.ask("revocation_endpoint", client, token=tokens[kind], token_type_hint="access_token")
        again = await world.ask("revocation_endpoint", client, token=tokens[kind])
        refreshed = await world.ask(
            "token_endpoint", client, grant_type="refresh_token", refresh_token=tokens["refresh_token"]
        )

        assert {(one.status_code, one.content) for one in (answer, again)} == {(200, b"")}, name
        assert not await _active(world, tokens["access_token"]), name
        assert refreshed.status_code == (200 if kind == "access_token" else 400), name


async def test_token_of_another_client_is_not_revoked(world: World, alice: Agent) -> None:
    """Revocation by another client is invalid_client, and the token stays valid (IR-07)."""
    tokens = await world.silent_tokens(alice, "offline", scope=SCOPE)
    strangers = [world.clients["post"], world.clients["keyed"], API.client, ROBOT.client]
    for kind in ("access_token", "refresh_token"):
        for stranger in strangers:
            _refused(await world.ask("revocation_endpoint", stranger, token=tokens[kind]), 401, "invalid_client")

    assert await _active(world, tokens["access_token"])


@pytest.mark.parametrize("robot", [ROBOT, JWT_ROBOT], ids=["opaque", "JWT"])
async def test_service_user_revokes_its_own_token(world: World, robot: Any) -> None:
    """Only the service user itself may revoke its tokens (IR-07)."""
    token = (await world.grant(robot.client, "client_credentials", scope=AUDIENCE))["access_token"]
    foreign = await world.ask("revocation_endpoint", world.clients["offline"], token=token)
    before = await _active(world, token)
    mine = await world.ask("revocation_endpoint", robot.client, token=token)

    _refused(foreign, 401, "invalid_client")
    assert before
    assert mine.status_code == 200
    assert not await _active(world, token)


async def test_cors_allows_the_applications_origins(world: World, alice: Agent) -> None:
    """Preflights pass for known origins, and successful responses are readable for the client's own (IR-17)."""
    origins = [world.rp_url("public"), world.rp_url("post"), "https://evil.example.test"]
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    url = world.metadata["token_endpoint"]
    preflights = [await world.http.options(url, headers={"Origin": origin, **asked}) for origin in origins]
    begun, code = await world.silent_code(alice, "public")
    client = world.clients["public"]
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": client.redirect_uri}
    form |= {"client_id": client.client_id, "code_verifier": begun.verifier}
    answers = [
        await world.http.post(url, data=form, headers={"Origin": origin}) for origin in reversed(origins)
    ]  # fmt: skip
    readable = [answer.headers.get("access-control-allow-origin") for answer in answers]
    refused = [
        await world.http.post(url, data=form, headers={"Origin": origin, "Authorization": basic("x", "y")})
        for origin in origins
    ]
    documents = [
        await world.http.options(world.metadata["jwks_uri"], headers={"Origin": origins[2], **asked}),
        await world.http.options(world.issuer + DISCOVERY, headers={"Origin": origins[2], **asked}),
    ]
    for path in (world.metadata["jwks_uri"], world.issuer + DISCOVERY):
        own = await world.http.get(path, headers={"Origin": origins[0]})
        assert own.headers["access-control-allow-origin"] == origins[0]
        assert own.headers["access-control-allow-credentials"] == "true"

    assert [answer.headers.get("access-control-allow-origin") for answer in preflights] == [*origins[:2], None]
    assert readable == [None, None, origins[0]]
    assert [answer.headers.get("access-control-allow-origin") for answer in refused] == [*origins[:2], None]
    assert "WWW-Authenticate" in refused[0].headers["access-control-expose-headers"]
    assert [answer.status_code for answer in documents] == [204, 204]
    assert all(
        "traceparent" in answer.headers["access-control-allow-headers"] for answer in (*documents, preflights[0])
    )
    for answer in (*preflights, *answers, *refused, *documents):
        named = answer.headers.get("access-control-allow-origin") in origins
        assert ("access-control-allow-credentials" in answer.headers) == named
