"""Redis is unavailable, emptied, or restored to an earlier state: caches return no stale data (decision 0039)."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from portico_contracts.apply import Document, Email, EndUser, Organization, Profile
from portico_contracts.users import GET_USER, GetUser
from portico_harness.eventually import eventually
from portico_oauth.errors import Kind, ServiceError
from portico_scenarios.bus import speaking_as
from portico_scenarios.cached_user_stage import ROLES, KnownUser, Stage, set_stage, version_of
from portico_scenarios.everywhere import Everywhere
from portico_scenarios.redis_data import copy_redis_data, replace_redis_data
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import StackOptions
from portico_stack.assembly.replicas import Replicas
from portico_stack.machine import http_probe

pytestmark = [pytest.mark.e2e, pytest.mark.long]

USER = "user.v2.UserService"
GRANTS = "management.v1.UserGrantService"
NAMES = ("kim", "lou")


@pytest.fixture(scope="module")
async def shaken(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """A stack with two replicas of each service, whose Redis is disturbed."""
    options = StackOptions(tmp_path_factory.mktemp("facts"), port=0, replicas=Replicas(2))
    async with started(options, as_given=True) as two:
        yield two


@pytest.fixture(scope="module")
async def everywhere(shaken: World) -> AsyncIterator[Everywhere]:
    async with Everywhere(shaken) as replicas:
        yield replicas


@pytest.fixture
async def stage(shaken: World) -> Stage:
    return await set_stage(shaken, *NAMES)


async def test_redis_rollback_restores_no_stale_cache(
    shaken: World, everywhere: Everywhere, stage: Stage, tmp_path: Path
) -> None:
    """After a Redis rollback no replica uses old cached data, and later changes stay in effect (FD-22)."""
    asked, not_asked = await stage.sign_in(NAMES[0]), await stage.sign_in(NAMES[1])
    for person in (asked, not_asked):
        await everywhere.warm(person)
        # Gives each user a version in Redis.
        await stage.call(f"{USER}.SetUserMetadata", userId=person.id, metadata=[{"key": "a", "value": "YQ=="}])
    await copy_redis_data(shaken, tmp_path)
    for person in (asked, not_asked):
        await eventually(functools.partial(everywhere.authorize, person), ["code", "code"].__eq__)
        await everywhere.warm(person)
    before = [await version_of(shaken, person) for person in (asked, not_asked)]

    for person in (asked, not_asked):
        query = {"userIdQuery": {"userId": person.id}}
        [grant] = (await stage.call(f"{GRANTS}.ListUserGrants", queries=[query]))["result"]
        await stage.call(f"{GRANTS}.RemoveUserGrant", userId=person.id, grantId=grant["id"])
    during = [await version_of(shaken, person) for person in (asked, not_asked)]
    await everywhere.introspect(asked)
    await replace_redis_data(shaken, by=tmp_path)
    again = [await version_of(shaken, person) for person in (asked, not_asked)]

    for person in (asked, not_asked):

        async def told(person: KnownUser = person) -> list[dict[str, Any]]:
            return [*await everywhere.introspect(person), *await everywhere.userinfo(person)]

        found = await eventually(told, lambda found: all(one.get("status") != 503 for one in found))
        # Their tokens were preserved, except for some use of their sessions.
        assert [one.get("sub") for one in found] == [person.id] * 4
        assert not any(ROLES in one for one in found)
        assert await everywhere.authorize(person) == ["login_required"] * 2
    for name in NAMES:
        with pytest.raises(AssertionError, match="access_denied"):
            await stage.sign_in(name)
    assert again == before
    assert None not in before
    assert not set(during) & set(before)


async def test_emptied_redis_is_refilled_with_versions(shaken: World, everywhere: Everywhere, stage: Stage) -> None:
    """After Redis was emptied no old cached data is used, and current data is cached again (FD-22)."""
    name = NAMES[0]
    person = await stage.sign_in(name)
    await everywhere.warm(person)
    await replace_redis_data(shaken, by=None)
    await eventually(lambda: everywhere.introspect(person), [{"active": False}, {"active": False}].__eq__)

    # The administrator's token was also in Redis.
    again = await set_stage(shaken)
    profile = {"givenName": "After", "familyName": "the Loss"}
    await again.call(f"{USER}.UpdateHumanUser", userId=person.id, profile=profile)
    anew = await stage.sign_in(name)
    await everywhere.warm(anew)

    assert [one["family_name"] for one in await everywhere.userinfo(anew)] == ["the Loss"] * 2
    assert await version_of(shaken, anew) is not None


async def test_changes_of_users_fail_without_redis(shaken: World, everywhere: Everywhere, stage: Stage) -> None:
    """A change gets 503 and has no effect, creating and reading work, and users is degraded but ready (FD-01)."""
    person = await stage.sign_in(NAMES[0])
    await everywhere.warm(person)
    await shaken.stack.stop_part("redis")
    try:
        with pytest.raises(ServiceError) as refused:
            await shaken.stack.apply(_changed(stage, person.id, "Refused"))
        await shaken.stack.apply(_changed(stage, stage.id("newcomer"), "Created"))
        async with speaking_as(shaken.stack, "token") as bus:
            found = [(await bus.call(GET_USER, GetUser(user_id=id))).user for id in (person.id, stage.id("newcomer"))]
        readiness = [
            (answer.status, b"degraded" in answer.body)
            for replica in shaken.stack.replicas_of("users")
            for answer in [await http_probe.get(replica.internal_port, "/readyz")]
        ]
        asked = [one["status"] for one in [*await everywhere.introspect(person), *await everywhere.userinfo(person)]]
        decided = await everywhere.authorize(person)
    finally:
        await shaken.stack.start_part("redis")
    after = await eventually(
        lambda: everywhere.userinfo(person), lambda found: all(one.get("status") != 503 for one in found)
    )

    assert refused.value.kind is Kind.UNAVAILABLE
    assert [user.display_name if user else None for user in found] == [f"{NAMES[0]} Before", "Drilled Created"]
    assert {status for status, _ in readiness} == {200}
    assert True in {degraded for _, degraded in readiness}
    assert asked == [503] * 4
    assert decided == ["503"] * 2
    assert [one["family_name"] for one in after] == ["Before"] * 2


def _changed(stage: Stage, id: str, family_name: str) -> Document:
    human = EndUser(
        id=id,
        username=id,
        profile=Profile(first_name="Drilled", last_name=family_name),
        email=Email(email=f"{id}@mail.example.test", is_verified=True),
    )
    return Document(organizations=(Organization(id=stage.org_id, name=stage.org_id, humans=(human,)),))
