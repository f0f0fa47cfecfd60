"""Signing in through Portico as an OpenID provider: the stack is its own provider."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from portico_scenarios import own_provider
from portico_scenarios.agent import Agent, Page
from portico_scenarios.federated import Federated
from portico_scenarios.id_token import checked_claims
from portico_scenarios.own_provider import OwnProvider
from portico_scenarios.participants import ALICE, CAROL
from portico_scenarios.relying_party import Begun
from portico_scenarios.world import code_in

pytestmark = pytest.mark.e2e

_WAITING = 20


@pytest.fixture(scope="module")
async def stage(federated: Federated) -> AsyncIterator[OwnProvider]:
    async with own_provider.running(federated) as stage:
        yield stage


async def claims_of(stage: OwnProvider, begun: Begun, page: Page) -> dict[str, Any]:
    answer = await stage.world.redeem("basic", code_in(page), code_verifier=begun.verifier)
    assert answer.status_code == 200, answer.text
    return await checked_claims(stage.world.http, stage.world.metadata, answer.json()["id_token"], "e2e-basic")


async def test_provider_account_becomes_a_local_account(stage: OwnProvider) -> None:
    """A taken user name signs in to no existing account; later sign-ins show no page (IP-06)."""
    await stage.offer()
    subjects = []
    for number in range(2):
        begun = stage.begin()
        async with stage.world.agent() as agent, stage.provider_agent() as elsewhere:
            page = await stage.sign_in(agent, elsewhere, begun, CAROL)
            assert page.shows("complete-external-page") == (number == 0), page.response.text
            if number == 0:
                page = await agent.press(
                    "register-submit", register_username="carol-elsewhere", register_email="carol@elsewhere.example"
                )
            subjects.append((await claims_of(stage, begun, page))["sub"])

    assert len(set(subjects)) == 1
    assert CAROL.id not in subjects


async def test_cancel_at_the_provider_returns_to_sign_in(stage: OwnProvider) -> None:
    """The provider's access_denied returns to the sign-in page, whose form works."""
    await stage.offer()
    async with stage.world.agent() as agent, stage.provider_agent() as elsewhere:
        await elsewhere.open(await stage.leave(agent, stage.begin()))
        away = await elsewhere.press("login-cancel")
        page = await agent.open(away.location)

    assert (away.returned or {})["error"] == "access_denied"
    assert page.shows("loginname")


async def test_provider_sessions_lead_to_separate_accounts(stage: OwnProvider) -> None:
    """Two browsers with two accounts at the provider end in two separate local accounts."""
    await stage.offer()
    subjects = set()
    for person in (ALICE, CAROL):
        begun = stage.begin()
        async with stage.world.agent() as agent, stage.provider_agent() as elsewhere:
            page = await stage.sign_in(agent, elsewhere, begun, person)
            if page.returned is None:
                name = f"{person.login_name}-second"
                page = await agent.press(
                    "register-submit", register_username=name, register_email=f"{name}@elsewhere.example"
                )
            subjects.add((await claims_of(stage, begun, page))["sub"])

    assert len(subjects) == 2


async def test_hanging_provider_does_not_block_other_sign_ins(stage: OwnProvider) -> None:
    """While many wait for a hanging provider, other sign-ins succeed, and those that wait get an error (FD-26)."""
    await stage.offer()
    held: list[asyncio.StreamWriter] = []
    connected = asyncio.Event()

    async def accept(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        held.append(writer)
        connected.set()

    async def wait_for_it(agent: Agent) -> Page:
        await agent.open(stage.begin().url)
        return await agent.press(own_provider.SILENT_BUTTON)

    agents = [stage.world.agent() for _ in range(_WAITING)]
    async with await asyncio.start_server(accept, sock=stage.silent):
        waiting = [asyncio.ensure_future(wait_for_it(agent)) for agent in agents]
        seen = asyncio.ensure_future(connected.wait())
        await asyncio.wait({seen, *waiting}, return_when=asyncio.FIRST_COMPLETED)
        assert held, [one.result().response.text[:500] for one in waiting if one.done()]
        begun = stage.begin()
        async with stage.world.agent() as agent, stage.provider_agent() as elsewhere:
            # Side by side: on a busy machine one after another takes longer than a provider is waited for.
            other, _ = await asyncio.gather(
                stage.sign_in(agent, elsewhere, begun, CAROL), stage.world.tokens_of(ALICE, "basic")
            )
        still = sum(not one.done() for one in waiting)
        ended = await asyncio.gather(*waiting)
        for writer in held:
            writer.close()
    for agent in agents:
        await agent.http.aclose()

    assert still > 0, "all had ended before the others signed in"
    assert other.returned or other.shows("complete-external-page")
    assert {page.status for page in ended} <= {200, 503}
    assert all(page.returned is None for page in ended)
