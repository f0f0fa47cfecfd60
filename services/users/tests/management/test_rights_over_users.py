"""Privilege-escalation guard: no caller gains permissions by changing other users (MG-01)."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import pytest
from portico_fakes.management_api import ApiResponse, call_as
from portico_users.management_api.all_operations import OPERATIONS
from portico_users_rows.permission_rows.credentials import CREDENTIAL_ROWS
from portico_users_rows.permission_rows.idps import LINK_ROWS
from portico_users_rows.permission_rows.over_users import OVER_USERS
from portico_users_rows.permission_rows.row import Row
from portico_users_rows.permission_rows.service_users import SERVICE_USER_ROWS
from portico_users_rows.permission_rows.users import USER_ROWS

pytestmark = pytest.mark.servers

_OF: Final = "portico.user.v2.UserService"
_ROWS: Final[dict[str, Row]] = USER_ROWS | CREDENTIAL_ROWS | LINK_ROWS | SERVICE_USER_ROWS
_MAKING: Final = {
    f"{_OF}.AddHumanUser",
    "portico.management.v1.ServiceUserService.AddMachineUser",
    "portico.management.v1.UserService.AddHumanUser",
    "portico.management.v1.UserService.ImportHumanUser",
    "portico.management.v1.UserService.ImportHumanUsers",
    "portico.management.v1.UserService.IsUserUnique",
}
"""Operations that create a user, or check whether one could be created, affect no existing user."""

_PASSWORD: Final = {"newPassword": {"password": "nine small sparrows"}}


@pytest.fixture
async def ranked(managed: Any) -> Any:
    org = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    strong = {"id": f"strong-{managed.tag}", "username": f"strong-{managed.tag}", "name": "a", "roles": ["ORG_OWNER"]}
    manager = managed._human("manager", ["ORG_USER_MANAGER"])
    second = managed._human("second", ["ORG_OWNER"])
    wanted = org | {"humans": [manager, second], "serviceUsers": [strong]}
    await managed.write_once("ranked", partial(managed.users.apply, wanted))
    for name in ("manager", "second"):
        managed.tokens[name] = managed.api.token_of(f"{name}-{managed.tag}")
    return managed


def _on(row: Row, managed: Any, human: str) -> str:
    path = row.path.replace("self-{tag}", f"{human}-{{tag}}").replace("bot-{caller}-{tag}", "strong-{tag}")
    return path.format(tag=managed.tag, caller="manager", grant="")


async def _do(managed: Any, method: str, path: str, body: Any = None, *, by: str = "manager") -> ApiResponse:
    return await call_as(managed, f"{_OF}.{method}", body or {}, by=by, path=path)


def test_guard_covers_every_operation_on_users() -> None:
    """The guard applies to exactly the listed operations (MG-01)."""
    covered = {one.name for one in OPERATIONS if one.needs_rights_of_user}

    assert covered - _MAKING == set(OVER_USERS)
    assert set(OVER_USERS) <= set(_ROWS)


async def test_user_with_more_permissions_cannot_be_changed(ranked: Any) -> None:
    """No operation lets a manager of users change an organization owner."""
    wrong = {}
    for name in OVER_USERS:
        row, before = _ROWS[name], await _strong_users(ranked)
        refused = await call_as(ranked, name, row.body(ranked, "manager"), by="manager", path=_on(row, ranked, "owner"))
        if refused.error_code != "USER-712" or await _strong_users(ranked) != before:
            wrong[name] = refused

    assert wrong == {}


async def _strong_users(ranked: Any) -> list[Any]:
    return [await ranked.users.rows("users", _id=f"{who}-{ranked.tag}") for who in ("owner", "strong")]


async def test_password_without_evidence_needs_permissions(ranked: Any) -> None:
    """A manager cannot set an owner's password, nor an organization owner that of an instance owner."""
    assert (
        await _do(ranked, "SetPassword", f"/v2/users/owner-{ranked.tag}/password", _PASSWORD)
    ).error_code == "USER-712"
    over = await _do(ranked, "SetPassword", f"/v2/users/iam-{ranked.tag}/password", _PASSWORD, by="owner")
    assert over.error_code == "USER-712"
    body = {"password": {"password": {"password": "nine small sparrows"}}}
    assert (await _do(ranked, "UpdateHumanUser", f"/v2/users/human/owner-{ranked.tag}", body)).error_code == "USER-712"


async def test_all_memberships_are_read(ranked: Any) -> None:
    """Roles after the first thousand memberships of a user are not missed."""
    (instance,) = await ranked.users.rows("members", userId=f"iam-{ranked.tag}")
    former = [
        instance | {"_id": f"{ranked.tag}-{number}", "scopeId": f"a-{number:04}", "scope": "project", "roles": []}
        for number in range(1_000)
    ]
    await ranked.users.parts.mongo.database["members"].insert_many(former)
    over = await _do(ranked, "SetPassword", f"/v2/users/iam-{ranked.tag}/password", _PASSWORD, by="owner")

    assert over.error_code == "USER-712"


async def test_code_replaces_the_permissions(ranked: Any) -> None:
    """Custom pages can submit the code that was sent to the user."""
    address = f"/v2/users/owner-{ranked.tag}"
    made = await _do(ranked, "PasswordReset", f"{address}/password_reset", {"returnCode": {}}, by="iam")
    code = {"verificationCode": made.body["verificationCode"]}

    assert (await _do(ranked, "SetPassword", f"{address}/password", _PASSWORD | code)).code == 0


@pytest.mark.parametrize(("by", "whose"), [("owner", "second"), ("iam", "owner"), ("owner", "owner")])
async def test_guard_permits_equals_and_oneself(ranked: Any, by: str, whose: str) -> None:
    """Owners can change each other, and users themselves."""
    body: dict[str, Any] = {"returnCode": {}}
    made = await _do(ranked, "PasswordReset", f"/v2/users/{whose}-{ranked.tag}/password_reset", body, by=by)

    assert made.code == 0


async def test_user_of_another_org_counts_as_unknown(ranked: Any) -> None:
    """The organization of the user is checked before the guard (MG-04)."""
    foreign = await _do(ranked, "LockUser", f"/v2/users/iam-{ranked.tag}/lock", by="foreign")
    unknown = await _do(ranked, "LockUser", "/v2/users/nobody-at-all/lock", by="foreign")

    assert foreign == unknown
