"""Registration where passwords are not allowed: the emailed code is the first factor (decision 0143)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import GET_LOGIN_POLICY, GetLoginPolicy
from portico_oauth.errors import ServiceError

pytestmark = [pytest.mark.servers, pytest.mark.usefixtures("fresh_instance")]


async def restrict(world: Any, *factors: str) -> bool:
    """Returns whether users may register."""
    await world.home(loginPolicy={"mayRegister": True, "firstFactors": list(factors)})
    policy = await world.call(GET_LOGIN_POLICY, GetLoginPolicy(org_id=world.org_id))
    return bool(policy.may_register)


@pytest.mark.parametrize("password", ["", "a password of an old form"])
async def test_account_has_no_password(users_world: Any, password: str) -> None:
    """One that is sent nevertheless is ignored."""
    assert await restrict(users_world, "email_code", "passkey")
    address = users_world.mail()
    sent = await users_world.register(address, password=password)
    user = await users_world.verify(sent.challenge, await users_world.newest_code(address))

    assert (user.org_id, user.has_password, user.email_verified) == (users_world.org_id, False, True)
    assert await users_world.rows("passwords", _id=user.user_id) == []


async def test_address_with_an_account_gets_the_same_answer(users_world: Any) -> None:
    await restrict(users_world, "email_code")
    address = users_world.mail()
    first = await users_world.register(address, password="")
    await users_world.verify(first.challenge, await users_world.newest_code(address))
    again = await users_world.register(address, password="")

    assert (len(again.challenge), again.mail) == (len(first.challenge), first.mail)
    assert len(await users_world.rows("users", email=address)) == 1


async def test_account_waits_for_its_passkey(users_world: Any) -> None:
    """Where only passkeys are allowed, a user who left before creating one continues with a new code."""
    assert await restrict(users_world, "passkey")
    address = users_world.mail()
    first = await users_world.register(address, password="")
    user = await users_world.verify(first.challenge, await users_world.newest_code(address))
    again = await users_world.register(address, password="")
    same = await users_world.verify(again.challenge, await users_world.newest_code(address))

    assert (same.user_id, same.has_password, same.factors) == (user.user_id, False, ())
    assert (len(again.challenge), again.mail) == (len(first.challenge), first.mail)


@pytest.mark.parametrize(
    "changes",
    [
        {"hasPassword": True},
        {"emailVerified": False},
        {"state": "locked"},
        {"invitation": {"sent": 1.0, "until": 2.0}},
        {"recoveryFrom": 9e9},
        {"securityKeys": [{"id": "k", "name": "k", "passkey": True}]},
    ],
)
async def test_account_with_a_way_in_gets_no_code(users_world: Any, changes: dict[str, Any]) -> None:
    """A registration opens only an account with a proven address and without a way to sign in."""
    await restrict(users_world, "passkey")
    address = users_world.mail()
    sent = await users_world.register(address, password="")
    user = await users_world.verify(sent.challenge, await users_world.newest_code(address))
    await users_world.parts.mongo.database["users"].update_one({"_id": user.user_id}, {"$set": changes})
    await users_world.register(address, password="")
    rows = await users_world.rows("challenges", **{"purpose.userId": user.user_id})

    assert rows == []


async def test_registration_is_off_where_it_would_give_no_first_factor(users_world: Any) -> None:
    assert await restrict(users_world, "passkey")
    only = {"$set": {"loginRules.firstFactors": ["provider"]}}
    await users_world.parts.mongo.database["orgs"].update_one({"_id": users_world.org_id}, only)
    with pytest.raises(ServiceError) as refused:
        await users_world.register(users_world.mail(), password="")

    assert refused.value.id == "USER-063"


async def test_password_is_required_where_it_is_allowed(users_world: Any) -> None:
    await restrict(users_world, "email_code", "password")
    with pytest.raises(ServiceError) as refused:
        await users_world.register(users_world.mail(), password="")

    assert refused.value.id == "USER-030"
