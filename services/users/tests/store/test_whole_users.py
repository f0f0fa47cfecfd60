"""Changes of users that are found by a login name: they are read without metadata there, and written as a whole."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import SEND_PASSWORD_LINK, SendPasswordLink
from portico_users.kernel.after_response import AfterResponse

from .test_lazy_migration import Moving, import_row

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
    await moving.world.call(SEND_PASSWORD_LINK, SendPasswordLink(login_name=moving.grace))
    await moving.world.service.find(AfterResponse).close()

    assert await metadata(moving) == ["crm"]


async def test_password_of_the_old_system_keeps_metadata(moving: Moving) -> None:
    await import_row(moving.world, moving.row(metadata=[{"key": "crm", "value": "NDI="}]))
    signed_in = (await moving.try_password()).user

    assert signed_in is not None
    assert await metadata(moving) == ["crm"]
