"""What works once works once, however many ask two replicas for it at the same moment.

``PORTICO_TEST_RACERS=10000 PORTICO_TEST_ROUNDS=20`` makes it 20 rounds of 10,000 redemptions of a code, and 20 of
1,000 uses of a refresh token; run with ``-s`` to see how long they took.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from portico_contracts.http import INTROSPECT, TOKEN
from portico_testing.journeys.agent import Agent
from portico_testing.journeys.cast import ALICE
from portico_testing.journeys.programs import API, AUDIENCE, KEYED_API, KEYED_JWT_ROBOT, KEYED_ROBOT, Program
from portico_testing.journeys.racers import Racers
from portico_testing.journeys.relying_party import ASSERTION_TYPE, begin, proof_of
from portico_testing.journeys.world import World

pytestmark = pytest.mark.e2e

RACERS = int(os.environ.get("PORTICO_TEST_RACERS", "500"))
ROUNDS = int(os.environ.get("PORTICO_TEST_ROUNDS", "3"))
REFRESHERS = max(RACERS // 10, min(RACERS, 500))
PRESENTERS = min(RACERS, 500)

SCOPE = "openid offline_access"
JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"


@pytest.fixture(scope="module")
async def alice(doubled: World) -> AsyncIterator[Agent]:
    """A browser Alice is signed in at."""
    async with doubled.agent() as agent:
        await agent.sign_in(begin(doubled.metadata, doubled.clients["basic"]).url, ALICE.login_name, ALICE.password)
        yield agent


@pytest.fixture(scope="module")
async def racers(doubled: World) -> AsyncIterator[Racers]:
    """Connections to both replicas of token."""
    async with Racers(replica.address for replica in doubled.stack.replicas_of("token")) as lined_up:
        yield lined_up


class Race:
    """One request sent again and again, and what came of it."""

    def __init__(self, path: str, form: dict[str, str], headers: dict[str, str] | None = None) -> None:
        self.path = path
        self.seen: Counter[tuple[int, str]] = Counter()
        self.winners: list[dict[str, Any]] = []
        self._content = str(httpx.QueryParams(form)).encode()
        self._headers = {"Content-Type": "application/x-www-form-urlencoded", **(headers or {})}

    async def shoot(self, client: httpx.AsyncClient) -> None:
        """Sends it once."""
        answer = await client.post(self.path, content=self._content, headers=self._headers)
        said = answer.json()
        self.seen[answer.status_code, said.get("error", "")] += 1
        if answer.status_code == 200:
            self.winners.append(said)

    def expect_one_winner(self, times: int, status: int, error: str) -> None:
        """One 200, and this refusal for everybody else."""
        assert self.seen == {(200, ""): 1, (status, error): times - 1}


async def _active(racers: Racers, world: World, token: str) -> list[bool]:
    """What every replica says of a token."""
    proof = proof_of(API.client, world.issuer)

    async def ask(client: httpx.AsyncClient) -> bool:
        answer = await client.post(INTROSPECT, data={"token": token, **proof.form}, headers=proof.headers)
        active: bool = answer.json()["active"]
        return active

    return await racers.each(ask)


def _say(what: str, times: int, began: float) -> None:
    took = time.perf_counter() - began
    print(f"{what}: {ROUNDS} x {times} in {took:.1f} s, {ROUNDS * times / took:.0f}/s")  # noqa: T201 - figures to read


async def test_one_code_is_redeemed_once(doubled: World, alice: Agent, racers: Racers) -> None:
    """Exactly one 200; all others end what the winner was given, at every replica, JWTs as well (TK-01, TK-03)."""
    began = time.perf_counter()
    for number in range(ROUNDS):
        name = ("offline", "jwt")[number % 2]
        client = doubled.clients[name]
        begun, code = await doubled.silent_code(alice, name)
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": client.redirect_uri,
            "code_verifier": begun.verifier,
        }
        race = Race(TOKEN, form, proof_of(client, doubled.issuer).headers)
        await racers.race(race.shoot, RACERS)
        race.expect_one_winner(RACERS, 400, "invalid_grant")
        assert await _active(racers, doubled, race.winners[0]["access_token"]) == [False, False]
    _say("redemptions of a code", RACERS, began)


async def test_one_refresh_token_is_used_once(doubled: World, alice: Agent, racers: Racers) -> None:
    """Exactly one 200; whoever comes second ends the family: both access tokens and the successor (TK-09)."""
    began = time.perf_counter()
    headers = proof_of(doubled.clients["offline"], doubled.issuer).headers
    for _ in range(ROUNDS):
        first = await doubled.silent_tokens(alice, "offline", scope=SCOPE)
        form = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
        race = Race(TOKEN, form, headers)
        await racers.race(race.shoot, REFRESHERS)
        race.expect_one_winner(REFRESHERS, 400, "invalid_grant")
        for token in (first["access_token"], race.winners[0]["access_token"]):
            assert await _active(racers, doubled, token) == [False, False]
        after = Race(TOKEN, form | {"refresh_token": race.winners[0]["refresh_token"]}, headers)
        await racers.each(after.shoot)
        assert after.seen == {(400, "invalid_grant"): 2}
    _say("uses of a refresh token", REFRESHERS, began)


@pytest.mark.parametrize("robot", [KEYED_ROBOT, KEYED_JWT_ROBOT], ids=["opaque", "JWT"])
async def test_one_assertion_is_believed_once(doubled: World, racers: Racers, robot: Program) -> None:
    """Exactly one 200 for an assertion of the JWT profile; what the winner was given stays (JW-10)."""
    began = time.perf_counter()
    for _ in range(ROUNDS):
        assertion = robot.keys[0].assertion(robot.user_id, doubled.issuer)
        race = Race(TOKEN, {"grant_type": JWT_BEARER, "assertion": assertion, "scope": AUDIENCE})
        await racers.race(race.shoot, PRESENTERS)
        race.expect_one_winner(PRESENTERS, 400, "invalid_grant")
        assert await _active(racers, doubled, race.winners[0]["access_token"]) == [True, True]
    _say("uses of an assertion", PRESENTERS, began)


async def test_one_client_assertion_is_believed_once(doubled: World, racers: Racers) -> None:
    """Exactly one 200 where an application authenticates by an assertion, with a jti or without (JW-10)."""
    began = time.perf_counter()
    client = KEYED_API.client
    assert client.key is not None
    for changes in [{}, {"jti": ...}] * ROUNDS:
        assertion = client.key.assertion(client.client_id, doubled.issuer, **changes)
        proof = {"client_assertion_type": ASSERTION_TYPE, "client_assertion": assertion}
        race = Race(INTROSPECT, {"token": "x", **proof})
        await racers.race(race.shoot, PRESENTERS)
        race.expect_one_winner(PRESENTERS, 401, "invalid_client")
    _say("uses of a client assertion", 2 * PRESENTERS, began)
