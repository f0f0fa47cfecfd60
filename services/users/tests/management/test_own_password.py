"""Being signed in does not suffice to replace one's own password, whatever the permissions (LG-24)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

_V2: Final = "portico.user.v2.UserService"
_V1: Final = "portico.management.v1.UserService"
OLD, NEW = "correct horse battery", "nine small sparrows"

_V2_BODY: Final[dict[str, Any]] = {"newPassword": {"password": NEW}}
_UPDATE_BODY: Final[dict[str, Any]] = {"password": {"password": {"password": NEW}}}
_IMPORTED_BODY: Final[dict[str, Any]] = {
    "password": {"hashedPassword": {"hash": "$2b$10$PZnbnQ5IZOdSZMO07HJR8.PaF66Wlcx.8KpvfEmTkqW5EHDJqJ8Zq"}}
}

WAYS: Final = {
    "set": (f"{_V2}.SetPassword", "/v2/users/{id}/password", _V2_BODY),
    "update": (f"{_V2}.UpdateHumanUser", "/v2/users/human/{id}", _UPDATE_BODY),
    "imported": (f"{_V2}.UpdateHumanUser", "/v2/users/human/{id}", _IMPORTED_BODY),
    "older": (f"{_V1}.SetHumanPassword", "/management/v1/users/{id}/password", {"password": NEW}),
    "initial": (f"{_V1}.SetHumanInitialPassword", "/management/v1/users/{id}/password/_initialize", {"password": NEW}),
}
"""Every operation that sets a password, without evidence."""


@pytest.fixture
async def world(managed: Any) -> Any:
    body = managed.new_human("pat", password={"password": OLD}, username=f"pat-{managed.tag}")
    assert (await managed.add(body)).code == 0
    member = {"userId": f"pat-{managed.tag}", "roles": ["ORG_OWNER"]}
    of = "portico.management.v1.MemberService.AddOrgMember"
    assert (await call_as(managed, of, member)).code == 0
    managed.tokens["pat"] = managed.api.token_of(f"pat-{managed.tag}")
    managed.users.kept.taken.clear()
    return managed


async def go(world: Any, way: str, *, by: str = "pat", user: str = "pat", **proof: Any) -> ApiResponse:
    name, path, body = WAYS[way]
    if way == "update" and proof:
        body = {"password": {**body["password"], **proof}}
        proof = {}
    path = path.format(id=f"{user}-{world.tag}")
    return await call_as(world, name, {**body, **proof}, by=by, path=path)


async def reset(world: Any, *, by: str = "pat", **members: Any) -> ApiResponse:
    path = f"/v2/users/pat-{world.tag}/password_reset"
    return await call_as(world, f"{_V2}.PasswordReset", members, by=by, path=path)


@pytest.mark.parametrize("way", WAYS)
async def test_permissions_do_not_replace_the_current_password(world: Any, way: str) -> None:
    """A stolen token of an administrator gets code 7, and the password does not change."""
    refused = await go(world, way)

    assert (refused.code, refused.error_code) == (7, "USER-880")
    assert (await world.users.try_password(f"pat-{world.tag}", OLD)).user is not None


@pytest.mark.parametrize("way", ["set", "update"])
async def test_administrator_needs_the_current_password(world: Any, way: str) -> None:
    """Administrators give the current password to replace their own, as all users do."""
    wrong = await go(world, way, currentPassword=NEW)
    right = await go(world, way, currentPassword=OLD)

    assert (wrong.error_code, right.code) == ("USER-403", 0), right.body
    assert (await world.users.try_password(f"pat-{world.tag}", NEW)).user is not None


@pytest.mark.parametrize(
    "wish", [{"returnCode": {}}, {"sendLink": {"urlTemplate": "https://evil.example/{{.Code}}"}}], ids=str
)
async def test_code_for_the_own_password_is_not_returned(world: Any, wish: dict[str, Any]) -> None:
    """A returned code would prove no more than the token; an emailed one with a trusted link does."""
    refused = await reset(world, **wish)
    mailed = await reset(world)

    assert (refused.code, refused.error_code) == (7, "USER-880")
    assert mailed.code == 0
    assert (await reset(world, by="owner", **wish)).code == 0


@pytest.mark.parametrize("way", WAYS)
async def test_other_users_and_first_passwords_need_no_evidence(world: Any, way: str) -> None:
    """Managers of users may set other users' passwords, and their own first one."""
    others = await go(world, way, by="owner")
    first = await go(world, way, by="owner", user="owner")

    assert (others.code, first.code) == (0, 0), (others.body, first.body)
