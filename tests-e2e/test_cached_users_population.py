"""Replicas cache the data of many users and then send no requests to users (decision 0039)."""

from __future__ import annotations

import asyncio
import os
import secrets
import time

import pytest
from portico_contracts.authz import CodeGrant
from portico_contracts.token import ISSUE_IMPLICIT_TOKENS, IssueImplicitTokens
from portico_harness.eventually import eventually
from portico_oauth.opaque import bucket_of, new_opaque
from portico_runtime.bus.bus import Bus
from portico_scenarios.bus import speaking_as
from portico_scenarios.cached_user_stage import SCOPE, KnownUser, Stage, set_stage
from portico_scenarios.everywhere import Everywhere
from portico_scenarios.world import World

pytestmark = [pytest.mark.e2e, pytest.mark.long]

PEOPLE = int(os.environ.get("PORTICO_TEST_PEOPLE", "100"))
"""Number of users; 2000 for the full size."""

AT_ONCE = 8


@pytest.fixture(scope="module")
async def population(doubled: World) -> list[KnownUser]:
    """Many users with a token each, issued as for an implicit response, without separate sign-ins."""
    stage = await set_stage(doubled, *(f"one{number}" for number in range(PEOPLE)), password="")
    async with speaking_as(doubled.stack, "authz") as bus:
        return [await _with_token(stage, bus, name) for name in stage.names]


async def _with_token(stage: Stage, bus: Bus, name: str) -> KnownUser:
    user_id = stage.id(name)
    bucket = bucket_of(user_id)
    grant = CodeGrant(
        grant_id=new_opaque(bucket, secrets.token_bytes),
        client_id=stage.app.client_id,
        user_id=user_id,
        session_id=new_opaque(bucket, secrets.token_bytes),
        scope=tuple(SCOPE.split()),
        auth_time=int(time.time()),
        amr=("pwd",),
        acr="",
        auth_time_proven=True,
    )
    issued = await bus.call(ISSUE_IMPLICIT_TOKENS, IssueImplicitTokens(grant=grant, with_access_token=True))
    return KnownUser(stage, user_id, stage.world.agent(), issued.access_token, "")


async def test_cached_population_causes_no_requests_to_users(
    everywhere: Everywhere, population: list[KnownUser]
) -> None:
    """After the first round, introspection and userinfo of many users at every replica cause no request on the bus."""
    waiting: list[KnownUser] = []

    async def work() -> None:
        while waiting:
            person = waiting.pop()
            introspected, told = await everywhere.introspect(person), await everywhere.userinfo(person)
            assert [one.get("sub") for one in [*introspected, *told]] == [person.id] * 4

    async def asked() -> tuple[int, int]:
        waiting.extend(population)
        before = await everywhere.counted("token")
        await asyncio.gather(*(work() for _ in range(AT_ONCE)))
        after = await everywhere.counted("token")
        return after["memory"] - before["memory"], after["users"] - before["users"]

    first = await asked()
    later = await eventually(asked, lambda found: found[1] == 0)

    assert first[1] >= 2 * PEOPLE
    assert later == (8 * PEOPLE, 0)


async def test_refresh_of_cached_user_causes_no_requests(everywhere: Everywhere, doubled: World) -> None:
    """After a first refresh at a replica, claims, roles and project access come from its cache."""
    kim = await (await set_stage(doubled, "kim")).sign_in("kim")

    async def asked() -> tuple[bool, int]:
        before = await everywhere.counted("token")
        found = await everywhere.refresh(kim)
        after = await everywhere.counted("token")
        assert [one["sub"] for one in found] == [kim.id] * 2
        return after["memory"] > before["memory"], after["users"] - before["users"]

    assert await eventually(asked, (True, 0).__eq__) == (True, 0)
