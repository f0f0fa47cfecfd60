"""Changes of users that are found by a login name: they are read without metadata there, and written as a whole."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from portico_contracts.users import SEND_PASSWORD_LINK, SendPasswordLink
from portico_users.accounts.store import MongoAccounts, changed_user
from portico_users.after_response import AfterResponse
from portico_users.journal.journal import Journal
from portico_users.values.records import SYSTEM

from .moving_users import Moving, import_row

pytestmark = pytest.mark.servers

PASSWORDS: list[dict[str, Any]] = [{}, {"password": {"password": "a whistle in the dark"}}]


@pytest.fixture
async def moving(users_world: Any) -> Moving:
    found = Moving(users_world)
    await found.begin()
    return found


async def metadata(moving: Moving) -> list[str]:
    [user] = await moving.users()
    return [one["key"] for one in user["metadata"]]


@pytest.mark.parametrize("password", PASSWORDS, ids=["without a password", "with a password"])
async def test_request_for_a_password_link_keeps_metadata(moving: Moving, password: dict[str, Any]) -> None:
    """Anyone who knows a login name can send it."""
    await import_row(moving.world, moving.row(metadata=[{"key": "crm", "value": "NDI="}], **password))
    await moving.world.call(SEND_PASSWORD_LINK, SendPasswordLink(login_name=moving.grace, sender=""))
    await moving.world.service.find(AfterResponse).close()

    assert await metadata(moving) == ["crm"]


async def test_password_of_the_old_system_keeps_metadata(moving: Moving) -> None:
    await import_row(moving.world, moving.row(metadata=[{"key": "crm", "value": "NDI="}]))
    signed_in = (await moving.try_password()).user

    assert signed_in is not None
    assert await metadata(moving) == ["crm"]


@pytest.mark.parametrize("read", ["find_slim", "find_granted", "find_by_login_name"])
async def test_incomplete_user_is_not_written(moving: Moving, read: str) -> None:
    """The journal refuses a user that was read without some of its fields."""
    await import_row(moving.world, moving.row(metadata=[{"key": "crm", "value": "NDI="}]))
    accounts, journal = moving.world.service.find(MongoAccounts), moving.world.service.find(Journal)
    asked = (moving.grace, None) if read == "find_by_login_name" else (f"old-{moving.world.tag}",)
    found = await getattr(accounts, read)(*asked)
    user = found[0] if isinstance(found, tuple) else found
    with pytest.raises(AssertionError, match="without some of its fields"):
        await journal.commit((changed_user(user, msgspec.structs.replace(user, first_name="Ada")),), actor=SYSTEM)

    assert await metadata(moving) == ["crm"]
