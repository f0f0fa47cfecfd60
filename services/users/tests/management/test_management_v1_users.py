from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

OF = "portico.management.v1.UserService"
NEW = "nine small sparrows"


async def do(
    managed: Any, method: str, tail: str, *, user: str = "self", by: str = "owner", **body: Any
) -> ApiResponse:
    path = f"/management/v1/users/{user}-{managed.tag}/{tail}"
    return await call_as(managed, f"{OF}.{method}", body, by=by, path=path)


async def is_unique(managed: Any, **names: str) -> bool:
    response = await call_as(managed, f"{OF}.IsUserUnique", names)
    assert response.code == 0, response.body
    return bool(response.body.get("isUnique", False))


@pytest.mark.parametrize("user", ["self", "robot"])
async def test_user_is_renamed(managed: Any, user: str) -> None:
    """For both kinds of users, an unchanged name gives code 9, a taken one code 6, and the old name becomes free."""
    old, new = f"{user}-{managed.tag}", f"Other {user} {managed.tag}"
    response = await do(managed, "UpdateUserName", "username", user=user, userName=new)
    again = await do(managed, "UpdateUserName", "username", user=user, userName=new)
    taken = await do(managed, "UpdateUserName", "username", user=user, userName=f"OWNER-{managed.tag}")
    user_now = (await managed.get(old)).body["user"]

    assert (response.code, again.error_code, taken.code) == (0, "USER-702", 6), response.body
    assert user_now["username"] == new
    assert response.body["details"]["sequence"] == user_now["details"]["sequence"] == "2"
    assert await is_unique(managed, userName=old)


async def test_name_in_domain_of_another_org_is_refused(managed: Any) -> None:
    """Such a name would take precedence over login names of that organization's users."""
    name = f"ada@{managed.domain(managed.other_org_id)}"
    response = await do(managed, "UpdateUserName", "username", userName=name)

    assert (response.error_code, response.fields) == ("USER-864", ["userName"])


async def test_name_is_unique_in_the_instance(managed: Any) -> None:
    """Names are compared in any spelling and state; an address counts only as the name of a user without one."""
    free = f"nobody-{managed.tag}"
    without = await call_as(managed, f"{OF}.IsUserUnique", {})

    assert await is_unique(managed, userName=free)
    assert await is_unique(managed, email=f"self-{managed.tag}@people.example")
    assert not await is_unique(managed, userName=f"FOREIGN-{managed.tag}")
    assert not await is_unique(managed, userName=free, email=f"robot-{managed.tag}")
    assert (without.error_code, without.fields) == ("USER-003", ["userName"])


@pytest.mark.parametrize(
    ("method", "tail", "body", "must_change"),
    [
        ("SetHumanPassword", "password", {}, True),
        ("SetHumanPassword", "password", {"noChangeRequired": True}, False),
        ("SetHumanInitialPassword", "password/_initialize", {}, True),
    ],
)
async def test_manager_sets_the_password_of_another_user(
    managed: Any, method: str, tail: str, body: dict[str, Any], must_change: bool
) -> None:
    """All grants of the user are revoked (IR-14), and the user must change the password unless the caller
    decides otherwise.
    """
    response = await do(managed, method, tail, password=NEW, **body)
    user = (await managed.users.try_password(f"self-{managed.tag}", NEW)).user

    assert response.code == 0, response.body
    assert user is not None
    assert user.password_change_required is must_change
    assert managed.api.ended == [("sessions", f"self-{managed.tag}"), ("grants", f"self-{managed.tag}")]


@pytest.mark.parametrize(
    ("method", "tail"), [("SetHumanPassword", "password"), ("SetHumanInitialPassword", "password/_initialize")]
)
async def test_invalid_password_is_refused_with_its_field(managed: Any, method: str, tail: str) -> None:
    """The common policy applies, and callers cannot set the password of a user with more permissions (USER-712)."""
    short = await do(managed, method, tail, password="short")
    mighty = await do(managed, method, tail, user="iam", password=NEW)
    robot = await do(managed, method, tail, user="robot", password=NEW)

    assert (short.error_code, short.fields) == ("USER-030", ["password"])
    assert mighty.error_code == "USER-712"
    assert robot.code != 0


async def test_reset_link_is_emailed(managed: Any) -> None:
    """The response does not contain the code; text messages are refused."""
    mail = f"self-{managed.tag}@people.example"
    response = await do(managed, "SendHumanResetPasswordNotification", "password/_reset", type="TYPE_EMAIL")
    refused = await do(managed, "SendHumanResetPasswordNotification", "password/_reset", type="TYPE_SMS")

    assert set(response.body) == {"details"}
    assert len(await managed.users.mails_to(mail)) == 1
    assert (refused.error_code, refused.fields) == ("USER-175", ["type"])
