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


async def test_registration_is_off_where_it_would_give_no_first_factor(users_world: Any) -> None:
    assert not await restrict(users_world, "passkey")
    with pytest.raises(ServiceError) as refused:
        await users_world.register(users_world.mail(), password="")

    assert refused.value.id == "USER-063"


async def test_password_is_required_where_it_is_allowed(users_world: Any) -> None:
    await restrict(users_world, "email_code", "password")
    with pytest.raises(ServiceError) as refused:
        await users_world.register(users_world.mail(), password="")

    assert refused.value.id == "USER-030"
