"""A service is cut off from the bus: revoked tokens are active at no replica (FD-06).

``PORTICO_TEST_WINDOWS=3 PORTICO_TEST_WINDOW_REVOCATIONS=100`` results in 1,200 revocations; run with ``-s``
to see the figures.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any, Final

import pytest
from portico_contracts.http import INTROSPECT, REVOKE
from portico_harness.eventually import HANGS, eventually
from portico_harness.tcp_link import Cut
from portico_scenarios.cached_user_stage import KnownUser, Stage, set_stage
from portico_scenarios.everywhere import IN_FORCE_SECONDS, Everywhere
from portico_scenarios.links import Ends, StackLinks
from portico_scenarios.programs import API, AUDIENCE, JWT_ROBOT, ROBOT
from portico_scenarios.relying_party import Client, proof_of
from portico_scenarios.replica_clients import Post, ReplicaClient, ReplicaClients, post
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import StackOptions
from portico_stack.assembly.replicas import Replicas

pytestmark = [pytest.mark.e2e, pytest.mark.long]

WINDOWS: Final = int(os.environ.get("PORTICO_TEST_WINDOWS", "1"))
REVOCATIONS: Final = int(os.environ.get("PORTICO_TEST_WINDOW_REVOCATIONS", "24"))
"""Per window with the link cut."""

IN_FLIGHT = 8

PARTITIONS: Final = {
    "one replica of token": (Ends("token-2", "nats"),),
    "both replicas of users": (Ends("users-1", "nats"), Ends("users-2", "nats")),
}


@pytest.fixture(scope="module")
async def links(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[StackLinks]:
    options = StackOptions(tmp_path_factory.mktemp("parted"), port=0, replicas=Replicas(2))
    async with StackLinks(options, [ends for parted in PARTITIONS.values() for ends in parted]) as found:
        yield found


@pytest.fixture(scope="module")
async def parted(links: StackLinks) -> AsyncIterator[World]:
    async with started(links.options) as two:
        yield two


@pytest.fixture(scope="module")
async def everywhere(parted: World) -> AsyncIterator[Everywhere]:
    async with Everywhere(parted) as replicas:
        yield replicas


@pytest.fixture(scope="module")
async def hands(parted: World) -> AsyncIterator[ReplicaClients]:
    async with ReplicaClients((one.address for one in parted.stack.replicas_of("token")), IN_FLIGHT) as found:
        yield found


def _revocation(client: Client, token: str) -> Post:
    proof = proof_of(client, "")
    return post(REVOKE, {"token": token, **proof.form}, proof.headers)


def _question(token: str) -> Post:
    return post(INTROSPECT, {"token": token}, proof_of(API.client, "").headers)


class Window:
    """Tokens that are revoked while a link is cut, and every replica's immediate responses about them."""

    def __init__(self, hands: ReplicaClients) -> None:
        self.answers: Counter[str] = Counter()
        self.revoked: list[str] = []
        self._hands = hands
        self._tokens: list[tuple[Client, str]] = []

    async def prepare(self, world: World) -> None:
        """Issues the tokens: half are opaque, half are JWTs."""
        for number in range(REVOCATIONS):
            robot = (ROBOT, JWT_ROBOT)[number % 2]
            tokens = await world.grant(robot.client, "client_credentials", scope=AUDIENCE)
            self._tokens.append((robot.client, tokens["access_token"]))

    async def revoke(self) -> None:
        await self._hands.race(self._revoke_one, REVOCATIONS)

    async def _revoke_one(self, hand: ReplicaClient) -> None:
        client, token = self._tokens.pop()
        statuses = [answer.status for answer in await hand.send_to_each(_revocation(client, token))]
        self.answers += Counter(f"revocation {status}" for status in statuses)
        if 200 not in statuses:
            return
        self.revoked.append(token)
        for answer in await hand.send_to_each(_question(token)):
            active = "active" if answer.status == 200 and answer.json()["active"] else "inactive"
            self.answers[active if answer.status == 200 else str(answer.status)] += 1


async def _ends(everywhere: Everywhere, stage: Stage, person: KnownUser) -> bool:
    """Deactivates a user and checks that from `IN_FORCE_SECONDS` on no replica reports the token as active.

    Returns:
        False when the change was refused.
    """
    now = asyncio.get_running_loop().time
    try:
        await everywhere.change(stage, "user.v2.UserService.DeactivateUser", userId=person.id)
    except AssertionError as refused:
        if "PORT-004" not in str(refused):
            raise
        return False
    end = now() + IN_FORCE_SECONDS
    began = now()
    while _is_active_somewhere(await everywhere.introspect(person)):
        assert began < end
        began = now()
    return True


async def _ends_in_the_end(everywhere: Everywhere, stage: Stage, person: KnownUser, *, users_answer: bool) -> bool:
    """Like `_ends`, retried after an error where users responds.

    The bus may still deliver the revocation to the cut-off replica, which notices dropped packets only after
    a while.
    """
    async with asyncio.timeout(HANGS):
        ended = await _ends(everywhere, stage, person)
        while users_answer and not ended:
            ended = await _ends(everywhere, stage, person)
    return ended


def _is_active_somewhere(answers: list[dict[str, Any]]) -> bool:
    assert {answer.get("status", 200) for answer in answers} <= {200, 503}
    return any(answer.get("active", False) for answer in answers)


@pytest.mark.parametrize("how", Cut, ids=[how.value for how in Cut])
@pytest.mark.parametrize("parted_ends", PARTITIONS.values(), ids=PARTITIONS.keys())
async def test_revocation_holds_across_a_bus_partition(
    parted: World,
    links: StackLinks,
    everywhere: Everywhere,
    hands: ReplicaClients,
    parted_ends: tuple[Ends, ...],
    how: Cut,
) -> None:
    """After a revocation or a deactivation was acknowledged, no replica reports the token as active (FD-06)."""
    answers: Counter[str] = Counter()
    revoked: list[str] = []
    changed, users_answer = 0, parted_ends[0].replica != "users-1"
    for _ in range(WINDOWS):
        stage = await set_stage(parted, "kim")
        kim = await stage.sign_in("kim")
        window = Window(hands)
        await window.prepare(parted)
        await everywhere.warm(kim)
        for ends in parted_ends:
            await links.cut(ends, how)
        try:
            await window.revoke()
            changed += await _ends_in_the_end(everywhere, stage, kim, users_answer=users_answer)
        finally:
            for ends in parted_ends:
                await links.heal(ends)
        answers += window.answers
        revoked += window.revoked
        await _recovers(parted, hands)
    print(f"{how.value}: {len(revoked)} revoked; {dict(answers)}")  # noqa: T201 - figures

    assert answers["active"] == 0
    assert (len(revoked), changed) == ((WINDOWS * REVOCATIONS, WINDOWS) if users_answer else (len(revoked), 0))
    assert [one.content for token in revoked for one in await hands.ask_everywhere(_question(token))] == [
        b'{"active":false}'
    ] * (2 * len(revoked))


async def _recovers(world: World, hands: ReplicaClients) -> None:
    async def active() -> list[bool]:
        tokens = await world.grant(ROBOT.client, "client_credentials", scope=AUDIENCE)
        answers = await hands.ask_everywhere(_question(tokens["access_token"]))
        return [answer.status == 200 and answer.json()["active"] for answer in answers]

    await eventually(active, [True, True].__eq__)
