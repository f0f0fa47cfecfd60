"""Revoked state stays revoked through failures of the store, at every replica.

``PORTICO_TEST_REVOCATIONS=2400`` makes the drills ten times as long; run with ``-s`` to see the figures.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from portico_contracts.http import INTROSPECT, REVOKE
from portico_harness.eventually import eventually
from portico_harness.redis_files import remove_redis_files
from portico_scenarios.agent import Agent
from portico_scenarios.participants import ALICE
from portico_scenarios.programs import API, AUDIENCE, JWT_ROBOT, KEYED_ROBOT, ROBOT
from portico_scenarios.relying_party import Client, begin, proof_of, userinfo
from portico_scenarios.replica_clients import Answer, Post, ReplicaClient, ReplicaClients, post
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import StackOptions
from portico_stack.assembly.replicas import Replicas

pytestmark = [pytest.mark.e2e, pytest.mark.long]

REVOCATIONS = int(os.environ.get("PORTICO_TEST_REVOCATIONS", "240"))
"""Tokens revoked in each drill."""

KILLS = 3
IN_FLIGHT = 16
JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
SCOPE = "openid offline_access"


@pytest.fixture(scope="module")
async def drilled(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """A stack with two replicas of each service, whose store is disturbed."""
    options = StackOptions(tmp_path_factory.mktemp("drill"), port=0, replicas=Replicas(2))
    async with started(options, as_given=True) as two:
        yield two


@pytest.fixture(scope="module")
async def hands(drilled: World) -> AsyncIterator[ReplicaClients]:
    async with ReplicaClients(
        (one.address for one in drilled.stack.replicas_of("token")), IN_FLIGHT
    ) as replica_clients:
        yield replica_clients


@dataclass(frozen=True)
class Issued:
    client: Client
    token: str = field(repr=False)

    def revocation(self) -> Post:
        proof = proof_of(self.client, "")
        return post(REVOKE, {"token": self.token, **proof.form}, proof.headers)

    def question(self) -> Post:
        return post(INTROSPECT, {"token": self.token}, proof_of(API.client, "").headers)


async def _issued(world: World, agent: Agent, hands: ReplicaClients, count: int) -> list[Issued]:
    async def one(_racer: ReplicaClient) -> Issued:
        robot = random.choice((ROBOT, JWT_ROBOT))  # noqa: S311 - any mixture will do
        tokens = await world.grant(robot.client, "client_credentials", scope=AUDIENCE)
        return Issued(robot.client, tokens["access_token"])

    of_programs = await hands.race(one, count - count // 6)
    names = ("offline", "jwt") * (count // 12)
    of_people = [
        Issued(world.clients[name], (await world.silent_tokens(agent, name))["access_token"]) for name in names
    ]
    mixed = [*of_programs, *of_people]
    random.shuffle(mixed)
    return mixed


@pytest.fixture
async def alice(drilled: World) -> AsyncIterator[Agent]:
    async with drilled.agent() as agent:
        await agent.sign_in(begin(drilled.metadata, drilled.clients["basic"]).url, ALICE.login_name, ALICE.password)
        yield agent


def _called_active(answers: list[Answer]) -> list[bool]:
    """Returns which responses report an active token; a 503 counts as inactive."""
    assert {answer.status for answer in answers} <= {200, 503}
    return [answer.status == 200 and answer.json()["active"] for answer in answers]


async def test_revocation_is_seen_at_once_by_every_replica(drilled: World, alice: Agent, hands: ReplicaClients) -> None:
    """After the 200 no replica reports the token as active (FD-22, IR-05)."""
    tokens = await _issued(drilled, alice, hands, REVOCATIONS)
    before = [await hands.ask_everywhere(one.question()) for one in tokens[:20]]
    waiting = list(tokens)

    async def revoke(client: ReplicaClient) -> tuple[int, list[Answer]]:
        one = waiting.pop()
        answer = await client.send(one.revocation())
        return answer.status, await client.send_to_each(one.question())

    outcomes = await hands.race(revoke, len(tokens))

    assert all(_called_active(answers) == [True, True] for answers in before)
    assert len(outcomes) == len(tokens) >= REVOCATIONS - 12
    assert {status for status, _ in outcomes} == {200}
    assert {answer.content for _, answers in outcomes for answer in answers} == {b'{"active":false}'}


class Drill:
    def __init__(self, tokens: list[Issued]) -> None:
        self._waiting = list(tokens)
        self.revoked: list[Issued] = []
        self.refused = 0
        self.risen: list[Issued] = []
        """Revoked with a 200, but active afterwards."""

    async def revoke(self, client: ReplicaClient) -> None:
        """Revokes one token, with retries, and checks that an earlier one is still revoked."""
        one = self._waiting.pop()
        while (await client.send(one.revocation())).status != 200:
            self.refused += 1
        self.revoked.append(one)
        earlier = random.choice(self.revoked)  # noqa: S311 - any one will do
        if any(_called_active(await client.send_to_each(earlier.question()))):
            self.risen.append(earlier)

    async def until(self, count: int) -> None:
        async def enough() -> int:
            return len(self.revoked)

        await eventually(enough, count.__le__, 300)


class Spent:
    """A code, a refresh token and an assertion, each used with success."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._forms: list[dict[str, str]] = []

    async def use(self, agent: Agent) -> None:
        begun, code = await self._world.silent_code(agent, "offline", scope=SCOPE)
        redirect_uri = self._world.clients["offline"].redirect_uri
        redeem = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri}
        tokens = await self._world.silent_tokens(agent, "offline", scope=SCOPE)
        assertion = KEYED_ROBOT.keys[0].assertion(KEYED_ROBOT.user_id, self._world.issuer)
        self._forms = [
            {**redeem, "code_verifier": begun.verifier},
            {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]},
            {"grant_type": JWT_BEARER, "assertion": assertion, "scope": "openid"},
        ]
        assert await self.errors() == ["", "", ""]

    async def errors(self) -> list[str]:
        found = []
        for form in self._forms:
            robot = Client(KEYED_ROBOT.user_id, "", auth_method="none")
            client = robot if "assertion" in form else self._world.clients["offline"]
            answer = await self._world.ask("token_endpoint", client, **form)
            found.append(answer.json().get("error", ""))
        return found


