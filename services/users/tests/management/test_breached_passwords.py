"""Breached passwords at every place where a password is set (decision 0101)."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from portico_contracts.events import PASSWORD_REFUSED
from portico_contracts.users import CHANGE_PASSWORD, IMPORT_USERS, ChangePassword, ImportUsers
from portico_fakes.management_api import call_as
from portico_oauth.errors import ServiceError
from portico_users.settings import Settings

pytestmark = pytest.mark.servers

ADD_POLICY = "portico.management.v1.PolicyService.AddCustomPasswordComplexityPolicy"
LISTED = "correct horse battery listed"
OTHER = "correct horse battery other"


@pytest.fixture
def cheap_hashing(cheap_hashing: Settings, tmp_path: Path) -> Settings:
    key = hashlib.sha1(LISTED.encode(), usedforsecurity=False).hexdigest().upper()
    (tmp_path / "list.txt").write_text(f"{key}:3\n", "ascii")
    return cheap_hashing.model_copy(update={"breached_passwords_file": str(tmp_path / "list.txt")})


async def _forbid(managed: Any) -> None:
    set_policy = await call_as(managed, ADD_POLICY, {"minLength": 8, "refuseBreached": True})
    assert set_policy.code == 0, set_policy.body


async def test_breached_password_is_refused_wherever_one_is_set(managed: Any) -> None:
    """New users, registration, both generations of the API, and the change at sign-in share the check (USER-140)."""
    await _forbid(managed)
    added = await managed.add(managed.new_human(username=f"ada-{managed.tag}", password={"password": OTHER}))
    user_id = added.body["userId"]
    refused = await managed.add(managed.new_human(username=f"bob-{managed.tag}", password={"password": LISTED}))
    path, new = f"/v2/users/{user_id}/password", {"newPassword": {"password": LISTED}}
    replaced = await call_as(managed, "portico.user.v2.UserService.SetPassword", new, path=path)
    of_v1 = await call_as(
        managed,
        "portico.management.v1.UserService.SetHumanPassword",
        {"password": LISTED},
        path=f"/management/v1/users/{user_id}/password",
    )
    errors = []
    for attempt in (
        managed.users.register(managed.users.mail(), password=LISTED, org_id=managed.org_id),
        managed.users.call(
            CHANGE_PASSWORD, ChangePassword(user_id=user_id, current_password=OTHER, new_password=LISTED)
        ),
    ):
        with pytest.raises(ServiceError) as raised:
            await attempt
        errors.append(raised.value.id)

    published = await managed.users.rows("outbox", subject=PASSWORD_REFUSED.subject, object=user_id)
    logged = await managed.users.rows("events", action="password_refused", orgId=managed.org_id)

    assert len(published) == 3
    assert [one["values"] for one in logged] == [{"userId": user_id, "errorId": "USER-140"}] * 3
    assert (refused.code, refused.fields, refused.error_code) == (3, ["password.password"], "USER-140")
    assert (replaced.code, replaced.fields, replaced.error_code) == (3, ["newPassword.password"], "USER-140")
    assert (of_v1.code, of_v1.fields, of_v1.error_code) == (3, ["password"], "USER-140")
    assert errors == ["USER-140", "USER-140"]
    assert (await managed.users.try_password(f"ada-{managed.tag}", OTHER)).user is not None


async def test_known_passwords_keep_working(managed: Any) -> None:
    """Without the policy nothing is refused; with it neither a sign-in nor an import is."""
    name = f"ada-{managed.tag}"
    added = await managed.add(managed.new_human(username=name, password={"password": LISTED}))
    await _forbid(managed)
    row = managed.users.human(username=f"eve-{managed.tag}", password={"password": LISTED})
    imported = await managed.users.call(
        IMPORT_USERS, ImportUsers(rows=(msgspec.json.encode(row).decode(),), org_id=managed.org_id)
    )

    assert added.code == 0, added.body
    assert (await managed.users.try_password(name, LISTED)).user is not None
    assert [(one.status, one.problems) for one in imported.rows] == [("created", ())]
