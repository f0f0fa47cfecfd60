"""Logout by a relying party's server: end_session through the gateway without any cookie."""

from __future__ import annotations

import httpx
import jwt
import pytest
from portico_harness.eventually import eventually
from portico_scenarios.agent import Agent
from portico_scenarios.participants import ALICE, after_logout
from portico_scenarios.programs import API
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World, code_in, http_client

pytestmark = pytest.mark.e2e


async def _sign_in(agent: Agent, world: World) -> dict[str, str]:
    """Returns Alice's tokens for the requesting application; another one with back-channel logout uses the
    session too.
    """
    begun = begin(world.metadata, world.clients["basic"], prompt="login", scope="openid profile offline_access")
    code = code_in(await agent.sign_in(begun.url, ALICE.login_name, ALICE.password))
    tokens: dict[str, str] = (await world.redeem("basic", code, code_verifier=begun.verifier)).json()
    await world.silent_tokens(agent, "jwt")
    return tokens


async def _ask(world: World, method: str, **parameters: str) -> httpx.Response:
    """Sends a request without a browser's cookies; follows the redirect of a POST."""
    endpoint = world.metadata["end_session_endpoint"]
    async with http_client(world.issuer, world.ca_file) as server:
        if method == "GET":
            return await server.get(endpoint, params=parameters)
        posted = await server.post(endpoint, data=parameters)
        assert posted.status_code == 303
        return await server.get(str(httpx.URL(endpoint).join(posted.headers["location"])))


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_server_ends_the_session_of_its_hint(world: World, method: str) -> None:
    """The session's tokens are inactive before the response, and the other application is notified (IR-08)."""
    back = after_logout(world.clients["basic"])
    async with world.agent() as agent:
        tokens = await _sign_in(agent, world)
        answer = await _ask(
            world, method, id_token_hint=tokens["id_token"], post_logout_redirect_uri=back, state="over there"
        )
        active = (await world.ask("introspection_endpoint", API.client, token=tokens["access_token"])).json()["active"]
        silent = await agent.open(begin(world.metadata, world.clients["basic"], prompt="none").url)
    sid = jwt.decode(tokens["id_token"], options={"verify_signature": False})["sid"]

    async def told() -> list[str]:
        received = (await world.http.get(f"{world.rp_url('jwt')}/logout-tokens.json")).json()
        return [one for one in received if jwt.decode(one, options={"verify_signature": False})["sid"] == sid]

    assert (answer.status_code, answer.headers["location"]) == (302, f"{back}?state=over%20there")
    assert "set-cookie" not in answer.headers
    assert active is False
    assert silent.returned is not None
    assert silent.returned["error"] == "login_required"
    assert len(await eventually(told, bool)) == 1


async def test_response_does_not_reveal_the_session_state(world: World) -> None:
    """The first and the second call have the same response (P9)."""
    async with world.agent() as agent:
        hint = (await _sign_in(agent, world))["id_token"]
        first, second = [await _ask(world, "GET", id_token_hint=hint) for _ in range(2)]

    assert (first.status_code, first.headers["location"], first.content) == (
        second.status_code,
        second.headers["location"],
        second.content,
    )
