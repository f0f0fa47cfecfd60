from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.token import REVOKE_USER, Revoked, RevokeUser
from portico_contracts.users import CHANGE_PASSWORD, ChangePassword, User
from portico_oauth.errors import Kind, ServiceError
from portico_users.credentials.revocations import SWEEP_SECONDS, Revocations

pytestmark = pytest.mark.servers

NEW = "nine small sparrows"


@pytest.fixture
async def world(users_world: Any) -> Any:
    """A user who must change the password, and a fake token service that records revocations."""
    must = {"password": users_world.password, "changeRequired": True}
    await users_world.home(
        humans=[users_world.human(id=f"alice-{users_world.tag}", password=must, metadata={"k": "v"})]
    )
    users_world.revoked = []

    async def revoke(ask: RevokeUser) -> Revoked:
        users_world.revoked.append(ask.user_id)
        return Revoked(grants=1)

    users_world.bus.respond(REVOKE_USER, revoke)
    return users_world


async def change(world: Any, current: str, new: str = NEW) -> User | None:
    question = ChangePassword(user_id=f"alice-{world.tag}", current_password=current, new_password=new)
    return (await world.call(CHANGE_PASSWORD, question)).user  # type: ignore[no-any-return]


async def test_password_change(world: Any) -> None:
    """The required change is cleared, the event has no value, and all grants are revoked before the response
    (IR-14).
    """
    user = await change(world, world.password)
    assert user is not None
    events = await world.rows("events", object=user.user_id)

    assert not user.password_change_required
    assert world.revoked == [user.user_id]
    assert (events[-1]["fields"], events[-1]["actor"]) == (["passwordChangeRequired", "password"], user.user_id)
    assert NEW not in str(events)
    assert (await world.rows("users", _id=user.user_id))[0]["metadata"][0]["key"] == "k"
    assert (await world.try_password(world.user_name, world.password)).user is None
    assert (await world.try_password(world.user_name, NEW)).user == user
    assert await world.rows("revocations", _id=user.user_id) == []


async def test_wrong_current_password_counts_as_an_attempt(world: Any) -> None:
    """A wrong current password uses the counter of password attempts (LG-03, LG-05)."""
    answers = [await change(world, "a wrong one") for _ in range(5)]
    with pytest.raises(ServiceError) as refused:
        await world.try_password(world.user_name, world.password)
    with pytest.raises(ServiceError) as again:
        await change(world, world.password)

    assert answers == [None] * 5
    assert refused.value.kind is again.value.kind is Kind.TOO_MANY_REQUESTS
    assert world.revoked == []


@pytest.mark.parametrize(
    ("new", "id"),
    [("short", "USER-030"), ("x" * 201, "USER-031"), ("password123", "USER-035"), ("", "USER-030")],
)
async def test_policy_applies_to_the_new_password(world: Any, new: str, id: str) -> None:
    """The error is the policy's own, and no attempt is counted (LG-24)."""
    for _ in range(6):
        with pytest.raises(ServiceError) as refused:
            await change(world, world.password, new)

        assert (refused.value.kind, refused.value.id) == (Kind.INVALID_REQUEST, id)
    assert (await world.try_password(world.user_name, world.password)).user is not None


async def test_new_password_must_not_contain_the_login_name(world: Any) -> None:
    """The rule for new accounts also applies to changed passwords."""
    with pytest.raises(ServiceError, match="USER-032"):
        await change(world, world.password, f"it is {world.user_name}!")


async def test_unchanged_password_is_refused(world: Any) -> None:
    """A required change refuses the current password; only callers who know it learn that."""
    with pytest.raises(ServiceError, match="USER-036"):
        await change(world, world.password, world.password)

    assert (await world.try_password(world.user_name, world.password)).user.password_change_required
    assert await change(world, "a wrong one!", "a wrong one!") is None


@pytest.mark.parametrize("user_id", ["nobody", "", "x" * 300])
async def test_unknown_user_is_refused_like_a_wrong_password(world: Any, user_id: str) -> None:
    """The response does not reveal whether the user exists."""
    question = ChangePassword(user_id=user_id, current_password=world.password, new_password=NEW)

    assert (await world.call(CHANGE_PASSWORD, question)).user is None


async def test_change_without_token_gets_503(world: Any) -> None:
    """The response is 503 until the grants are revoked; repeating the same request completes it (IR-14)."""
    world.bus.silent.add(REVOKE_USER.subject)
    with pytest.raises(ServiceError) as refused:
        await change(world, world.password)
    with pytest.raises(ServiceError):
        await change(world, world.password)
    world.bus.silent.clear()
    wrong = await change(world, "a wrong one", "another wrong one")
    right = await change(world, world.password)

    assert refused.value.kind is Kind.UNAVAILABLE
    assert wrong is None
    assert right is not None
    assert world.revoked == [right.user_id]
    assert await change(world, world.password) is None


async def test_background_task_completes_revocations(world: Any, other_replica: Any) -> None:
    """The task covers replicas that fail between the change and the revocation (FD-05)."""
    id = f"alice-{world.tag}"
    world.bus.silent.add(REVOKE_USER.subject)
    with pytest.raises(ServiceError):
        await change(world, world.password)
    pauses = [await world.service.find(Revocations).complete_due()]
    early = list(world.revoked)
    other_replica.bus.respond(REVOKE_USER, world.bus._handlers[REVOKE_USER.subject])
    world.clock.tick(3)
    pauses.append(await world.service.find(Revocations).complete_due())
    world.clock.tick(2)
    await world.service.find(Revocations).complete_due()  # token is still away: put off
    world.clock.tick(5)
    pauses.append(await other_replica.service.find(Revocations).complete_due())

    assert early == []
    assert pauses == [5.0, 2.0, SWEEP_SECONDS]
    assert world.revoked == [id]
    assert await world.rows("revocations", _id=id) == []