async def test_revocations_survive_a_killed_redis(drilled: World, alice: Agent, hands: ReplicaClients) -> None:
    """After SIGKILL of Redis revoked and used state stays so, and everything else stays valid (FD-01, JW-10)."""
    tokens = await _issued(drilled, alice, hands, REVOCATIONS + 24)
    kept, revoked = tokens[:24], tokens[24:]
    spent = Spent(drilled)
    await spent.use(alice)
    drill = Drill(revoked)
    load = asyncio.create_task(hands.race(drill.revoke, len(revoked)))
    for number in range(KILLS):
        await drill.until(len(revoked) * (number + 1) // (KILLS + 1))
        drilled.stack.kill("redis")
    await load
    print(f"{len(revoked)} revocations, {KILLS} kills, {drill.refused} refused and sent again")  # noqa: T201 - figures
    await drilled.stack.wait_until_ready("token")
    after = [_called_active(await hands.ask_everywhere(one.question())) for one in revoked]
    lived = [_called_active(await hands.ask_everywhere(one.question())) for one in kept]

    assert await spent.errors() == ["invalid_grant"] * 3
    assert len(drill.revoked) == len(revoked)
    assert drill.refused > 0
    assert drill.risen == []
    assert after == [[False, False]] * len(revoked)
    assert lived == [[True, True]] * len(kept)


async def _empty_redis(world: World) -> None:
    """Stops, empties and starts Redis, as after the loss of its disk."""
    await world.stack.stop_part("redis")
    remove_redis_files(world.stack.options.data / "redis")
    await world.stack.start_part("redis")
    await world.stack.wait_until_ready("token")


async def test_emptied_redis_makes_every_token_inactive(drilled: World, alice: Agent, hands: ReplicaClients) -> None:
    """After the loss of Redis's data every token is inactive, opaque or JWT, and nothing can be used twice (IR-05)."""
    tokens = await _issued(drilled, alice, hands, 48)
    offline = await drilled.silent_tokens(alice, "offline", scope=SCOPE)
    spent = Spent(drilled)
    await spent.use(alice)
    for one in tokens[:8]:
        await hands.ask_everywhere(one.revocation())
    before = [_called_active(await hands.ask_everywhere(one.question())) for one in tokens]

    await _empty_redis(drilled)

    after = [_called_active(await hands.ask_everywhere(one.question())) for one in tokens]
    person = await userinfo(drilled.http, drilled.metadata, offline["access_token"])
    refreshed = await drilled.ask(
        "token_endpoint",
        drilled.clients["offline"],
        grant_type="refresh_token",
        refresh_token=offline["refresh_token"],
    )

    assert await spent.errors() == ["invalid_grant"] * 3
    assert before == [[False, False]] * 8 + [[True, True]] * (len(tokens) - 8)
    assert after == [[False, False]] * len(tokens)
    assert person.status_code == 401
    assert refreshed.json()["error"] == "invalid_grant"


async def test_new_tokens_work_after_redis_was_emptied(drilled: World, alice: Agent, hands: ReplicaClients) -> None:
    """After the loss of Redis's data new sign-ins, tokens of both kinds and assertions work."""
    await _empty_redis(drilled)

    async def new_tokens() -> list[bool]:
        tokens = await _issued(drilled, alice, hands, 24)
        assertion = KEYED_ROBOT.keys[0].assertion(KEYED_ROBOT.user_id, drilled.issuer)
        profile = {"grant_type": JWT_BEARER, "assertion": assertion, "scope": AUDIENCE}
        answer = await drilled.http.post(drilled.metadata["token_endpoint"], data=profile)
        assert answer.status_code == 200, answer.text
        asked = [_called_active(await hands.ask_everywhere(one.question())) for one in tokens]
        return [active for both in asked for active in both]

    await alice.sign_in(begin(drilled.metadata, drilled.clients["basic"]).url, ALICE.login_name, ALICE.password)
    active = await eventually(new_tokens, all)

    assert len(active) >= 48 - 4
