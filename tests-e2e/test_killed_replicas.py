"""Replicas of authz are killed one after the other while users sign in: no login is lost, no code works twice."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import httpx
import pytest
from portico_harness.eventually import eventually
from portico_scenarios.participants import ALICE, BOB, CAROL, KnownUser
from portico_scenarios.relying_party import begin
from portico_scenarios.retrying_user import RetryingUser
from portico_scenarios.world import World, code_in

pytestmark = [pytest.mark.e2e, pytest.mark.long]

PEOPLE = (ALICE, BOB, CAROL, ALICE, BOB, CAROL)
KILLS = 2
BETWEEN = 6
"""Completed sign-ins between two kills."""

RACERS = 4
TRIES = 20


@dataclass
class Tally:
    signed_in: int = 0
    retries: int = 0
    redeemed: list[int] = field(default_factory=list)
    """By code: number of successful redemptions."""

    async def count(self) -> int:
        return self.signed_in


async def _redeem(world: World, code: str, verifier: str) -> httpx.Response:
    """Redeems a code with retries while a part is unavailable, as an application does."""
    for _ in range(TRIES):
        try:
            answer = await world.redeem("basic", code, code_verifier=verifier)
        except httpx.TransportError:
            continue
        if answer.status_code < 500:
            return answer
    raise AssertionError("the token endpoint stays away")


async def _sign_in(world: World, person: KnownUser, tally: Tally) -> None:
    begun = begin(world.metadata, world.clients["basic"])
    async with world.agent() as agent:
        patient = RetryingUser(agent, person)
        page = await patient.sign_in(begun.url)
    code = code_in(page)
    answers = await asyncio.gather(*(_redeem(world, code, begun.verifier) for _ in range(RACERS)))
    tally.redeemed.append(sum(answer.status_code == 200 for answer in answers))
    tally.retries += patient.retries
    tally.signed_in += 1


async def _again_and_again(world: World, person: KnownUser, tally: Tally, stop: asyncio.Event) -> None:
    while not stop.is_set():
        await _sign_in(world, person, tally)


async def test_no_login_is_lost_and_no_code_works_twice(doubled: World) -> None:
    """Every user gets in by reloading or by the retry button, and one of several redemptions wins (TK-01)."""
    tally, stop = Tally(), asyncio.Event()
    people = [asyncio.create_task(_again_and_again(doubled, person, tally, stop)) for person in PEOPLE]
    for number in range(KILLS):
        wanted = tally.signed_in + BETWEEN

        await eventually(tally.count, wanted.__le__)
        name = f"authz-{number % 2 + 1}"
        doubled.stack.kill(name)
        await doubled.stack.wait_until_ready(name)
    stop.set()
    await asyncio.gather(*people)

    assert max(tally.redeemed) == 1
    assert tally.redeemed.count(0) <= KILLS
