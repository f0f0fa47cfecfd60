"""users is killed at each step of a change: every replica uses the stored state at once (decision 0039)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from portico_harness.eventually import eventually
from portico_runtime.versioned_cache import keys
from portico_scenarios.cached_user_stage import READER, ROLES, WRITER, KnownUser, Stage, set_stage, version_of
from portico_scenarios.everywhere import Everywhere, in_force, with_role_names
from portico_scenarios.held_redis import HeldRedis, Step
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import StackOptions, lay_out
from portico_stack.assembly.replicas import Replicas
from portico_stack.installation.installation import load_or_create
from portico_stack.servers.redis import RedisServer

pytestmark = [pytest.mark.e2e, pytest.mark.long]

GRANTS = "management.v1.UserGrantService"
SECONDS = 60.0
"""Seconds after which a wait has failed."""


@pytest.fixture(scope="module")
async def redis(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[HeldRedis, StackOptions]]:
    """The Redis proxy, and the options of its stack, whose ports are decided before the start."""
    options = StackOptions(tmp_path_factory.mktemp("held"), port=0, replicas=Replicas(2))
    installation = load_or_create(options.data)
    server = lay_out(options, installation).redis
    assert isinstance(server, RedisServer)
    installation.save(options.data)
    async with HeldRedis(server.port) as held:
        yield held, replace(options, extra_env={"users": {"PORTICO_REDIS_URL": held.url}})


@pytest.fixture(scope="module")
async def held(redis: tuple[HeldRedis, StackOptions]) -> HeldRedis:
    return redis[0]


@pytest.fixture(scope="module")
async def shaken(redis: tuple[HeldRedis, StackOptions]) -> AsyncIterator[World]:
    """A stack with two replicas of each service, whose users service is killed."""
    async with started(redis[1], as_given=True) as two:
        yield two


@pytest.fixture(scope="module")
async def everywhere(shaken: World) -> AsyncIterator[Everywhere]:
    async with Everywhere(shaken) as replicas:
        yield replicas


@pytest.fixture(scope="module")
async def stage(shaken: World) -> Stage:
    """A user for each step, and one whose change succeeds, which loads the scripts into Redis."""
    stage = await set_stage(shaken, "kim", "lou", "max", "nan", "oli", "pam")
    await stage.call("user.v2.UserService.LockUser", userId=stage.id("oli"))
    return stage


STEPS = {
    "before the mark": ("kim", Step.MARK, "memory"),
    "between mark and commit": ("lou", Step.MARKED, "users"),
    "between commit and version": ("max", Step.VERSION, "users"),
    "after the version": ("nan", Step.VERSION_SET, "users"),
}
"""By name: the user, the step at which users is killed, and the source of cached data afterwards."""

BROKEN_OFF = {Step.MARKED, Step.VERSION}
COMMITTED = {Step.VERSION, Step.VERSION_SET}


@pytest.mark.parametrize(("name", "step", "source"), STEPS.values(), ids=STEPS.keys())
async def test_interrupted_change_leaves_no_stale_cache(
    shaken: World, everywhere: Everywhere, stage: Stage, held: HeldRedis, name: str, step: Step, source: str
) -> None:
    """At whatever step users is killed, all replicas use the stored roles at once (FD-11, FD-22)."""
    person = await stage.sign_in(name)
    await everywhere.warm(person)
    reached = held.hold(step, keys.user(person.id).field)
    [grant] = await _grants(person)
    members = {"userId": person.id, "grantId": grant["id"]}
    change = asyncio.create_task(everywhere.change(stage, f"{GRANTS}.RemoveUserGrant", **members))
    async with asyncio.timeout(SECONDS):
        await reached.wait()
    shaken.stack.kill("users-1")

    before = await everywhere.counted()
    told, decided = await _answers(everywhere, person)
    asked = await everywhere.counted() - before
    stored = [role for grant in await _grants(person) for role in grant["roleKeys"]]
    await asyncio.gather(change, return_exceptions=True)
    await shaken.stack.wait_until_ready("users-1")

    assert stored == ([] if step in COMMITTED else [READER])
    assert [with_role_names(one)[ROLES] for one in told] == [stored] * 4
    assert decided == (["code"] * 2 if stored else ["access_denied"] * 2)
    assert source in asked
    assert (await version_of(shaken, person) or "").startswith("~") == (step in BROKEN_OFF)


GROUPS = "management.v1.GroupService"
STEPS_OF_GROUPS = (Step.MARK, Step.VERSION_SET, Step.VERSION, Step.MARKED)
"""The mark that the third one leaves lets no replica cache roles for the last one."""


@pytest.mark.parametrize("step", STEPS_OF_GROUPS)
async def test_interrupted_change_of_a_group_leaves_no_stale_cache(
    shaken: World, everywhere: Everywhere, stage: Stage, held: HeldRedis, step: Step
) -> None:
    """It was made for all members or for none, and all replicas use that within a lease (decision 0136)."""
    person, group_id = await stage.sign_in("pam"), stage.id(step.name.lower())
    place = {"groupId": group_id, "projectId": stage.project_id}
    await stage.call(f"{GROUPS}.AddGroup", name=group_id, groupId=group_id)
    await stage.call(f"{GROUPS}.SetGroupRoles", **place, roleKeys=[WRITER])
    await stage.call(f"{GROUPS}.AddGroupMember", groupId=group_id, userId=person.id)
    if step is not Step.MARKED:
        await everywhere.warm(person)
    reached = held.hold(step, keys.of_kind("group").field)
    change = asyncio.create_task(everywhere.change(stage, f"{GROUPS}.RemoveGroupRoles", **place))
    async with asyncio.timeout(SECONDS):
        await reached.wait()
    shaken.stack.kill("users-1")
    await asyncio.gather(change, return_exceptions=True)
    await _answers(everywhere, person)
    left = (await stage.call(f"{GROUPS}.ListGroupRoles", groupId=group_id)).get("result", [])
    wanted = [READER, WRITER] if left else [READER]

    async def roles() -> list[list[str]]:
        answers, _ = await _answers(everywhere, person)
        return [with_role_names(one)[ROLES] for one in answers]

    await in_force(roles, [wanted] * 4)
    await shaken.stack.wait_until_ready("users-1")
    removed = partial(stage.send, f"{GROUPS}.RemoveGroup", groupId=group_id)
    await eventually(removed, lambda answer: answer.status_code in (200, 404))

    assert bool(left) == (step not in COMMITTED)
    assert await roles() == [[READER]] * 4


async def _answers(everywhere: Everywhere, person: KnownUser) -> tuple[list[dict[str, Any]], list[str]]:
    """Repeats what was refused: NATS may have sent a request to the killed replica before it noticed its end."""

    async def ask() -> list[dict[str, Any]]:
        return [*await everywhere.introspect(person), *await everywhere.userinfo(person)]

    told = await eventually(ask, lambda found: all(one.get("status") != 503 for one in found))
    decided = await eventually(lambda: everywhere.authorize(person), {"code", "access_denied"}.issuperset)
    return told, decided


async def _grants(person: KnownUser) -> list[dict[str, Any]]:
    query = {"userIdQuery": {"userId": person.id}}
    found: list[dict[str, Any]] = (await person.stage.call(f"{GRANTS}.ListUserGrants", queries=[query])).get(
        "result", []
    )
    return found
