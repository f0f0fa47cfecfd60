"""One-time values are accepted once, however many concurrent requests reach two replicas.

``PORTICO_TEST_RACERS=10000 PORTICO_TEST_ROUNDS=20`` runs 20 rounds of 10,000 redemptions of a code, and as
many of 1,000 uses of a refresh token and 500 of an assertion; run with ``-s`` to see the duration.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import pytest
from portico_contracts.http import INTROSPECT, REVOKE, TOKEN
from portico_contracts.token import REVOKE_SESSION, RevokeSession
from portico_scenarios.agent import Agent
from portico_scenarios.bus import speaking_as
from portico_scenarios.id_token import checked_claims
from portico_scenarios.participants import ALICE, BOB
from portico_scenarios.programs import API, AUDIENCE, KEYED_API, KEYED_JWT_ROBOT, KEYED_ROBOT, Program
from portico_scenarios.relying_party import ASSERTION_TYPE, Begun, Client, begin, proof_of
from portico_scenarios.replica_clients import ReplicaClient, ReplicaClients, post
from portico_scenarios.world import World

pytestmark = [pytest.mark.e2e, pytest.mark.long]

RACERS = int(os.environ.get("PORTICO_TEST_RACERS", "1000"))
ROUNDS = int(os.environ.get("PORTICO_TEST_ROUNDS", "3"))
REFRESHERS = min(RACERS, 1_000)
PRESENTERS = min(RACERS, 500)
SMALL_RACES = 10 * ROUNDS
FEW = (2, 50)
"""Numbers of racers, in turn: with two, the second request may arrive before the first is completed."""

ENDINGS = 4 * ROUNDS
"""Revocations and session ends that race with requests."""

SCOPE = "openid offline_access"
JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"


@pytest.fixture(scope="module")
async def alice(doubled: World) -> AsyncIterator[Agent]:
    async with doubled.agent() as agent:
        await agent.sign_in(begin(doubled.metadata, doubled.clients["basic"]).url, ALICE.login_name, ALICE.password)
        yield agent


@pytest.fixture(scope="module")
async def replica_clients(doubled: World) -> AsyncIterator[ReplicaClients]:
    async with ReplicaClients(replica.address for replica in doubled.stack.replicas_of("token")) as lined_up:
        yield lined_up


class Race:
    def __init__(self, path: str, form: dict[str, str], headers: dict[str, str] | None = None) -> None:
        self.seen: Counter[tuple[int, str]] = Counter()
        self.winners: list[dict[str, Any]] = []
        self._post = post(path, form, headers)

    async def shoot(self, client: ReplicaClient) -> None:
        answer = await client.send(self._post)
        said = answer.json()
        self.seen[answer.status, said.get("error", "")] += 1
        if answer.status == 200:
            self.winners.append(said)

    def expect_one_winner(self, times: int, status: int, error: str) -> None:
        """Checks for one 200, and this error for all others."""
        assert self.seen == {(200, ""): 1, (status, error): times - 1}


async def _active(replica_clients: ReplicaClients, world: World, token: str) -> list[bool]:
    asked = post(INTROSPECT, {"token": token}, proof_of(API.client, world.issuer).headers)
    return [answer.json()["active"] for answer in await replica_clients.ask_everywhere(asked)]


def _redemption(client: Client, begun: Begun, code: str) -> dict[str, str]:
    return {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": client.redirect_uri,
        "code_verifier": begun.verifier,
    }


def _say(what: str, times: int, began: float) -> None:
    took = time.perf_counter() - began
    print(f"{what}: {ROUNDS} x {times} in {took:.1f} s, {ROUNDS * times / took:.0f}/s")  # noqa: T201 - figures to read


async def test_one_code_is_redeemed_once(doubled: World, alice: Agent, replica_clients: ReplicaClients) -> None:
    """Exactly one request gets 200, and the others revoke its tokens at every replica, JWTs as well (TK-01, TK-03)."""
    began = time.perf_counter()
    for number in range(ROUNDS):
        name = ("offline", "jwt")[number % 2]
        client = doubled.clients[name]
        begun, code = await doubled.silent_code(alice, name)
        form = _redemption(client, begun, code)
        race = Race(TOKEN, form, proof_of(client, doubled.issuer).headers)
        await replica_clients.race(race.shoot, RACERS)
        race.expect_one_winner(RACERS, 400, "invalid_grant")
        assert await _active(replica_clients, doubled, race.winners[0]["access_token"]) == [False, False]
    _say("redemptions of a code", RACERS, began)


async def test_each_of_many_codes_is_redeemed_once(
    doubled: World, alice: Agent, replica_clients: ReplicaClients
) -> None:
    """With few racers one request gets 200, and a grant revoked before its creation stays revoked (TK-01, TK-03)."""
    client = doubled.clients["offline"]
    headers = proof_of(client, doubled.issuer).headers
    for number in range(SMALL_RACES):
        few = FEW[number % 2]
        begun, code = await doubled.silent_code(alice, "offline")
        race = Race(TOKEN, _redemption(client, begun, code), headers)
        await replica_clients.race(race.shoot, few)
        race.expect_one_winner(few, 400, "invalid_grant")
        assert await _active(replica_clients, doubled, race.winners[0]["access_token"]) == [False, False]


async def test_one_refresh_token_is_used_once(doubled: World, alice: Agent, replica_clients: ReplicaClients) -> None:
    """Exactly one request gets 200, and the second one revokes the whole family (TK-09)."""
    began = time.perf_counter()
    headers = proof_of(doubled.clients["offline"], doubled.issuer).headers
    for _ in range(ROUNDS):
        first = await doubled.silent_tokens(alice, "offline", scope=SCOPE)
        form = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
        race = Race(TOKEN, form, headers)
        await replica_clients.race(race.shoot, REFRESHERS)
        race.expect_one_winner(REFRESHERS, 400, "invalid_grant")
        for token in (first["access_token"], race.winners[0]["access_token"]):
            assert await _active(replica_clients, doubled, token) == [False, False]
        successor = post(TOKEN, form | {"refresh_token": race.winners[0]["refresh_token"]}, headers)
        after = await replica_clients.ask_everywhere(successor)
        assert [(answer.status, answer.json()["error"]) for answer in after] == [(400, "invalid_grant")] * 2
    _say("uses of a refresh token", REFRESHERS, began)


async def test_each_of_many_refresh_tokens_is_used_once(
    doubled: World, alice: Agent, replica_clients: ReplicaClients
) -> None:
    """With few racers one request gets 200, and a concurrent second request revokes the family (TK-09)."""
    headers = proof_of(doubled.clients["offline"], doubled.issuer).headers
    for number in range(SMALL_RACES):
        few = FEW[number % 2]
        first = await doubled.silent_tokens(alice, "offline", scope=SCOPE)
        race = Race(TOKEN, {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}, headers)
        await replica_clients.race(race.shoot, few)
        race.expect_one_winner(few, 400, "invalid_grant")
        for token in (first["access_token"], race.winners[0]["access_token"]):
            assert await _active(replica_clients, doubled, token) == [False, False]


@pytest.mark.parametrize("robot", [KEYED_ROBOT, KEYED_JWT_ROBOT], ids=["opaque", "JWT"])
async def test_one_assertion_is_accepted_once(doubled: World, replica_clients: ReplicaClients, robot: Program) -> None:
    """Exactly one request with an assertion of the JWT profile gets 200, and its tokens stay valid (JW-10)."""
    began = time.perf_counter()
    for _ in range(ROUNDS):
        assertion = robot.keys[0].assertion(robot.user_id, doubled.issuer)
        race = Race(TOKEN, {"grant_type": JWT_BEARER, "assertion": assertion, "scope": AUDIENCE})
        await replica_clients.race(race.shoot, PRESENTERS)
        race.expect_one_winner(PRESENTERS, 400, "invalid_grant")
        assert await _active(replica_clients, doubled, race.winners[0]["access_token"]) == [True, True]
    _say("uses of an assertion", PRESENTERS, began)


async def test_one_client_assertion_is_accepted_once(doubled: World, replica_clients: ReplicaClients) -> None:
    """Exactly one request gets 200 if the assertion has a jti; without one it may be repeated (JW-10)."""
    began = time.perf_counter()
    client = KEYED_API.client
    assert client.key is not None
    for _ in range(ROUNDS):
        assertion = client.key.assertion(client.client_id, doubled.issuer)
        proof = {"client_assertion_type": ASSERTION_TYPE, "client_assertion": assertion}
        race = Race(INTROSPECT, {"token": "x", **proof})
        await replica_clients.race(race.shoot, PRESENTERS)
        race.expect_one_winner(PRESENTERS, 401, "invalid_client")
    _say("uses of a client assertion", PRESENTERS, began)


async def test_revocation_ends_a_concurrent_refresh(
    doubled: World, alice: Agent, replica_clients: ReplicaClients
) -> None:
    """Once a revocation concurrent with a refresh has its 200, no token of the family is active (IR-08)."""
    headers = proof_of(doubled.clients["offline"], doubled.issuer).headers
    statuses: Counter[int] = Counter()
    for _ in range(ENDINGS):
        first = await doubled.silent_tokens(alice, "offline", scope=SCOPE)
        form = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
        refresh = post(TOKEN, form, headers)
        revoke = post(REVOKE, {"token": first["refresh_token"]}, headers)
        answers = await replica_clients.send_all((refresh, revoke))
        statuses.update(answer.status for answer in answers)
        given = [answer.json()["access_token"] for answer in answers if answer.content and answer.status == 200]
        for token in (first["access_token"], *given):
            assert await _active(replica_clients, doubled, token) == [False, False]

    assert statuses[200] >= ENDINGS
    assert set(statuses) <= {200, 400}


async def test_ended_session_ends_concurrent_requests(doubled: World, replica_clients: ReplicaClients) -> None:
    """Tokens from codes and refresh tokens used while their session ends are inactive once it has ended (TK-11)."""
    headers = proof_of(doubled.clients["offline"], doubled.issuer).headers
    given: list[str] = []
    for _ in range(ROUNDS):
        async with doubled.agent() as agent:
            await agent.sign_in(begin(doubled.metadata, doubled.clients["basic"]).url, BOB.login_name, BOB.password)
            tokens = [await doubled.silent_tokens(agent, "offline", scope=SCOPE) for _ in range(8)]
            codes = [await doubled.silent_code(agent, "offline", scope=SCOPE) for _ in range(8)]
        forms = [{"grant_type": "refresh_token", "refresh_token": one["refresh_token"]} for one in tokens]
        forms += [_redemption(doubled.clients["offline"], begun, code) for begun, code in codes]
        claims = await checked_claims(doubled.http, doubled.metadata, tokens[0]["id_token"], "e2e-offline")
        async with speaking_as(doubled.stack, "authz") as bus:
            answers, _ended = await asyncio.gather(
                replica_clients.send_all([post(TOKEN, form, headers) for form in forms]),
                bus.call(REVOKE_SESSION, RevokeSession(user_id=BOB.id, session_id=claims["sid"])),
            )
        assert {answer.status for answer in answers} <= {200, 400}
        given += [answer.json()["access_token"] for answer in answers if answer.status == 200]
        given += [one["access_token"] for one in tokens]
    active = [await _active(replica_clients, doubled, token) for token in given]

    assert active == [[False, False]] * len(given)
