"""Signing in through other identity providers: a JWT that a proxy injects, and an OpenID provider of other people."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from portico_journeys import elsewhere as journey
from portico_journeys.agent import Agent, Page
from portico_journeys.elsewhere import OPENID, PORTAL, Elsewhere
from portico_journeys.id_token import checked_claims
from portico_journeys.relying_party import Begun
from portico_journeys.world import code_in

pytestmark = pytest.mark.e2e

EITHER = pytest.mark.parametrize("provider_id", [PORTAL, OPENID])


@pytest.fixture(scope="module")
async def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Elsewhere]:
    """A stack of two replicas with both providers."""
    async with journey.running(tmp_path_factory.mktemp("elsewhere"), tmp_path_factory.mktemp("provider")) as stage:
        await stage.offer()
        yield stage


async def claims_of(elsewhere: Elsewhere, begun: Begun, page: Page) -> dict[str, Any]:
    """The id_token's claims, for the code the browser came back with."""
    answer = await elsewhere.world.redeem("basic", code_in(page), code_verifier=begun.verifier)
    assert answer.status_code == 200, answer.text
    return await checked_claims(elsewhere.world.http, elsewhere.world.metadata, answer.json()["id_token"], "e2e-basic")


async def complete(agent: Agent, login: str) -> Page:
    """Fills in what the account needs."""
    return await agent.press(
        "register-submit",
        register_username=login,
        register_email=f"{login}@elsewhere.example",
        register_firstname="Eve",
        register_lastname="Elsewhere",
    )


@EITHER
async def test_first_sign_in_completes_the_details_and_the_second_goes_straight(
    elsewhere: Elsewhere, provider_id: str
) -> None:
    """The account is made once the person has seen the details; from then on the provider signs in to it (IP-06)."""
    login = f"eve-{provider_id}"
    begun = elsewhere.begin()
    async with elsewhere.world.agent() as agent:
        asked = await elsewhere.sign_in(agent, begun, provider_id, login)
        shown = asked.shows("complete-external-page")
        first = await claims_of(elsewhere, begun, await complete(agent, login))
    again = elsewhere.begin()
    async with elsewhere.world.agent() as agent:
        second = await claims_of(elsewhere, again, await elsewhere.sign_in(agent, again, provider_id, login))

    assert shown
    assert first["sub"] == second["sub"]
    assert "amr" not in second
